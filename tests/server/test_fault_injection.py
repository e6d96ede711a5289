"""Fault injection during play: nothing that a client was told is lost.

A few faults here; `scripts/inject_faults.py` injects hundreds.
"""

import asyncio
import os
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import Connection, text

from patrizier.server.maintenance.damage import check_database
from patrizier.server.store.sql import SqlStore
from patrizier.server.table.commands import Say
from server.support.fault_clients import Heard, check_all
from server.support.fault_injection import inject_faults
from server.support.faults import Relay
from server.support.players import (
    ANNA,
    BEN,
    a_service,
    new_id,
    next_play,
    sit_down,
    whose_turn,
)
from server.support.postgres import Postgres

FAULTS = int(os.environ.get("PATRIZIER_TEST_FAULTS", "3"))


@pytest.mark.parametrize("faults", [("kill",), ("pause", "cut", "clock"), ("disk",)])
def test_a_server_on_sqlite_survives(tmp_path: Path, faults: tuple[str, ...]) -> None:
    clients, errors = inject_faults(tmp_path, faults, FAULTS)
    assert errors == []
    assert clients.faults == FAULTS
    assert clients.games >= 4
    assert clients.acknowledged > 100


@pytest.mark.parametrize("faults", [("kill",), ("database", "pause", "clock")])
def test_servers_that_share_a_database_survive(
    tmp_path: Path, postgres: Postgres, faults: tuple[str, ...]
) -> None:
    clients, errors = inject_faults(tmp_path, faults, FAULTS, postgres=postgres)
    assert errors == []
    assert clients.games >= 4


# -- the relay that cuts connections


@dataclass
class Dying:
    """A server that resets every connection as soon as something was sent."""

    url: str = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(1)
        line = writer.get_extra_info("socket")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.close()


@pytest.mark.anyio
async def test_nobody_waits_behind_the_relay_for_a_server_that_died() -> None:
    server = Dying()
    listener = await asyncio.start_server(server.answer, "127.0.0.1", 0)
    server.url = "http://127.0.0.1:{1}".format(*listener.sockets[0].getsockname())
    relay = Relay(server)
    await relay.open()
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(relay.url).port)
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    async with asyncio.timeout(30):
        with suppress(ConnectionError):
            assert await reader.read() == b""
    writer.close()
    await relay.close()
    listener.close()


# -- the checker at their end, which has to see what it is there for


async def a_talk(store: SqlStore) -> Heard:
    """Play a few turns and say something; return what was acknowledged."""
    service = a_service(store)
    heard = Heard(await sit_down(service, ANNA, BEN))
    for _ in range(3):
        person, told = await whose_turn(service, heard.table, ANNA, BEN)
        play = next_play(told)
        await service.command(heard.table, person, play)
        heard.acknowledged.add(play.id)
    say = Say(id=new_id(), text="hello")
    await service.command(heard.table, ANNA, say, name="Anna")
    heard.acknowledged.add(say.id)
    return heard


@pytest.mark.anyio
async def test_the_checker_lets_pass_what_is_right(store: SqlStore, database_url: str) -> None:
    heard = await a_talk(store)
    await check_all(database_url, [heard])


LAST = "FROM events WHERE seq = (SELECT max(seq) FROM events)"
AGAIN = (
    "INSERT INTO events (table_id, seq, at, person, command_id, part, body) "
    f"SELECT table_id, seq + 1, at, {{}}, command_id, {{}}, body {LAST}"
)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("statement", "change", "complaint"),
    [
        (f"DELETE {LAST}", -1, "acknowledged and is lost"),
        (AGAIN.format("person", "1"), 1, "carried out twice"),
        (AGAIN.format("NULL", "part"), 1, "carried out twice"),
    ],
)
async def test_the_checker_sees_what_is_lost_and_what_is_there_twice(
    store: SqlStore, database_url: str, statement: str, change: int, complaint: str
) -> None:
    """What is stored could all have happened: only who heard the answers knows better."""
    heard = await a_talk(store)

    def damage(connection: Connection) -> None:
        for each in (statement, f"UPDATE tables SET seq = seq + {change}"):
            connection.execute(text(each))

    await store.database.write(damage)
    assert (await check_database(database_url)).problems == []
    with pytest.raises(AssertionError, match=complaint):
        await check_all(database_url, [heard])


def test_the_checker_sees_a_turn_that_became_another_one() -> None:
    heard = Heard("a table")
    turn = {"kind": "turn", "seq": 5, "record": {"turn": 1, "move": "BO1:L"}}
    heard.note({"turn": 1, "log": [turn]})
    heard.note({"turn": 1, "log": [turn]})
    for other in ({"record": {"turn": 1, "move": "BO1:R"}}, {"seq": 6}):
        with pytest.raises(AssertionError):
            heard.note({"turn": 1, "log": [turn | other]})
