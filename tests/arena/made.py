"""Made-up results with known answers."""

from collections.abc import Sequence

from patrizier.arena.match import MatchResult
from patrizier.bots.guard import Incident
from patrizier.outcome import Score


def made(
    deal: int,
    names: str | Sequence[str],
    points: Sequence[int],
    *,
    start: int = 0,
    seconds: float = 1.0,
    floors: Sequence[int] = (),
    incidents: Sequence[Incident] = (),
) -> MatchResult:
    """Return the result of a game in which everything is given."""
    floors = floors or [10] * len(points)
    scores = tuple(Score(p - 6, 6, 0, 0, f) for p, f in zip(points, floors, strict=True))
    return MatchResult(
        deal=deal,
        names=tuple(names),
        start=start,
        scores=scores,
        seconds=(seconds,) * len(points),
        turns=(10,) * len(points),
        incidents=tuple(incidents),
    )


def duel(deal: int, names: str, share: float, start: int = 0) -> MatchResult:
    """Return a game of two in which the first has this share of the victory."""
    points = {1.0: (40, 30), 0.5: (35, 35), 0.0: (30, 40)}[share]
    return made(deal, names, points, start=start)
