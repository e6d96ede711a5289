"""How the server says no, whatever it is about: a reason, and the values that belong to it."""

from patrizier.errors import IllegalMove, InvalidMove

from .reasons import Reason, Values, reason_named


class Refusal(Exception):
    """Something was not done. The reason is for pages, its code and English text for programs."""

    def __init__(self, reason: Reason, **values: str | int) -> None:
        self.reason = reason
        self.values: Values = values
        super().__init__(self.text)

    @property
    def code(self) -> str:
        """The group of reasons it belongs to."""
        return self.reason.code

    @property
    def text(self) -> str:
        """What it says in English."""
        return self.reason.text.format(**self.values)


class Refused(Refusal):
    """A command at a table that was not carried out."""

    @classmethod
    def by_rules(cls, error: IllegalMove | InvalidMove) -> "Refused":
        """Refuse a turn that the rules do not allow, or that cannot be read."""
        if isinstance(error, IllegalMove):
            reason = reason_named(f"rule-{error.rule}") or Reason.ILLEGAL_TURN
        else:
            reason = reason_named(f"form-{error.rule}") or Reason.UNREADABLE_TURN
        return cls(reason, **error.values, why=str(error))


class BadName(Refusal):
    """A name, login or address that cannot be taken."""


class Declined(Refusal):
    """Something about a person, an account or a file that does not work."""

    def __init__(self, status: int, reason: Reason, **values: str | int) -> None:
        super().__init__(reason, **values)
        self.status = status


class TooMuch(Refusal):
    """Somebody asks for more than their share."""

    def __init__(self, reason: Reason, retry_after: float = 1.0, **values: str | int) -> None:
        super().__init__(reason, **values)
        self.retry_after = retry_after  # seconds

    @property
    def headers(self) -> dict[str, str]:
        """The header that tells when to try again."""
        return {"Retry-After": str(max(1, round(self.retry_after + 0.5)))}
