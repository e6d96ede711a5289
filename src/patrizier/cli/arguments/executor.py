"""Where a long run is computed: on this machine or on a Ray cluster."""

from typing import TYPE_CHECKING, Annotated

import typer

from patrizier.cli.arguments.options import fail

if TYPE_CHECKING:
    from patrizier.arena.executors import Executor

On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="PLACE",
        help="Where to compute: here, or ray (a running Ray cluster, or one started here).",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        show_default=False,
        help="Number of processes. [here: 1, on a cluster: one per core]",
    ),
]
ScaleTime = Annotated[
    bool,
    typer.Option("--scale-time", help="Give bots on slower machines of a cluster more time."),
]


def read_executor(context: typer.Context, on: str, jobs: int | None) -> "Executor":
    """Return the executor given on the command line; the context's executor takes precedence."""
    from patrizier.arena.executors import Executor, choose_executor
    from patrizier.arena.extras import MissingExtra

    given = context.find_object(Executor)  # type: ignore[type-abstract]
    if given is not None:
        return given
    try:
        return choose_executor(on, jobs)
    except (ValueError, MissingExtra) as error:
        fail(str(error))


def say_what_is_lost(executor: "Executor") -> None:
    """Name the units that were left out, on stderr."""
    for each in executor.lost:
        games = f"games {each.unit.start + 1} to {each.unit.stop}"
        typer.echo(f"Left out after {each.attempts} attempts: {games}. {each.reason}", err=True)
