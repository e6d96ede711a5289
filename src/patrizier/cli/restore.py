"""`patrizier restore`: restore a backup."""

from pathlib import Path
from typing import Annotated

import typer

from patrizier.cli.arguments.options import fail
from patrizier.cli.arguments.settings import Database, DataDir, read_settings
from patrizier.cli.backup import counted, tell_problems


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of `patrizier backup`.")],
    database: Database = None,
    data_dir: DataDir = None,
) -> None:
    """Restore a backup into an empty database, SQLite or PostgreSQL.

    The server must not be running. A database that is not empty is left as it is: move it away
    first. Clocks do not count the time between the backup and the next start.

    Example: `patrizier restore patrizier-2031-05-01.zip`
    """
    settings = read_settings(database=database, data_dir=data_dir)
    import asyncio

    from patrizier.server.maintenance.archive import opened
    from patrizier.server.maintenance.backup import restore as bring_back
    from patrizier.server.settings import keep_secret
    from patrizier.server.store.faults import reason

    try:
        found = asyncio.run(bring_back(settings.database_url, file))
        with opened(file) as archive:
            secret = archive.secret
        if secret is not None and settings.secret_file is not None:
            keep_secret(settings.secret_file, secret)
    except Exception as error:
        fail(f"{file} is not restored: {reason(error)}")
    typer.echo(f"Restored: {counted(found)}")
    if secret is None and settings.secret_file is not None:
        typer.echo("It has no secret: without the old one, all guests and sessions are lost.")
    tell_problems(found)
