"""`patrizier puzzles`: find puzzles in games, and write them to a file."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from itertools import count as natural
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from patrizier.cli.arguments.options import fail

if TYPE_CHECKING:
    from patrizier.puzzles.maker import Maker
    from patrizier.puzzles.puzzle import Puzzle

    _Place = tuple[str, Callable[[], list[Puzzle]]]  # a name, and how to search there

app = typer.Typer(
    name="puzzles",
    help="Find puzzles in games.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("make")
def make(
    context: typer.Context,
    journal: Annotated[
        str,
        typer.Argument(
            metavar="JOURNAL", help="Journal of the search; an existing one is resumed."
        ),
    ],
    records: Annotated[
        list[str] | None, typer.Argument(metavar="FILE...", help="Game records (.ptr) to search.")
    ] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Puzzles to find.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 0,
    last_round: Annotated[
        bool,
        typer.Option("--last-round", help="Look only at the last rounds of games of bots."),
    ] = False,
    out: Annotated[str, typer.Option(metavar="FILE", help="Write a file of puzzles.")] = "",
) -> None:
    """Find puzzles: positions with one best turn that is not obvious.

    Bots play games until there are enough, of two to five players, with and without messengers;
    records are searched first. The best turn is proven: solved where the ending allows it,
    elsewhere three standard errors ahead of all others in a deep search. It can be interrupted.

    Example: `patrizier puzzles make found.jsonl --count 20 --out mine.jsonl.gz`
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from patrizier.puzzles.collection import write
    from patrizier.puzzles.journal import Journal
    from patrizier.puzzles.maker import Maker

    try:
        found = Journal(Path(journal))
    except (OSError, ValueError, KeyError, TypeError) as error:
        fail(f"{journal}: not a journal of puzzles: {error}")
    maker = context.ensure_object(Maker)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Puzzles", total=count, completed=found.count)
        places = _last_rounds(maker, seed) if last_round else _games(maker, seed)
        for name, find in chain(_records(maker, records or [], seed), places):
            if found.count >= count:
                break
            if name not in found.searched:
                found.add(name, find())
                progress.update(task, completed=found.count)
    puzzles = list(found.puzzles())
    if out:
        try:
            Path(out).write_bytes(write(puzzles))
        except OSError as error:
            fail(f"{out}: {error.strerror}")
    typer.echo(f"{len(puzzles)} puzzles, {found.exact} of them solved exactly.")


def _records(maker: "Maker", files: list[str], seed: int) -> "Iterator[_Place]":
    from patrizier.analysis.analyser import record_hash
    from patrizier.cli.replay import load_or_fail

    for file in files:
        for record in load_or_fail(file):
            game = record.game()
            yield f"record {record_hash(game)}", partial(maker.puzzles_in, game, seed)


def _games(maker: "Maker", seed: int) -> "Iterator[_Place]":
    for number in natural():
        for even in (2 * number, 2 * number + 1):  # solved ones are found sooner
            yield f"endings {seed} {even}", partial(maker.endings_of_bots, even, seed)
        yield f"bots {seed} {number}", partial(maker.puzzles_of_bots, number, seed)


def _last_rounds(maker: "Maker", seed: int) -> "Iterator[_Place]":
    for number in natural():
        yield f"last-round {seed} {number}", partial(maker.last_rounds_of_bots, number, seed)
