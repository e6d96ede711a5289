"""`patrizier backup`: a server's data in one file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from patrizier.cli.arguments.options import fail
from patrizier.cli.arguments.settings import Database, DataDir, read_settings

if TYPE_CHECKING:
    from patrizier.server.maintenance.damage import Findings


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file.")],
    database: Database = None,
    data_dir: DataDir = None,
) -> None:
    """Copy all data of a server into one file; the server may be running.

    The file contains a snapshot of the database, SQLite or PostgreSQL, and the secret of the data
    folder. It is verified by reading it back and replaying its games. Keep it as safe as the
    server: with the secret, anybody can be impersonated.

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
        fail(f"the backup failed: {reason(error)}")
    size = file.stat().st_size
    without = "" if kept else ", without a secret"
    typer.echo(f"{file} ({size / 1e6:.1f} MB): {counted(found)}{without}")
    tell_problems(found)


def counted(found: "Findings") -> str:
    """Return the numbers of rows, in words."""
    words = {"tables": "tables", "events": "events", "people": "people", "results": "results"}
    return ", ".join(f"{found.rows.get(name, 0)} {word}" for name, word in words.items())


def tell_problems(found: "Findings") -> None:
    """Print problems, and exit with status 1 if there are any."""
    for problem in found.problems:
        typer.echo(f"  {problem}", err=True)
    if found.more:
        typer.echo(f"  and {found.more} more", err=True)
    if found.problems:
        fail("the stored data is damaged")
