"""Refusals that are not about a table: too much at once, or something about a person."""


class TooMuch(Exception):
    """Somebody asks for more than their share."""

    def __init__(self, text: str, retry_after: float = 1.0) -> None:
        super().__init__(text)
        self.text = text
        self.retry_after = retry_after  # seconds

    @property
    def headers(self) -> dict[str, str]:
        """The header that tells when to try again."""
        return {"Retry-After": str(max(1, round(self.retry_after + 0.5)))}


class Declined(Exception):
    """Something about a person or an account that does not work; the text says why."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.code = code
        self.text = text
