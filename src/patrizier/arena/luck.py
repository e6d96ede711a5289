"""Luck-adjusted standings: results less the luck of the cards turned up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from patrizier.analysis.luck import luck_of_cards
from patrizier.arena.intervals import Estimate, of_sums
from patrizier.arena.match import MatchResult, Observer
from patrizier.game import Game

Floats: TypeAlias = npt.NDArray[np.float64]

PRIOR = 50  # weight of the prior that luck counts fully, in deals
_TINY = 1e-12


@dataclass(frozen=True)
class Adjusted:
    """How one bot did, without the luck of the cards."""

    name: str
    wins: Estimate  # share of victories per seat, with a symmetric interval
    deviation: float  # standard error, relative to the one without adjustment

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"name": self.name, "wins": self.wins.to_json(), "deviation": self.deviation}


def luck_of(result: MatchResult) -> tuple[float, ...]:
    """Return what the cards turned up in a game gave every seat, by its record."""
    return tuple(map(float, luck_of_cards(Game.from_record(result.record))))


class LuckTally(Observer):
    """Adds up results and luck, deal by deal.

    Luck counts as much as it mattered in the other deals: for every deal, by the coefficient of a
    regression on all deals but this one. So it is independent of the deal's own luck, whose mean is
    zero, and the mean stays free of bias.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._seen = {name: _Deals() for name in names}

    def on_end(self, result: MatchResult) -> None:
        """Count a game, by its record."""
        for name, share, lucky in zip(result.names, result.shares, luck_of(result), strict=True):
            self._seen[name].add(result.deal, share, lucky)

    def standings(self) -> list[Adjusted]:
        """Return all bots that have played, best first."""
        found = []
        for name, deals in self._seen.items():
            if deals.sums:
                adjusted, raw = deals.adjusted(), deals.raw()
                before = raw.high - raw.low
                ratio = (adjusted.high - adjusted.low) / before if before > 0 else 1.0
                found.append(Adjusted(name, adjusted, ratio))
        return sorted(found, key=lambda each: -each.wins.value)


class _Deals:
    """The results of one bot: games, sum of shares and sum of luck, by deal."""

    def __init__(self) -> None:
        self.sums: dict[int, list[float]] = {}

    def add(self, deal: int, share: float, lucky: float) -> None:
        sums = self.sums.setdefault(deal, [0.0, 0.0, 0.0])
        for place, value in enumerate((1.0, share, lucky)):
            sums[place] += value

    def raw(self) -> Estimate:
        games, shares, _ = self._columns()
        return of_sums(shares, games)

    def adjusted(self) -> Estimate:
        games, shares, luck = self._columns()
        return of_sums(shares - coefficients(games, shares, luck) * luck, games)

    def _columns(self) -> Sequence[Floats]:
        columns: Floats = np.array(list(self.sums.values())).T
        return list(columns)


def coefficients(games: Floats, shares: Floats, luck: Floats) -> Floats:
    """Return for every deal how much its luck counts, by all other deals.

    With few deals it is near 1, which is right when luck is measured well and opponents are equal.
    """
    mean = (shares.sum() - shares) / np.maximum(games.sum() - games, 1.0)  # of the other deals
    together = ((shares * luck).sum() - shares * luck) - mean * (
        (games * luck).sum() - games * luck
    )
    squares = (luck**2).sum() - luck**2
    others = len(games) - 1
    if others == 0:
        return np.ones(1)
    prior = PRIOR / others * squares
    result: Floats = np.where(
        squares > 0, (together + prior) / np.maximum(squares + prior, _TINY), 1
    )
    return result
