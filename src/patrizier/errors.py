"""Exceptions, one class for each kind of mistake."""

from typing import Any


class PatrizierError(Exception):
    """Base class of this package's exceptions."""

    def __init__(self, text: str = "", rule: str = "", **values: str | int) -> None:
        super().__init__(text)
        self.rule = rule  # its key, for translation; empty if there is none
        self.values = values  # the parameters of the message


class InvalidMove(PatrizierError, ValueError):
    """A move that cannot be read."""


class IllegalMove(PatrizierError, ValueError):
    """A readable move that the rules do not allow here; the message says which rule."""


class StaleMove(PatrizierError, ValueError):
    """A move meant for an older position of the game."""


class DeviceError(PatrizierError, RuntimeError):
    """A GPU that is missing, full, or cannot be used."""


class DealError(PatrizierError, ValueError):
    """A deal that does not follow the rules."""


class RecordError(PatrizierError, ValueError):
    """A game record that cannot be read or does not follow the rules."""

    def __init__(
        self,
        reason: str,
        line: int,
        turn: int | None = None,
        word: str = "",
        rule: str = "",
        **values: str | int,
    ) -> None:
        where = f"line {line}"
        if turn is not None:
            where += f", turn {turn}"
        if word:
            where += f" ({word})"
        super().__init__(f"{where}: {reason}", rule, **values)
        self.reason = reason
        self.line = line  # counted from 1
        self.turn = turn  # counted from 1; None before the first turn
        self.word = word

    def __reduce__(self) -> tuple[Any, ...]:
        """Make the error picklable: worker processes send it back."""
        where = (self.reason, self.line, self.turn, self.word)
        return RecordError, where, {"rule": self.rule, "values": self.values}
