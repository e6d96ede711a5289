"""`patrizier serve`: the game server."""

from typing import Annotated

import typer

from patrizier.cli.arguments.settings import Database, DataDir, read_settings


def serve(
    host: Annotated[
        str | None,
        typer.Option(help="Address to listen on; 0.0.0.0 for all. [127.0.0.1]"),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one. [8321]")
    ] = None,
    database: Database = None,
    data_dir: DataDir = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=BOT,…",
            help="Guest bots, offered beside the levels: a name for people, and a bot as the "
            "arena takes it.",
        ),
    ] = None,
) -> None:
    """Run the game server.

    Every setting is also an environment variable, PATRIZIER_HOST and so on: see docs/server.md.

    Example: `patrizier serve --host 0.0.0.0`
    """
    settings = read_settings(host=host, port=port, database=database, data_dir=data_dir, bots=bots)
    from patrizier.server.process import run

    raise typer.Exit(run(settings))
