"""Luck-adjusted standings: results less the luck of the cards turned up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from patrizier.analysis.luck import luck_of_cards
from patrizier.arena.intervals import Clustered, Estimate
from patrizier.arena.match import MatchResult
from patrizier.arena.observers import Observer
from patrizier.game import Game


@dataclass(frozen=True)
class Adjusted:
    """How one bot did, without the luck of the cards."""

    name: str
    wins: Estimate  # share of victories per seat, with a symmetric interval
    deviation: float  # standard error, as a part of the one without adjustment

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"name": self.name, "wins": self.wins.to_json(), "deviation": self.deviation}


def luck_of(result: MatchResult) -> tuple[float, ...]:
    """Return what the cards turned up in a game gave every seat, by its record."""
    return tuple(map(float, luck_of_cards(Game.from_record(result.record))))


class LuckTally(Observer):
    """Adds up results and luck, game by game."""

    def __init__(self, names: Sequence[str]) -> None:
        self._raw = {name: Clustered() for name in names}
        self._adjusted = {name: Clustered() for name in names}

    def on_end(self, result: MatchResult) -> None:
        """Count a game, by its record."""
        for name, share, lucky in zip(result.names, result.shares, luck_of(result), strict=True):
            self._raw[name].add(result.deal, share)
            self._adjusted[name].add(result.deal, share - lucky)

    def standings(self) -> list[Adjusted]:
        """Return all bots that have played, best first."""
        found = []
        for name, adjusted in self._adjusted.items():
            if adjusted.count:
                wins, raw = adjusted.mean(), self._raw[name].mean()
                before = raw.high - raw.low
                ratio = (wins.high - wins.low) / before if before > 0 else 1.0
                found.append(Adjusted(name, wins, ratio))
        return sorted(found, key=lambda each: -each.wins.value)
