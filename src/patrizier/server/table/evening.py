"""The running score of an evening: games of one chain of rematches, seat by seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class EveningScore:
    """What whoever sits on a seat has reached so far."""

    games: int
    wins: int  # shared ones included
    points: int


Evening: TypeAlias = tuple[EveningScore | None, ...]  # by seat; None: new here


def with_game(evening: Evening, outcome: dict[str, Any]) -> Evening:
    """Return the evening after one more game, given its outcome as `Outcome.to_json` has it."""
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
    """Return the evening with a seat on which somebody else sits down."""
    return (*evening[:seat], None, *evening[seat + 1 :])
