"""Backups are consistent and complete, and can be restored; SQLite and PostgreSQL."""

import asyncio
import sqlite3
import threading
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from patrizier.server.jobs.settlement import settle_all
from patrizier.server.loadtest.client import Guest, new_id
from patrizier.server.loadtest.process import ServerProcess
from patrizier.server.maintenance.archive import BadArchive, opened
from patrizier.server.maintenance.backup import NotEmpty, TooNew, back_up, check_backup, restore
from patrizier.server.maintenance.rows import DatabaseRows, NoDatabase, read_all
from patrizier.server.store.database import connect
from patrizier.server.store.exclusive import AlreadyInUse, exclusive_use
from patrizier.server.store.migrate import NEWEST, start_anew, tables_in
from patrizier.server.store.rows import Person
from patrizier.server.store.sql import SqlStore, open_store
from server.support.fuzz_clients import play_on, started_table
from server.support.players import ANNA, BEN, CLEO, a_service, play_turn, sit_down
from server.support.postgres import Postgres

pytestmark = pytest.mark.anyio

Rows = dict[str, list[dict[str, object]]]


async def rows_in(url: str) -> Rows:
    """Return all rows of a database."""

    def work(connection: Connection) -> Rows:
        source = DatabaseRows(connection)
        return {name: [dict(row) for row in source.rows(name)] for name in source.names}

    return await read_all(url, work)


async def some_games(store: SqlStore) -> None:
    """Store a finished game, a running one, and people."""
    service = a_service(store)
    for person in (ANNA, BEN, CLEO):
        await store.people.add(Person(person, f"{person} ü “x”\n", 0.0, 1.5))
    done = await sit_down(service, ANNA, BEN, rated=True)
    while (await service.message(done, ANNA)).phase == "playing":
        await play_turn(service, done, ANNA, BEN)
    assert await settle_all(store) == 1
    going_on = await sit_down(service, BEN, CLEO, rules=("messengers",))
    for _ in range(5):
        await play_turn(service, going_on, BEN, CLEO)
    await store.beat(1000.25)


async def test_everything_comes_back(store: SqlStore, database_url: str, tmp_path: Path) -> None:
    await some_games(store)
    before = await rows_in(database_url)
    found = await back_up(database_url, tmp_path / "backup.zip", "a secret")
    assert found.problems == []
    assert found.rows == {name: len(rows) for name, rows in before.items()}
    assert found.rows["events"] > 50
    assert (tmp_path / "backup.zip").stat().st_mode & 0o777 == 0o600
    with opened(tmp_path / "backup.zip") as archive:
        assert archive.secret == "a secret"
    other = f"sqlite:///{tmp_path / 'new' / 'restored.db'}"
    await restore(other, tmp_path / "backup.zip")
    assert await rows_in(other) == before
    again = await open_store(other)
    assert await again.results.unsettled() == []
    await again.close()


def change_elsewhere(url: str, statement: str) -> None:
    """Let another program change the database, and wait until it has."""

    async def change() -> None:
        database = connect(url)
        await database.write(lambda connection: connection.execute(text(statement)))
        await database.close()

    other = threading.Thread(target=lambda: asyncio.run(change()))
    other.start()
    other.join()


async def test_a_backup_is_of_one_moment(store: SqlStore, database_url: str) -> None:
    await some_games(store)

    def work(connection: Connection) -> list[int]:
        source = DatabaseRows(connection)
        before = len(list(source.rows("events")))
        change_elsewhere(database_url, "DELETE FROM events")
        return [before, len(list(source.rows("events")))]

    before, after = await read_all(database_url, work)
    assert before == after > 50
    assert (await rows_in(database_url))["events"] == []


async def test_a_backup_of_sqlite_moves_to_postgresql(tmp_path: Path, postgres_url: str) -> None:
    url = f"sqlite:///{tmp_path / 'here.db'}"
    store = await open_store(url)
    await some_games(store)
    await store.close()
    await back_up(url, tmp_path / "backup.zip", None)
    await restore(postgres_url, tmp_path / "backup.zip")
    assert await rows_in(postgres_url) == await rows_in(url)


async def test_every_table_is_ours(store: SqlStore) -> None:
    def names(connection: Connection) -> tuple[set[str], set[str]]:
        return set(inspect(connection).get_table_names()), {
            table.name for table in tables_in(connection)
        }

    there, ours = await store.database.read(names)
    assert there - ours == {"alembic_version"}


async def test_a_backup_from_an_older_version_is_brought_up(tmp_path: Path) -> None:
    url, old = f"sqlite:///{tmp_path / 'new.db'}", f"sqlite:///{tmp_path / 'old.db'}"
    database = connect(old)
    await database.write(lambda conn: start_anew(conn, "0001"))
    await database.write(lambda conn: conn.execute(text("INSERT INTO pulse VALUES (1, 7.5)")))
    await database.close()
    await back_up(old, tmp_path / "backup.zip", None)
    await restore(url, tmp_path / "backup.zip")
    store = await open_store(url)
    assert (await store.pulse()).at == 7.5
    version = text("SELECT version_num FROM alembic_version")
    assert await store.database.read(lambda conn: conn.scalar(version)) == NEWEST
    await store.close()


# -- what is refused


async def test_nothing_is_overwritten(store: SqlStore, database_url: str, tmp_path: Path) -> None:
    await some_games(store)
    await back_up(database_url, tmp_path / "backup.zip", None)
    before = (tmp_path / "backup.zip").read_bytes()
    with pytest.raises(FileExistsError):
        await back_up(database_url, tmp_path / "backup.zip", None)
    assert (tmp_path / "backup.zip").read_bytes() == before
    rows = await rows_in(database_url)
    with pytest.raises(NotEmpty):
        await restore(database_url, tmp_path / "backup.zip")
    assert await rows_in(database_url) == rows


