"""The running score of an evening: all games of one chain of rematches, by seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class EveningScore:
    """The score of the player on one seat so far."""

    games: int
    wins: int  # including shared ones
    points: int


Evening: TypeAlias = tuple[EveningScore | None, ...]  # by seat; None: new here


def with_game(evening: Evening, outcome: dict[str, Any]) -> Evening:
    """Return the evening after one more game, given the JSON of its `Outcome`."""
    scores: Sequence[dict[str, int]] = outcome["scores"]
    return tuple(
        EveningScore(
            before.games + 1,
            before.wins + (seat in outcome["winners"]),
            before.points + score["total"],
        )
        for seat, (score, before) in enumerate(
            zip(scores, (each or EveningScore(0, 0, 0) for each in evening), strict=True)
        )
    )


def without(evening: Evening, seat: int) -> Evening:
    """Return the evening with one seat reset, because somebody else sits there now."""
    return (*evening[:seat], None, *evening[seat + 1 :])
