"""Plays a series of games on an executor; random games run entirely in compiled code."""

from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from patrizier.arena.executors import Executor, InProcess, Job, Worker

if TYPE_CHECKING:
    from patrizier.options import Options

RANDOM = "random"

_CHUNK = 20_000  # games per task of a worker
_CHUNK_RECORDED = 100  # fewer: writing a record takes a thousand times longer
_MOST_DECISIONS = 300  # in one game


@dataclass(frozen=True)
class Series:
    """Games to be played. Results depend on nothing else."""

    options: "Options"
    bots: tuple[str, ...]  # by seat, as on the command line
    games: int
    seed: int
    recorded: bool = False

    @property
    def is_random(self) -> bool:
        """Whether all bots are random: such games run in the kernels, without bots."""
        return set(self.bots) == {RANDOM}

    def warm_up(self) -> None:
        """Compile once, before timing starts and before the workers would all do it."""
        if self.is_random:
            play_chunk(self.options, 0, 0, 1, self.recorded)
        else:
            from patrizier.arena.bot_series import warm_up

            warm_up(self)

    def play(self, executor: Executor | None = None) -> "Generator[Chunk, None, None]":
        """Play the games; yield the results in order."""
        executor = executor or InProcess()
        if self.is_random:
            return _random_chunks(self, executor)
        from patrizier.arena.bot_series import bot_chunks

        return bot_chunks(self, executor)


@dataclass(frozen=True)
class Chunk:
    """Sums over some games of a series, with their records if wanted."""

    games: int
    points: Any  # [seat, part of the score]
    squares: Any  # [seat]: sum of squared totals
    wins: Any  # [seat]
    wins_by_place: Any  # [place in turn order]
    points_by_place: Any
    decisions: int = 0  # of random games only
    incidents: Counter[tuple[int, str]] = field(default_factory=Counter)  # by seat and kind
    records: list[str] = field(default_factory=list)

    def __add__(self, other: "Chunk") -> "Chunk":
        """Return the sums of both, without records."""
        return Chunk(
            self.games + other.games,
            self.points + other.points,
            self.squares + other.squares,
            self.wins + other.wins,
            self.wins_by_place + other.wins_by_place,
            self.points_by_place + other.points_by_place,
            self.decisions + other.decisions,
            self.incidents + other.incidents,
        )

    @classmethod
    def of(cls, tables: Any, shares: Any, starts: Any, **more: Any) -> "Chunk":
        """Sum up games: points [game, seat, part], shares of victory [game, seat], first seats."""
        import numpy as np

        games, players = shares.shape
        place = (np.arange(players) + starts[:, None]) % players  # seat at each place in turn order
        totals = tables[:, :, 4]
        return cls(
            games=games,
            points=tables.sum(axis=0),
            squares=(totals**2).sum(axis=0),
            wins=shares.sum(axis=0),
            wins_by_place=np.take_along_axis(shares, place, axis=1).sum(axis=0),
            points_by_place=np.take_along_axis(totals, place, axis=1).sum(axis=0),
            **more,
        )


@dataclass(frozen=True)
class RandomJob(Job[range, Chunk]):
    """Plays random games in the kernels. A unit is the numbers of some games."""

    options: "Options"
    seed: int
    recorded: bool

    def prepare(self, worker: Worker) -> None:
        """Compile the kernels."""
        play_chunk(self.options, self.seed, 0, 1, self.recorded)

    def run(self, unit: range, worker: Worker) -> Iterator[Chunk]:
        """Play some games."""
        yield play_chunk(self.options, self.seed, unit.start, len(unit), self.recorded)


def _random_chunks(series: Series, executor: Executor) -> Generator[Chunk, None, None]:
    size = _CHUNK_RECORDED if series.recorded else _CHUNK
    units = (
        range(first, min(first + size, series.games)) for first in range(0, series.games, size)
    )
    job = RandomJob(series.options, series.seed, series.recorded)
    with closing(executor.run(job, units)) as parts:
        for _, chunks in parts:
            yield from chunks


def play_chunk(options: "Options", seed: int, first: int, count: int, recorded: bool) -> Chunk:
    """Play a range of random games of a series, in this process."""
    import numpy as np

    from patrizier.rules.playout import play_games
    from patrizier.rules.scratch import new_scratch

    players = options.players
    tables = np.zeros((count, 5, 6), np.int64)
    shares = np.zeros((count, 5))
    starts = np.zeros(count, np.int64)
    decisions = play_games(
        options.blank_cells(), new_scratch(), np.uint64(seed), first, tables, shares, starts
    )
    numbers = range(first, first + count) if recorded else ()
    return Chunk.of(
        tables[:, :players],
        shares[:, :players],
        starts,
        decisions=decisions,
        records=[_record(options, seed, number) for number in numbers],
    )


def _record(options: "Options", seed: int, number: int) -> str:
    """Return the record of one random game of a series."""
    import numpy as np

    from patrizier.deal import Deal
    from patrizier.game import Game
    from patrizier.rules.playout import play_game
    from patrizier.rules.scratch import new_scratch

    cells, buffer = options.blank_cells(), new_scratch()
    codes = np.empty(_MOST_DECISIONS, np.int64)
    count = play_game(cells, buffer, np.uint64(seed), number, codes)
    start = int(cells["start"][0])
    game = Game(options, deal=Deal.from_buffer(buffer, options.players, start))
    for code in codes[:count].tolist():
        game.decide(code)
    return str(game.record([RANDOM] * options.players, Seed=f"{seed} {number}"))
