"""The rows of a database or backup, consistent, table by table."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import quote

from sqlalchemy import Connection, create_engine, select, text
from sqlalchemy.engine import URL, make_url

from patrizier.server.store.migrate import tables_in

T = TypeVar("T")
Row = Mapping[Any, Any]  # by column

_BATCH = 1000  # rows per fetch


class Source(Protocol):
    """A source of rows, to copy or check."""

    @property
    def schema(self) -> str:
        """The migration of the tables."""

    @property
    def names(self) -> list[str]:
        """The tables, each after those it refers to."""

    def rows(self, name: str) -> Iterator[Row]:
        """Return the rows of a table in the order of its key."""


class NoDatabase(Exception):
    """There is no database."""


class DatabaseRows:
    """The rows of a database, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._tables = {table.name: table for table in tables_in(connection)}
        if not self._tables:
            raise NoDatabase("there are no tables of this game")
        versions = connection.scalars(text("SELECT version_num FROM alembic_version")).all()
        self.schema = str(versions[0]) if len(versions) == 1 else ""

    @property
    def names(self) -> list[str]:
        """The tables, each after those it refers to."""
        return list(self._tables)

    def rows(self, name: str) -> Iterator[Row]:
        """Return the rows of a table in the order of its key."""
        table = self._tables[name]
        query = select(table).order_by(*table.primary_key.columns)
        with closing(self._connection.execute(query).yield_per(_BATCH)) as found:
            yield from found.mappings()


async def read_all(url: str, work: Callable[[Connection], T]) -> T:
    """Run work that reads a consistent snapshot of a database.

    Nothing is created or changed, not even an empty file; raises `NoDatabase`.
    """
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        return _read_sqlite(address, work)
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(
        address.set(drivername="postgresql+asyncpg"),
        isolation_level="REPEATABLE READ",
        hide_parameters=True,
    )
    try:
        async with engine.connect() as connection:
            await connection.execution_options(postgresql_readonly=True)
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


def _read_sqlite(address: URL, work: Callable[[Connection], T]) -> T:
    file = Path(address.database or "")
    if not file.is_file():
        raise NoDatabase(f"there is no file {file}")
    # As a URI, with any characters in the name, and so that no file is created.
    name = f"file:{quote(str(file.absolute()))}?mode=rw&uri=true"
    engine = create_engine(f"sqlite:///{name}", hide_parameters=True)
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA query_only=ON")
            connection.exec_driver_sql("BEGIN")
            return work(connection)
    finally:
        engine.dispose()
