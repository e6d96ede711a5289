"""`patrizier simulate`: many games, random or between bots, and their statistics."""

import time
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from patrizier.arena.executors import Executor, ExecutorError
from patrizier.arena.record_file import record_file
from patrizier.arena.series import RANDOM, Chunk, Series
from patrizier.cli.arguments.executor import Jobs, On, read_executor, say_what_is_lost
from patrizier.cli.arguments.options import DeckFile, Json, Players, Rules, fail, read_options

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

_INTERRUPTED = 130  # conventional exit status after Ctrl-C


def simulate(
    context: typer.Context,
    players: Players = 4,
    bots: Annotated[
        str, typer.Option(help="One bot per seat, separated by commas, or one for all.")
    ] = RANDOM,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Number of games.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 0,
    rules: Rules = "",
    deck: DeckFile = "",
    jobs: Jobs = None,
    on: On = "here",
    out: Annotated[str, typer.Option(metavar="FILE", help="Write the game records.")] = "",
    json: Json = False,
) -> None:
    """Play many games and show mean points, shares of victories and speed.

    Seats are fixed; `patrizier arena` compares bots more fairly. The games depend only on the seed
    and the options, not on the number of processes, unless a bot has a time budget. Ctrl-C stops
    and shows the games played so far.

    Example: `patrizier simulate --players 3 --games 1000 --seed 7 --rules messengers --jobs 2`

    Example: `patrizier simulate --players 3 --bots greedy,ismcts:200,random --games 20`
    """
    if seed >= 2**64:
        fail("a seed is a whole number from 0 to 2**64 - 1")
    options = read_options(players, rules, deck)
    series = Series(options, _read_bots(bots, players), games, seed, recorded=bool(out))
    executor = read_executor(context, on, jobs)
    try:
        sums, seconds = _play(series, executor, out)
    except ExecutorError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{out}: {error.strerror}" if out else str(error))
    if sums:
        _show(series, sums, seconds, as_json=json)
    if sums and out:
        typer.echo(f"The records are in {out}.", err=json)
    say_what_is_lost(executor)
    played = sums.games if sums else 0
    if played < games:
        typer.echo(f"Stopped after {played:,} of {games:,} games.", err=True)
        raise typer.Exit(_INTERRUPTED)


def _read_bots(text: str, players: int) -> tuple[str, ...]:
    """Return the bots by seat."""
    names = [name.strip() for name in text.split(",")]
    if len(names) == 1:
        names *= players
    if len(names) != players:
        fail(f"{len(names)} bots for {players} players: name one for each seat, or one for all")
    if set(names) != {RANDOM}:
        from patrizier.bots.registry import make_bot

        try:
            for name in dict.fromkeys(names):
                make_bot(name)
        except ValueError as error:
            fail(str(error))
    return tuple(names)


def _play(series: Series, executor: "Executor", out: str) -> tuple[Chunk | None, float]:
    """Play until the end or until Ctrl-C; return the sums (if any) and the seconds."""
    from rich.console import Console

    console = Console(stderr=True)
    # Changed together, since Ctrl-C may come at any time: the sums, and where their records end.
    done: tuple[Chunk | None, int] = (None, 0)
    begin = time.perf_counter()
    with record_file(out) as file:
        try:
            with console.status("Compiling; the first run takes a little longer"):
                series.warm_up()
            begin = time.perf_counter()
            with _progress(console) as progress, closing(series.play(executor)) as chunks:
                bar = progress.add_task("playing", total=series.games)
                for chunk in chunks:
                    sums = done[0]
                    if file:
                        file.write(("\n" if sums else "") + "\n".join(chunk.records))
                    done = sums + chunk if sums else chunk, file.tell() if file else 0
                    progress.advance(bar, chunk.games)
        except KeyboardInterrupt:
            if file:
                file.truncate(done[1])
    return done[0], time.perf_counter() - begin


def _progress(console: "Console") -> "Progress":
    from rich.progress import Progress, TimeRemainingColumn

    columns = *Progress.get_default_columns()[:-1], TimeRemainingColumn()
    return Progress(*columns, console=console, transient=True)


def _show(series: Series, sums: Chunk, seconds: float, *, as_json: bool) -> None:
    from patrizier.cli.terminal.results.series_tables import all_tables, to_json

    if as_json:
        import json

        typer.echo(json.dumps(to_json(series, sums, seconds)))
        return
    from rich.console import Console

    console = Console(highlight=False)
    for table in all_tables(series, sums, seconds):
        console.print(table)
        console.print()
