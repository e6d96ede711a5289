"""Damage is found: in the pages of a file, and in the rows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from patrizier.server.jobs.settlement import settle_all
from patrizier.server.maintenance.damage import MOST_TOLD, Damaged, check_database, check_quickly
from patrizier.server.store.database import connect
from patrizier.server.store.sql import SqlStore, open_store
from server.support.players import ANNA, BEN, a_service, play_turn, sit_down

pytestmark = pytest.mark.anyio

COMMAND = [sys.executable, "-c", "from patrizier.cli.main import app; app()"]


async def a_game(store: SqlStore, turns: int = 100) -> str:
    """Store a game, or its beginning."""
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    while turns and (await service.message(table, ANNA)).phase == "playing":
        await play_turn(service, table, ANNA, BEN)
        turns -= 1
    await settle_all(store)
    return table


async def test_what_is_sound_is_called_so(store: SqlStore, database_url: str) -> None:
    await a_game(store)
    await a_game(store, 3)
    await check_quickly(store.database)
    found = await check_database(database_url)
    assert (found.problems, found.rows["tables"]) == ([], 2)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("DELETE FROM events WHERE seq = 7", "event 7 is missing"),
        ("DELETE FROM events WHERE seq = 1", "event 1 is missing"),
        ("DELETE FROM events WHERE seq > 20", "its last event is 20, but its summary says "),
        ("DELETE FROM events", "all of its events are missing"),
        ("UPDATE events SET body = '{' WHERE seq = 9", "event 9 cannot be read"),
        ("UPDATE events SET at = 0 WHERE seq = 9", "event 9 is older than the one before it"),
        (
            "UPDATE events SET body = (SELECT body FROM events WHERE seq = 12) WHERE seq = 13",
            "event 13 is not possible",
        ),
        ("DELETE FROM results", "its result is missing"),
    ],
)
async def test_what_cannot_have_happened_is_named(
    store: SqlStore, database_url: str, statement: str, problem: str
) -> None:
    table = await a_game(store)
    if "results" in statement:
        await store.database.write(lambda conn: conn.execute(text("DELETE FROM result_seats")))
    await store.database.write(lambda conn: conn.execute(text(statement)))
    (found,) = (await check_database(database_url)).problems
    assert found.startswith(f"table {table}: {problem}"), found


async def test_a_stacked_deal_is_named(store: SqlStore, database_url: str) -> None:
    """The stored secret is replaced: the deal does not match the commitment."""
    await a_game(store)
    change = text(
        'UPDATE events SET body = replace(body, \'"secret":"\', \'"secret":"00\') WHERE seq = 1'
    )
    await store.database.write(lambda conn: conn.execute(change))
    assert (await check_database(database_url)).problems


async def test_of_many_problems_some_are_told(store: SqlStore, database_url: str) -> None:
    await a_game(store, 0)
    copies = text(
        "INSERT INTO tables (id, seq, phase, public, pace, turn, bot_to_move, settled, members, "
        "created, updated, summary) SELECT 'copy-' || n, seq, phase, public, pace, turn, "
        "bot_to_move, settled, members, created, updated, summary FROM tables, "
        "(SELECT seq AS n FROM events UNION SELECT seq + 100 FROM events UNION "
        "SELECT seq + 200 FROM events UNION SELECT seq + 300 FROM events UNION "
        "SELECT seq + 400 FROM events UNION SELECT seq + 500 FROM events UNION "
        "SELECT seq + 600 FROM events UNION SELECT seq + 700 FROM events UNION "
        "SELECT seq + 800 FROM events UNION SELECT seq + 900 FROM events) AS numbers"
    )
    await store.database.write(lambda conn: conn.execute(copies))
    found = await check_database(database_url)
    assert len(found.problems) + found.more == found.rows["tables"] - 1
    assert len(found.problems) <= MOST_TOLD


# -- pages of a file


async def damaged_file(folder: Path) -> Path:
    """Return a database with games in which some pages were overwritten."""
    file = folder / "patrizier.db"
    store = await open_store(f"sqlite:///{file}")
    for _ in range(4):
        await a_game(store)
    await store.close()
    data = bytearray(file.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 3 * 4096] = os.urandom(3 * 4096)
    file.write_bytes(data)
    return file


async def test_a_server_does_not_start_on_a_damaged_file(tmp_path: Path) -> None:
    file = await damaged_file(tmp_path)
    before = file.read_bytes()
    database = connect(f"sqlite:///{file}")
    with pytest.raises((Damaged, DatabaseError)):  # SQLite may find it by itself
        await check_quickly(database)
    await database.close()
    for command in (["serve", "--port", "0"], ["check"], ["backup", str(tmp_path / "b.zip")]):
        done = subprocess.run(
            [*COMMAND, *command, "--data-dir", str(tmp_path)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 1, command
        assert "Traceback" not in done.stderr
        assert "Error: " in done.stderr
        if command[0] == "serve":
            assert "`patrizier check` tells more" in done.stderr
        if command[0] == "check":
            assert re.search(r"\bpage \d+|malformed", done.stderr, re.IGNORECASE), done.stderr
            assert "Error: the stored data is damaged" in done.stderr
    assert file.read_bytes() == before
    assert not (tmp_path / "b.zip").exists()
