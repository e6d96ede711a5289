"""Copies everything a server keeps into one file while it runs, and brings it back."""

from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, exists, insert, select

from patrizier.server.store.alone import alone_with
from patrizier.server.store.database import connect
from patrizier.server.store.migrate import NEWEST, migrate, start_anew, tables_in

from .archive import Archive, BadArchive, drafted, opened, write
from .damage import Findings, look_at
from .rows import DatabaseRows, read_all

_BATCH = 500  # rows written at once
_NOBODYS = ("pulse",)  # tables in which a server writes though nobody has ever come


class NotEmpty(Exception):
    """There is something in the database that a restore would lose."""


class TooNew(Exception):
    """The backup was made by a newer version of this program."""


async def back_up(url: str, file: Path, secret: str | None) -> Findings:
    """Write a backup of one moment, read it again, and return what is in it.

    Raises `NoDatabase`, `BadArchive` or OSError, and then there is no file.
    """
    with drafted(file) as draft:
        await read_all(url, lambda conn: write(DatabaseRows(conn), draft, secret))
        return check_backup(draft)


def check_backup(file: Path) -> Findings:
    """Read a whole backup and play its games; raises `BadArchive` if it is not whole."""
    with opened(file) as archive:
        return look_at(archive)


async def restore(url: str, file: Path) -> Findings:
    """Bring back a backup into an empty database, all of it or nothing; return what is in it.

    Raises `BadArchive`, `NotEmpty`, `TooNew`, `NotAlone` or whatever the database says.
    """
    with opened(file) as archive:
        found = look_at(archive)
        if archive.schema > NEWEST:
            raise TooNew(f"it was made by version {archive.manifest.version}, which is newer")
        with alone_with(url):
            database = connect(url)
            try:
                await database.write(lambda conn: _fill(conn, archive))
            except BaseException:
                await database.close()
                database.discard()
                raise
            await database.close()
    return found


def _fill(connection: Connection, archive: Archive) -> None:
    """Make the tables as they were when the backup was made, fill them, and bring them up."""
    for table in tables_in(connection):
        if table.name not in _NOBODYS and connection.scalar(select(exists(select(table)))):
            raise NotEmpty(f"there is something in {table.name} already")
    start_anew(connection, archive.schema)
    tables = {table.name: table for table in tables_in(connection)}
    if unknown := set(archive.names) - set(tables):
        raise BadArchive(f"nobody knows a table {min(unknown)}")
    for name in archive.names:
        rows = archive.rows(name)
        while batch := [dict(row) for row in islice(rows, _BATCH)]:
            connection.execute(insert(tables[name]), batch)
    migrate(connection)
