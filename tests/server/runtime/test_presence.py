"""Presence across processes; one that dies expires."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from patrizier.server.protocol.messages import PresenceMessage
from patrizier.server.runtime.presence import EXPIRES, Presence
from patrizier.server.store.notices import TablePresence
from patrizier.server.table.table import Table
from server.support.table_driver import TABLE, playing

pytestmark = pytest.mark.anyio


@dataclass(eq=False)
class Somebody:
    """A connection that keeps its messages."""

    person_id: str
    told: list[tuple[tuple[int, ...], int]] = field(default_factory=list)

    async def tell(self, message: PresenceMessage) -> None:
        self.told.append((message.seats, message.watchers))

    def last(self) -> tuple[tuple[int, ...], int]:
        return self.told[-1]


class Processes:
    """Two processes that hear each other, and a fake clock."""

    def __init__(self, table: Table) -> None:
        self.now = 0.0
        self.said: list[TablePresence] = []

        async def get(_table: str) -> Table:
            return table

        def make(number: int) -> Presence:
            async def announce(there: Sequence[TablePresence]) -> None:
                for each in there:
                    self.said.append(each)
                    self.all[1 - number].hear(f"origin{number}", TablePresence.read(str(each)))

            return Presence(get, announce, lambda: self.now, pause=0.01)

        self.all = [make(0), make(1)]


@pytest.fixture
def processes() -> Processes:
    return Processes(playing().table)


async def settled() -> None:
    """Wait until no more announcements are made."""
    async with asyncio.timeout(20):
        while telling := [each for each in asyncio.all_tasks() if "Presence" in repr(each)]:
            await asyncio.wait(telling)


async def test_each_process_tells_what_all_of_them_see(processes: Processes) -> None:
    one, two = processes.all
    anna, ben, eve = Somebody("anna"), Somebody("ben"), Somebody("eve")
    one.come(TABLE, anna)
    await settled()
    assert anna.last() == ((0,), 0)
    two.come(TABLE, ben)
    two.come(TABLE, eve)
    await settled()
    assert anna.last() == ben.last() == eve.last() == ((0, 1), 1)
    said = len(processes.said)
    await settled()
    assert len(processes.said) == said, "they go on telling each other the same"
    two.go(TABLE, ben)
    two.go(TABLE, eve)
    await settled()
    assert anna.last() == ((0,), 0)


async def test_a_process_that_says_nothing_is_forgotten(processes: Processes) -> None:
    one, two = processes.all
    anna, ben = Somebody("anna"), Somebody("ben")
    one.come(TABLE, anna)
    two.come(TABLE, ben)
    await settled()
    assert anna.last() == ((0, 1), 0)
    two.close()  # it dies without an announcement
    processes.now = EXPIRES - 1
    one.expire()
    await settled()
    assert anna.last() == ((0, 1), 0)
    processes.now = EXPIRES + 1
    one.expire()
    await settled()
    assert anna.last() == ((0,), 0)


async def test_nobody_is_told_of_tables_that_nobody_follows(processes: Processes) -> None:
    one, _two = processes.all
    for number in range(100):
        one.hear("origin9", TablePresence(f"{TABLE}{number}", (1,), 3))
    anna = Somebody("anna")
    one.come(f"{TABLE}7", anna)
    await settled()
    assert anna.last() == ((0,), 0), "a process keeps what it has no use for"


def test_a_word_says_the_same_again() -> None:
    for there in (TablePresence(TABLE, (), 0), TablePresence(TABLE, (0, 3, 4), 12, asks=True)):
        assert TablePresence.read(str(there)) == there
