"""How a game ended: points and their parts, and who won."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Score:
    """The points of one seat."""

    tokens: int  # prestige tokens
    sets: int  # three portraits of the same noble, six points each
    chips: int  # messenger chips
    minus: int  # 0, or -3 with the minus chip
    floors: int  # floors on the board: fewer wins a tie

    @property
    def total(self) -> int:
        """The sum of all points."""
        return self.tokens + self.sets + self.chips + self.minus

    def to_json(self) -> dict[str, int]:
        """Return the parts and their sum."""
        return {
            "tokens": self.tokens,
            "sets": self.sets,
            "chips": self.chips,
            "minus": self.minus,
            "total": self.total,
            "floors": self.floors,
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game.

    Most points win; a tie goes to fewer floors on the board; a remaining tie is a shared victory.

    >>> outcome = Outcome((Score(33, 18, 0, 0, 20), Score(45, 6, 0, 0, 19)))
    >>> outcome.points, outcome.winners, outcome.tie_break
    ((51, 51), (1,), True)
    """

    scores: tuple[Score, ...]  # by seat

    @property
    def points(self) -> tuple[int, ...]:
        """Every seat's total."""
        return tuple(score.total for score in self.scores)

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats, ascending; more than one if the victory is shared."""
        ranks = [(score.total, -score.floors) for score in self.scores]
        return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))

    @property
    def tie_break(self) -> bool:
        """Whether floors on the board decided between equal points."""
        best = [seat for seat, total in enumerate(self.points) if total == max(self.points)]
        return len(best) > len(self.winners)

    def to_json(self) -> dict[str, Any]:
        """Return scores and winners."""
        return {
            "scores": [score.to_json() for score in self.scores],
            "winners": list(self.winners),
            "tie_break": self.tie_break,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Outcome":
        """Read what `to_json` wrote."""
        parts = ("tokens", "sets", "chips", "minus", "floors")
        return cls(
            tuple(Score(**{part: score[part] for part in parts}) for score in data["scores"])
        )
