"""`patrizier backup`: everything a server keeps, in one file, while it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from patrizier.cli.options import fail
from patrizier.cli.settings import Database, DataDir, read_settings

if TYPE_CHECKING:
    from patrizier.server.maintenance.damage import Findings


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to put it: a new file.")],
    database: Database = None,
    data_dir: DataDir = None,
) -> None:
    """Copy everything a server keeps into a file, while it runs or not.

    The file holds the database of one moment, from SQLite or PostgreSQL, and the secret of the
    data folder. It is read again and its games are replayed before it counts. Keep it as safe as
    the server: whoever has it can be anybody.

    Example: `patrizier backup patrizier-2031-05-01.zip`
    """
    settings = read_settings(database=database, data_dir=data_dir)
    import asyncio

    from patrizier.server.maintenance.backup import back_up
    from patrizier.server.store.faults import reason

    secret = settings.secret_file
    try:
        kept = secret.read_text("ascii") if secret is not None and secret.is_file() else None
        found = asyncio.run(back_up(settings.database_url, file, kept))
    except Exception as error:
        fail(f"there is no backup: {reason(error)}")
    size = file.stat().st_size
    without = "" if kept else ", without a secret"
    typer.echo(f"{file} ({size / 1e6:.1f} MB): {counted(found)}{without}")
    tell_problems(found)


def counted(found: "Findings") -> str:
    """Return how much was found, in words."""
    words = {"tables": "tables", "events": "events", "people": "people", "results": "results"}
    return ", ".join(f"{found.rows.get(name, 0)} {word}" for name, word in words.items())


def tell_problems(found: "Findings") -> None:
    """Say what is wrong, and end with status 1 if anything is."""
    for problem in found.problems:
        typer.echo(f"  {problem}", err=True)
    if found.more:
        typer.echo(f"  and {found.more} more", err=True)
    if found.problems:
        fail("what is stored is not sound")
