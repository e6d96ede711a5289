"""Databases for the tests: SQLite always, PostgreSQL where its binaries are found."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from patrizier.server.store.sql import SqlStore, open_store
from server.support.postgres import Postgres, find_binaries, running_postgres


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, required in CI."""
    binaries = find_binaries()
    if binaries is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs the binaries of PostgreSQL")
        pytest.skip("no binaries of PostgreSQL found")
    with running_postgres(binaries) as server:
        yield server


@pytest.fixture
async def postgres_url(postgres: Postgres) -> str:
    """An empty database of PostgreSQL."""
    return await postgres.clean_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def backend(request: pytest.FixtureRequest) -> str:
    """The name of the database system."""
    name: str = request.param
    return name


@pytest.fixture
async def database_url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, once of each kind."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path / 'patrizier.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return await server.clean_database()


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[SqlStore]:
    """A store in an empty database."""
    store = await open_store(database_url)
    yield store
    await store.close()
