"""Runs SQL: SQLite in threads, PostgreSQL over asyncpg.

All queries are plain functions of a SQLAlchemy `Connection`, the same for both. SQLite has one
writer thread, so a whole transaction costs the event loop a single switch.
"""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

T = TypeVar("T")

_READERS = 2  # threads that read SQLite
_CONNECTIONS = 8  # of one process to PostgreSQL
_CONNECT_WITHIN = 10.0  # seconds
_ANSWER_WITHIN = 60.0  # seconds, for one statement

_PRAGMAS = (
    "busy_timeout=10000",
    "journal_mode=WAL",
    "synchronous=FULL",  # commits survive a power failure
    "foreign_keys=ON",
    "cache_size=-16384",
)


class Database(Protocol):
    """Runs functions that execute SQL."""

    is_postgres: bool

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run queries, each for itself."""

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run statements in one transaction; it is on disk when this returns."""

    async def close(self) -> None:
        """Close all connections."""

    def discard(self) -> None:
        """Remove the files that opening this database has created."""


def connect(url: str | URL) -> Database:
    """Return the database behind a URL of SQLite or PostgreSQL."""
    address = make_url(url)
    match address.get_backend_name():
        case "sqlite":
            return SqliteDatabase(address.set(drivername="sqlite+pysqlite"))
        case "postgresql":
            return PostgresDatabase(address.set(drivername="postgresql+asyncpg"))
    raise ValueError(f"{address.drivername} is not supported: use sqlite or postgresql")


class SqliteDatabase:
    """A file: one writer thread, some readers."""

    is_postgres = False

    def __init__(self, url: URL) -> None:
        if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
            raise ValueError("SQLite needs a file name")
        self._file = Path(url.database)
        self._found = {file for file in (self._file, *_companions(self._file)) if file.exists()}
        _make_private(self._file)
        self._writer = _sqlite_engine(url, 1)
        self._readers = _sqlite_engine(url, _READERS)
        event.listen(self._writer, "begin", _begin_immediate)
        self._write_thread = ThreadPoolExecutor(1, "patrizier-write")
        self._read_threads = ThreadPoolExecutor(_READERS, "patrizier-read")

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run queries, each for itself."""

        def job() -> T:
            with self._readers.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._read_threads, job)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run statements in one transaction; it is on disk when this returns."""

        def job() -> T:
            with self._writer.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._write_thread, job)

    async def close(self) -> None:
        """Close all connections."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        for threads in (self._write_thread, self._read_threads):
            threads.shutdown(wait=True)
        for engine in (self._readers, self._writer):
            engine.dispose()

    def discard(self) -> None:
        """Remove the files that opening this database has created."""
        if self._file not in self._found:
            self._file.unlink(missing_ok=True)
        log, *others = _companions(self._file)
        if log in self._found or (self._file.exists() and log.exists() and log.stat().st_size):
            return  # the log holds data that is not in the file yet
        for file in {log, *others} - self._found:
            file.unlink(missing_ok=True)


class PostgresDatabase:
    """A server that several processes share."""

    is_postgres = True

    def __init__(self, url: URL) -> None:
        self.url = url
        self._engine = create_async_engine(
            url,
            pool_size=_CONNECTIONS,
            max_overflow=0,
            hide_parameters=True,
            connect_args={
                "timeout": _CONNECT_WITHIN,
                "command_timeout": _ANSWER_WITHIN,
                # JIT costs more than it gains for small queries.
                "server_settings": {"jit": "off", "application_name": "patrizier"},
            },
        )
        self._reader = self._engine.execution_options(isolation_level="AUTOCOMMIT")

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run queries, each for itself; retry once on a dead connection."""
        try:
            async with self._reader.connect() as connection:
                return await connection.run_sync(work)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        async with self._reader.connect() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run statements in one transaction; it is on disk when this returns."""
        for is_last in (False, True):
            async with self._engine.connect() as connection:
                try:
                    result = await connection.run_sync(work)
                except DBAPIError as error:
                    # Before the commit a retry is safe; after it the outcome is unknown.
                    if is_last or not error.connection_invalidated:
                        raise
                else:
                    await connection.commit()
                    return result
        raise AssertionError("unreachable")

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()

    def discard(self) -> None:
        """Nothing to do: migrations are transactional."""


def _sqlite_engine(url: URL, size: int) -> Engine:
    # Connections are in autocommit mode, so there is nothing to reset.
    engine = create_engine(
        url,
        pool_size=size,
        max_overflow=0,
        pool_reset_on_return=None,
        hide_parameters=True,  # errors would contain secrets, hands, chat
    )
    event.listen(engine, "connect", _set_up)
    return engine


def _set_up(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # autocommit
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        _insist(cursor, f"PRAGMA {pragma}")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")  # upgrading a read transaction could fail midway


def _make_private(file: Path) -> None:
    """Create the file readable by its owner only; SQLite's other files inherit that."""
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


def _companions(file: Path) -> list[Path]:
    """Return the files SQLite keeps beside a database, the log first."""
    return [file.with_name(file.name + end) for end in ("-wal", "-shm", "-journal")]


def _insist(cursor: sqlite3.Cursor, statement: str) -> None:
    """Execute a statement, with retries: SQLite does not wait for locks here."""
    for _ in range(100):
        try:
            cursor.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(0.05)
    cursor.execute(statement)
