"""Refusals: exceptions with a reason and the values of its text."""

from patrizier.errors import IllegalMove, InvalidMove

from .reasons import Reason, Values, reason_named


class Refusal(Exception):
    """A refused request. Pages use the reason, programs its code and English text."""

    def __init__(self, reason: Reason, **values: str | int) -> None:
        self.reason = reason
        self.values: Values = values
        super().__init__(self.text)

    @property
    def code(self) -> str:
        """The group of reasons, for programs."""
        return self.reason.code

    @property
    def text(self) -> str:
        """The reason in English."""
        return self.reason.text.format(**self.values)


class Refused(Refusal):
    """A refused command at a table."""

    @classmethod
    def by_rules(cls, error: IllegalMove | InvalidMove) -> "Refused":
        """Refuse a turn that the rules do not allow, or that cannot be read."""
        if isinstance(error, IllegalMove):
            reason = reason_named(f"rule-{error.rule}") or Reason.ILLEGAL_TURN
        else:
            reason = reason_named(f"form-{error.rule}") or Reason.UNREADABLE_TURN
        return cls(reason, **error.values, why=str(error))


class BadName(Refusal):
    """An invalid name, login or e-mail address."""


class Declined(Refusal):
    """A refused request about a person, an account or a file, with its HTTP status."""

    def __init__(self, status: int, reason: Reason, **values: str | int) -> None:
        super().__init__(reason, **values)
        self.status = status


class TooMuch(Refusal):
    """A rate limit was exceeded."""

    def __init__(self, reason: Reason, retry_after: float = 1.0, **values: str | int) -> None:
        super().__init__(reason, **values)
        self.retry_after = retry_after  # seconds

    @property
    def headers(self) -> dict[str, str]:
        """The Retry-After header."""
        return {"Retry-After": str(max(1, round(self.retry_after + 0.5)))}
