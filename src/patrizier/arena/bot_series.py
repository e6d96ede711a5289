"""A series of games between bots that keep their seats: a tournament without rotations."""

from collections import Counter
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from patrizier.arena import tournament
from patrizier.arena.executors import Executor
from patrizier.arena.match import MatchResult
from patrizier.arena.schedule import Plan, Slot
from patrizier.arena.series import Chunk, Series


@dataclass(frozen=True)
class SeatedPlan(Plan):
    """Fixed seats, and a new deal for every game."""

    seats: tuple[str, ...] = ()

    @classmethod
    def of_series(cls, series: Series) -> "SeatedPlan":
        """Return the plan that plays a series."""
        entrants = tuple(dict.fromkeys(series.bots))
        return cls(entrants, series.options, series.games, series.seed, seats=series.bots)

    @property
    def games_per_deal(self) -> int:
        """How many games are played on the same deal."""
        return 1

    def slot(self, number: int) -> Slot:
        """Return one game."""
        return Slot(number, deal=number, lineup=0, names=self.seats)


def warm_up(series: Series) -> None:
    """Compile what the bots need before the games start."""
    tournament.warm_up(SeatedPlan.of_series(series))


def bot_chunks(series: Series, executor: Executor) -> Generator[Chunk, None, None]:
    """Play the games of a series; yield them one by one, in order."""
    plan = SeatedPlan.of_series(series)
    with closing(tournament.all_games(plan, executor=executor)) as results:
        for result in results:
            yield _chunk(result, recorded=series.recorded)


def _chunk(result: MatchResult, *, recorded: bool) -> Chunk:
    points = [  # in the order of the kernels' table
        (s.tokens, s.sets, s.chips, s.minus, s.total, s.floors) for s in result.scores
    ]
    return Chunk.of(
        np.array([points]),
        np.array([result.shares]),
        np.array([result.start]),
        incidents=Counter((incident.seat, incident.kind) for incident in result.incidents),
        records=[result.record] if recorded else [],
    )