async def test_a_database_where_nobody_has_been_is_filled(
    store: SqlStore, database_url: str, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'other.db'}"
    other = await open_store(url)
    await some_games(other)
    await other.close()
    await back_up(url, tmp_path / "backup.zip", None)
    await store.beat(5.0)
    await store.close()
    await restore(database_url, tmp_path / "backup.zip")
    assert await rows_in(database_url) == await rows_in(url)


async def test_a_server_that_runs_is_not_overwritten(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'patrizier.db'}"
    store = await open_store(url)
    await store.close()
    await back_up(url, tmp_path / "backup.zip", None)
    with exclusive_use(url), pytest.raises(AlreadyInUse):
        await restore(url, tmp_path / "backup.zip")


async def test_where_there_is_nothing_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase, match="there is no file"):
        await back_up(f"sqlite:///{tmp_path / 'none.db'}", tmp_path / "backup.zip", None)
    sqlite3.connect(tmp_path / "empty.db").close()
    with pytest.raises(NoDatabase, match="no tables of this game"):
        await back_up(f"sqlite:///{tmp_path / 'empty.db'}", tmp_path / "backup.zip", None)
    assert [file.name for file in tmp_path.iterdir()] == ["empty.db"]


def with_other_byte(file: Path, part: float) -> bytes:
    """Return a backup with one byte of its events changed."""
    with zipfile.ZipFile(file) as archive:
        events = archive.getinfo("tables/events.jsonl")
    data = bytearray(file.read_bytes())
    data[events.header_offset + 100 + int(part * (events.compress_size - 100))] ^= 255
    return bytes(data)


async def test_a_damaged_backup_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'here.db'}"
    store = await open_store(url)
    await some_games(store)
    await store.close()
    file, bad = tmp_path / "backup.zip", tmp_path / "bad.zip"
    await back_up(url, file, None)
    good = file.read_bytes()
    folder = tmp_path / "new"
    for wrong in (
        b"",
        b"hello",
        good[:-30],
        good[: len(good) // 2],
        *(with_other_byte(file, part) for part in (0.2, 0.5, 0.9)),
    ):
        bad.write_bytes(wrong)
        with pytest.raises(BadArchive):
            await restore(f"sqlite:///{folder / 'patrizier.db'}", bad)
        assert not folder.exists()


async def test_a_backup_with_a_row_missing_is_refused(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path / 'here.db'}")
    for person in (ANNA, BEN):
        await store.people.add(Person(person, person, 0.0, 1.5))
    await store.close()
    whole, short = tmp_path / "whole.zip", tmp_path / "short.zip"
    await back_up(f"sqlite:///{tmp_path / 'here.db'}", whole, None)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(short, "w") as copy:
        for name in source.namelist():
            lines = source.read(name).splitlines(keepends=True)
            copy.writestr(name, b"".join(lines[:-1] if name == "tables/people.jsonl" else lines))
    assert check_backup(whole).rows["people"] == 2
    with pytest.raises(BadArchive, match="people"):
        check_backup(short)


async def test_a_backup_from_the_future_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'here.db'}"
    store = await open_store(url)
    newer = text("UPDATE alembic_version SET version_num = '9999'")
    await store.database.write(lambda conn: conn.execute(newer))
    await store.close()
    await back_up(url, tmp_path / "backup.zip", None)
    with pytest.raises(TooNew, match="newer"):
        await restore(f"sqlite:///{tmp_path / 'new.db'}", tmp_path / "backup.zip")


# -- a game in progress


@pytest.fixture(params=["sqlite", "postgresql"])
def two_places(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """A database, and an empty one."""
    if request.param == "sqlite":
        folders = [tmp_path / name for name in ("one", "two")]
        one, two = (f"sqlite:///{folder / 'patrizier.db'}" for folder in folders)
        return one, two
    server: Postgres = request.getfixturevalue("postgres")
    return asyncio.run(server.new_database()), asyncio.run(server.new_database())


def test_a_game_in_progress_goes_on_from_a_backup(
    two_places: tuple[str, str], tmp_path: Path
) -> None:
    here, there = two_places
    secret = {"PATRIZIER_SECRET": "s" * 40}
    backup = tmp_path / "backup.zip"

    async def play_and_back_up(server: ServerProcess) -> tuple[Guest, Guest, str, int]:
        """Play a game and back up in the middle of it; return the turns played by then."""
        anna, ben = await Guest.come(server.url), await Guest.come(server.url)
        table = await started_table(anna, ben)
        for _ in range(9):
            turns, _ = await play_on(table, anna, ben)

        async def go_on() -> None:
            for _ in range(9):
                await play_on(table, anna, ben)

        playing = asyncio.create_task(go_on())
        found = await back_up(here, backup, None)
        await playing
        assert found.problems == []
        return anna, ben, table, turns

    async def play_to_the_end(server: ServerProcess) -> None:
        anna.url = ben.url = server.url
        told = await anna.request("GET", f"/api/tables/{table}")
        assert told["phase"] == "playing"
        assert turns <= told["turn"] <= 18
        while told["phase"] == "playing":
            await play_on(table, anna, ben)
            told = await ben.request("GET", f"/api/tables/{table}")
        body = {"kind": "say", "id": new_id(), "text": "again?"}
        await anna.request("POST", f"/api/tables/{table}/commands", body)

    with ServerProcess(tmp_path / "one", here, secret) as server:
        anna, ben, table, turns = asyncio.run(play_and_back_up(server))
    asyncio.run(restore(there, backup))
    with ServerProcess(tmp_path / "two", there, secret) as server:
        asyncio.run(play_to_the_end(server))
        assert server.errors == []
    assert check_backup(backup).rows["people"] == 2
