"""Database faults are recognised, by errors that really occur."""

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from patrizier.server.store.faults import DatabaseFault, fault_of
from patrizier.server.store.sql import open_store
from server.support.postgres import Postgres


def error_of(work: Callable[[], object]) -> Exception:
    try:
        work()
    except Exception as error:
        return error
    pytest.fail("nothing went wrong")


def run(file: Path, *statements: str, read_only: bool = False) -> None:
    """Run statements on a SQLite file as the server does."""
    mode = "?mode=ro&uri=true" if read_only else "?uri=true"
    engine = create_engine(f"sqlite:///file:{file}{mode}")
    try:
        with engine.begin() as connection:
            for statement in statements:
                connection.execute(text(statement))
    finally:
        engine.dispose()


def test_a_full_disk(tmp_path: Path) -> None:
    fill = (
        "PRAGMA max_page_count=3",
        "CREATE TABLE t (x)",
        "INSERT INTO t VALUES (randomblob(100000))",
    )
    error = error_of(lambda: run(tmp_path / "full.db", *fill))
    assert isinstance(error, DBAPIError)
    assert fault_of(error) is DatabaseFault.FULL
    assert fault_of(OSError(errno.ENOSPC, "no space")) is DatabaseFault.FULL


def test_a_read_only_file(tmp_path: Path) -> None:
    run(tmp_path / "kept.db", "CREATE TABLE t (x)")
    error = error_of(lambda: run(tmp_path / "kept.db", "INSERT INTO t VALUES (1)", read_only=True))
    assert fault_of(error) is DatabaseFault.READ_ONLY


def test_a_damaged_file(tmp_path: Path) -> None:
    (tmp_path / "torn.db").write_bytes(os.urandom(8192))
    error = error_of(lambda: run(tmp_path / "torn.db", "SELECT * FROM t"))
    assert fault_of(error) is DatabaseFault.DAMAGED


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    error = error_of(lambda: run(tmp_path / "no" / "such.db", "SELECT 1"))
    assert fault_of(error) is DatabaseFault.FAILING


def test_mistakes_of_ours_are_not_database_faults() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        error = error_of(lambda: connection.execute("SELECT * FROM nothing"))
    assert fault_of(error) is None
    assert fault_of(KeyError("x")) is None


@pytest.mark.anyio
async def test_postgresql_says_it_with_codes(postgres_url: str, postgres: Postgres) -> None:
    store = await open_store(postgres_url)
    try:
        await postgres.execute("ALTER DATABASE tests SET default_transaction_read_only = on")
        await store.close()
        store = await open_store(postgres_url)  # reading needs no more
        with pytest.raises(DBAPIError) as caught:
            await store.ready()
        assert fault_of(caught.value) is DatabaseFault.READ_ONLY
    finally:
        await store.close()
        await postgres.execute("ALTER DATABASE tests RESET default_transaction_read_only")
    with pytest.raises(OSError, match=r"refused|Connect") as silent:
        await open_store("postgresql://nobody@127.0.0.1:1/none")
    assert fault_of(silent.value) is DatabaseFault.SILENT
