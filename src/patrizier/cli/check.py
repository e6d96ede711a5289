"""`patrizier check`: check a server's data, or a backup, for damage."""

from pathlib import Path
from typing import Annotated

import typer

from patrizier.cli.arguments.options import fail
from patrizier.cli.arguments.settings import Database, DataDir, read_settings
from patrizier.cli.backup import counted, tell_problems


def check(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A backup. [the database itself]")
    ] = None,
    database: Database = None,
    data_dir: DataDir = None,
) -> None:
    """Check for damage: read all stored data and replay all games by the rules.

    The server may be running. Exits with status 1 if anything is wrong.

    Example: `patrizier check`
    """
    settings = read_settings(database=database, data_dir=data_dir)
    import asyncio

    from patrizier.server.maintenance.backup import check_backup
    from patrizier.server.maintenance.damage import check_database
    from patrizier.server.store.faults import reason

    try:
        if file is None:
            found = asyncio.run(check_database(settings.database_url))
        else:
            found = check_backup(file)
    except Exception as error:
        fail(f"the check failed: {reason(error)}")
    tell_problems(found)
    typer.echo(f"No damage: {counted(found)}")
