"""A seat's points so far, and how many portraits it is short of the next set."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from patrizier.rules.deck import NOBLES
from patrizier.rules.score import SET_POINTS, SET_SIZE

Noble: TypeAlias = Literal["L", "B", "K"]


@dataclass(frozen=True, slots=True)
class Portraits:
    """The portraits of one noble on a pile."""

    noble: Noble
    heads: int
    points: int  # for sets of three
    missing: int  # portraits short of the next set

    @classmethod
    def of(cls, noble: str, heads: int) -> "Portraits":
        """Return the worth of this many portraits of a noble.

        >>> Portraits.of("B", 4)
        Portraits(noble='B', heads=4, points=6, missing=2)
        """
        sets, over = divmod(heads, SET_SIZE)
        return cls(cast("Noble", noble), heads, SET_POINTS * sets, SET_SIZE - over)


@dataclass(frozen=True, slots=True)
class Sums:
    """The points of one seat so far; the minus chip counts only at the end."""

    tokens: int
    chips: int  # of messengers
    sets: int
    minus: int
    portraits: tuple[Portraits, ...]  # by noble

    @classmethod
    def of(cls, tokens: int, chips: int, minus: int, heads: dict[str, int]) -> "Sums":
        """Return the sums of a seat, given its portraits by noble."""
        portraits = tuple(Portraits.of(noble, heads[noble]) for noble in NOBLES)
        return cls(tokens, chips, sum(each.points for each in portraits), minus, portraits)

    @property
    def total(self) -> int:
        """All points so far."""
        return self.tokens + self.chips + self.sets + self.minus

    def to_json(self) -> dict[str, Any]:
        """Return the sums in the form that views use."""
        return {
            "tokens": self.tokens,
            "chips": self.chips,
            "sets": self.sets,
            "minus": self.minus,
            "total": self.total,
            "portraits": [
                {
                    "noble": each.noble,
                    "heads": each.heads,
                    "points": each.points,
                    "missing": each.missing,
                }
                for each in self.portraits
            ],
        }
