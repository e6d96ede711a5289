"""Backs up a running server's data to one file, and restores it."""

from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, exists, insert, select

from patrizier.server.store.database import connect
from patrizier.server.store.exclusive import exclusive_use
from patrizier.server.store.migrate import NEWEST, migrate, start_anew, tables_in

from .archive import Archive, BadArchive, drafted, opened, write
from .damage import Findings, check_pages, look_at
from .rows import DatabaseRows, read_all

_BATCH = 500  # rows per insert
_NOBODYS = ("pulse",)  # tables that even an unused server writes to


class NotEmpty(Exception):
    """The database is not empty."""


class TooNew(Exception):
    """The backup was made by a newer version of this program."""


async def back_up(url: str, file: Path, secret: str | None) -> Findings:
    """Write a consistent backup, read it back, and return the findings.

    Raises `NoDatabase`, `Damaged`, `BadArchive` or OSError, and then leaves no file.
    """

    def work(connection: Connection) -> None:
        check_pages(connection)  # with a damaged index, rows may be missed
        write(DatabaseRows(connection), draft, secret)

    with drafted(file) as draft:
        await read_all(url, work)
        return check_backup(draft)


def check_backup(file: Path) -> Findings:
    """Read a whole backup and replay its games; raises `BadArchive` if it is damaged."""
    with opened(file) as archive:
        return look_at(archive)


async def restore(url: str, file: Path) -> Findings:
    """Restore a backup into an empty database, all or nothing; return the findings.

    Raises `BadArchive`, `NotEmpty`, `TooNew`, `AlreadyInUse` or an error of the database.
    """
    with opened(file) as archive:
        found = look_at(archive)
        if archive.schema > NEWEST:
            raise TooNew(f"it was made by version {archive.manifest.version}, which is newer")
        with exclusive_use(url):
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
    """Create the tables of the backup's version, fill them, and migrate."""
    for table in tables_in(connection):
        if table.name not in _NOBODYS and connection.scalar(select(exists(select(table)))):
            raise NotEmpty(f"the table {table.name} is not empty")
    start_anew(connection, archive.schema)
    tables = {table.name: table for table in tables_in(connection)}
    if unknown := set(archive.names) - set(tables):
        raise BadArchive(f"unknown table {min(unknown)}")
    for name in archive.names:
        rows = archive.rows(name)
        while batch := [dict(row) for row in islice(rows, _BATCH)]:
            connection.execute(insert(tables[name]), batch)
    migrate(connection)
