"""Checks a database: its file, and the consistency of its contents."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError

from patrizier.server.store.database import Database

from .histories import problems_in
from .rows import DatabaseRows, Source, read_all

MOST_TOLD = 50  # problems listed; more are only counted


@dataclass(slots=True)
class Findings:
    """The result of a check."""

    rows: dict[str, int] = field(default_factory=dict)  # by table
    problems: list[str] = field(default_factory=list)  # listed
    more: int = 0  # problems not listed

    def add(self, problems: Iterator[str]) -> None:
        """Add problems."""
        self.problems += islice(problems, MOST_TOLD - len(self.problems))
        self.more += sum(1 for _ in problems)


class Damaged(Exception):
    """The database file is damaged; the text says where."""


async def check_quickly(database: Database) -> None:
    """Raise `Damaged` if pages of a SQLite file are; PostgreSQL has its own checks."""
    await database.read(check_pages)


def check_pages(connection: Connection) -> None:
    """Raise `Damaged` if pages of a SQLite file are."""
    if connection.dialect.name == "sqlite":
        for found in _damage(connection, "quick_check(1)"):
            raise Damaged(found)


async def check_database(url: str) -> Findings:
    """Check all stored data; a server may be running."""

    def work(connection: Connection) -> Findings:
        found = Findings()
        if connection.dialect.name == "sqlite":
            found.add(_damaged_pages(connection))
            if not found.problems:  # else SQLite may miss rows, or give up
                found.add(_orphans(connection))
        if not found.problems:
            look_at(DatabaseRows(connection), found)
        return found

    return await read_all(url, work)


def look_at(source: Source, found: Findings | None = None) -> Findings:
    """Read all rows and replay all games; return the findings."""
    found = found or Findings()
    for name in source.names:
        found.rows[name] = sum(1 for _ in source.rows(name))
    found.add(problems_in(source))
    return found


def _damaged_pages(connection: Connection) -> Iterator[str]:
    try:
        yield from _damage(connection, f"integrity_check({MOST_TOLD})")
    except DatabaseError as error:  # too damaged for that: name one place, if possible
        yield str(error.orig)
        with suppress(DatabaseError):
            yield from _damage(connection, "quick_check(1)")


def _damage(connection: Connection, pragma: str) -> Iterator[str]:
    for (line,) in connection.exec_driver_sql(f"PRAGMA {pragma}"):
        if line != "ok":
            yield " ".join(line.split())


def _orphans(connection: Connection) -> Iterator[str]:
    for table, *_, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"a row of {table} refers to a missing row of {parent}"
