"""`patrizier restore`: bring back a backup."""

from pathlib import Path
from typing import Annotated

import typer

from patrizier.cli.backup import counted, tell_problems
from patrizier.cli.options import fail
from patrizier.cli.settings import Database, DataDir, read_settings


def restore(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What `patrizier backup` has written.")
    ],
    database: Database = None,
    data_dir: DataDir = None,
) -> None:
    """Bring back a backup into an empty database, of SQLite or PostgreSQL.

    The server must not run. A database that holds anything is left as it is: move it away first.
    Clocks stand still for the time between the backup and the next start.

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
        typer.echo("There is no secret in it: without the old one all guests become strangers.")
    tell_problems(found)
