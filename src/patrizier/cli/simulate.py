"""`patrizier simulate`: many random games, and what came of them."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from .choices import DeckFile, Json, Players, Rules, fail, read_options

if TYPE_CHECKING:
    from rich.table import Table

    from patrizier.options import Options

_CHUNK = 20_000  # games a process plays at a time
_CHUNK_RECORDED = 100  # writing a record takes a thousand times longer than playing
_MOST_DECISIONS = 300  # in one game


def simulate(
    players: Players = 4,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 0,
    rules: Rules = "",
    deck: DeckFile = "",
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes side by side.")] = 1,
    out: Annotated[str, typer.Option(metavar="FILE", help="Write every game's record.")] = "",
    json: Json = False,
) -> None:
    """Play random games and show mean points, shares of victories and the time it took.

    The games depend only on the seed and the options, not on the number of processes.

    Example: `patrizier simulate --players 3 --games 1000 --seed 7 --rules messengers --jobs 2`
    """
    if seed >= 2**64:
        fail("a seed is a whole number from 0 to 2**64 - 1")
    options = read_options(players, rules, deck)
    _warm_up(options, recorded=bool(out))
    begin = time.perf_counter()
    try:
        with _record_file(out) as file:
            summary = _run(options, games, seed, jobs, file)
    except OSError as error:
        fail(f"{out}: {error.strerror}")
    seconds = time.perf_counter() - begin
    if json:
        import json as json_module

        typer.echo(json_module.dumps(summary.to_json(options, games, seed, seconds)))
    else:
        from rich.console import Console

        console = Console()
        console.print(summary.table(options, games, seconds))
        if out:
            console.print(f"\nThe records are in {out}.", highlight=False)


def _warm_up(options: "Options", *, recorded: bool) -> None:
    """Compile once, before the clock runs and before all processes would do it."""
    from rich.console import Console

    with Console(stderr=True).status("Getting ready; the very first time takes a little longer"):
        play_chunk(options, 0, 0, 1, recorded)


@contextmanager
def _record_file(out: str) -> Iterator[TextIO | None]:
    """Write beside the file and rename it in the end, so that nothing half-written replaces it."""
    if not out:
        yield None
        return
    part = Path(f"{out}.part")
    with part.open("w", encoding="utf-8", newline="\n") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    part.replace(out)


@dataclass
class Chunk:
    """What a process brings back: sums over its games."""

    points: Any  # [seat, part of the score]
    squares: Any  # [seat]: sum of squared totals
    wins: Any  # [seat]
    wins_by_place: Any  # [place in turn order]
    points_by_place: Any
    decisions: int
    records: list[str]


@dataclass
class Summary:
    """Sums over all games."""

    chunks: list[Chunk]

    def sums(self, name: str) -> Any:
        """Return one of the sums over all chunks."""
        return sum(getattr(chunk, name) for chunk in self.chunks)

    def to_json(self, options: "Options", games: int, seed: int, seconds: float) -> dict[str, Any]:
        """Return the figures for programs."""
        parts = ("tokens", "sets", "chips", "minus", "total", "floors")
        points, decisions = self.sums("points") / games, self.sums("decisions")
        return {
            "players": options.players,
            "rules": sorted(options.rules),
            "deck": options.deck.name,
            "games": games,
            "seed": seed,
            "seconds": seconds,
            "games_per_second": games / seconds,
            "decisions_per_game": decisions / games,
            "seats": [
                dict(zip(parts, points[seat].tolist(), strict=True))
                | {"win_share": self.sums("wins")[seat] / games}
                for seat in range(options.players)
            ],
            "places": [
                {
                    "total": self.sums("points_by_place")[place] / games,
                    "win_share": self.sums("wins_by_place")[place] / games,
                }
                for place in range(options.players)
            ],
        }

    def table(self, options: "Options", games: int, seconds: float) -> "Table":
        """Return the figures for people."""
        from rich.table import Table

        rules = options.rules_text or "base game"
        table = Table(
            title=f"{games:,} random games of {options.players} ({rules})",
            caption=f"{seconds:.2f} s, {games / seconds:,.0f} games a second",
            title_justify="left",
            caption_justify="left",
            box=None,
        )
        for name in ("seat", "colour", "tokens", "sets", "chips", "−3", "points", "±", "wins"):
            table.add_column(name, justify="left" if name in ("seat", "colour") else "right")
        points = self.sums("points") / games
        spread = (self.sums("squares") / games - points[:, 4] ** 2) ** 0.5
        wins = self.sums("wins") / games
        for seat, colour in enumerate(options.colours):
            row = points[seat]
            table.add_row(
                str(seat + 1),
                colour,
                *(f"{row[part]:.2f}" for part in range(4)),
                f"{row[4]:.2f}",
                f"{spread[seat]:.1f}",
                f"{wins[seat]:.1%}",
            )
        table.add_section()
        by_place = self.sums("points_by_place") / games
        for place, share in enumerate(self.sums("wins_by_place") / games):
            name = ("plays first", "second", "third", "fourth", "fifth")[place]
            table.add_row("", name, "", "", "", "", f"{by_place[place]:.2f}", "", f"{share:.1%}")
        return table


def _run(options: "Options", games: int, seed: int, jobs: int, file: TextIO | None) -> Summary:
    from rich.console import Console
    from rich.progress import Progress, TimeRemainingColumn

    size = _CHUNK_RECORDED if file else _CHUNK
    size = max(1, min(size, -(-games // jobs)))
    tasks = [(first, min(size, games - first)) for first in range(0, games, size)]
    chunks: list[Chunk] = []
    with Progress(
        *Progress.get_default_columns()[:-1],
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as progress:
        bar = progress.add_task("playing", total=games)
        for chunk, count in _chunks(options, tasks, seed, jobs, recorded=file is not None):
            if file:
                separator = "\n" if chunks else ""
                file.write(separator + "\n".join(chunk.records))
                chunk.records = []
            chunks.append(chunk)
            progress.advance(bar, count)
    return Summary(chunks)


def _chunks(
    options: "Options", tasks: list[tuple[int, int]], seed: int, jobs: int, *, recorded: bool
) -> Iterator[tuple[Chunk, int]]:
    """Play the tasks, in order, in one process or several."""
    if jobs == 1 or len(tasks) == 1:
        for first, count in tasks:
            yield play_chunk(options, seed, first, count, recorded), count
        return
    import multiprocessing
    from concurrent.futures import Future, ProcessPoolExecutor

    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=spawn) as pool:
        waiting: list[tuple[Future[Chunk], int]] = []
        upcoming = iter(tasks)
        for first, count in upcoming:
            waiting.append((pool.submit(play_chunk, options, seed, first, count, recorded), count))
            if len(waiting) > 2 * jobs:
                future, done = waiting.pop(0)
                yield future.result(), done
        for future, done in waiting:
            yield future.result(), done


def play_chunk(options: "Options", seed: int, first: int, count: int, recorded: bool) -> Chunk:
    """Play some games of the series, in this process."""
    import numpy as np

    from patrizier.rules.playout import play_games
    from patrizier.rules.scratch import new_desk

    players = options.players
    tables = np.zeros((count, 5, 6), np.int64)
    shares = np.zeros((count, 5))
    starts = np.zeros(count, np.int64)
    decisions = play_games(
        options.blank_cells(), new_desk(), np.uint64(seed), first, tables, shares, starts
    )
    place = (np.arange(players) + starts[:, None]) % players  # seat at each place in turn order
    totals = tables[:, :players, 4]
    return Chunk(
        points=tables[:, :players].sum(axis=0),
        squares=(totals**2).sum(axis=0),
        wins=shares[:, :players].sum(axis=0),
        wins_by_place=np.take_along_axis(shares, place, axis=1).sum(axis=0),
        points_by_place=np.take_along_axis(totals, place, axis=1).sum(axis=0),
        decisions=decisions,
        records=[_record(options, seed, game) for game in range(first, first + count)]
        if recorded
        else [],
    )


def _record(options: "Options", seed: int, number: int) -> str:
    """Return the record of one game of the series."""
    import numpy as np

    from patrizier.deal import Deal
    from patrizier.game import Game
    from patrizier.rules.playout import play_game
    from patrizier.rules.scratch import new_desk

    cells, desk = options.blank_cells(), new_desk()
    codes = np.empty(_MOST_DECISIONS, np.int64)
    count = play_game(cells, desk, np.uint64(seed), number, codes)
    start = int(cells["start"][0])
    game = Game(options, deal=Deal.from_desk(desk, options.players, start))
    for code in codes[:count].tolist():
        game.decide(code)
    return str(game.record(["random"] * options.players, Seed=f"{seed} {number}"))
