import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from patrizier.server.runtime.attendance import LINGER, Attendance
from patrizier.server.runtime.bot_turns import BotTurns
from patrizier.server.runtime.hub import Hub
from patrizier.server.runtime.live_tables import Tables
from patrizier.server.runtime.news import News
from patrizier.server.runtime.open_tables import OpenTables
from patrizier.server.runtime.service import TableService
from patrizier.server.runtime.shared_time import SharedTime
from patrizier.server.runtime.startup import Running, running_tables
from patrizier.server.store.sql import SqlStore
from patrizier.server.table.commands import Resign, Start
from patrizier.server.table.setup import Correspondence, Level, TableSetup
from patrizier.server.workers.account import Account
from patrizier.server.workers.pool import Place, WorkerPool
from patrizier.server.workers.question import Question
from server.support.players import (
    ANNA,
    BEN,
    CLEO,
    SECRET,
    Time,
    a_service,
    new_id,
    play_turn,
    sit_down,
)

pytestmark = pytest.mark.anyio

AGAINST_BOTS = TableSetup(
    players=3, rules=("messengers",), seats=("person", "merchant", "apprentice")
)


async def eventually(condition: Callable[[], Awaitable[bool]], seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)


def bots_playing(store: SqlStore) -> AbstractAsyncContextManager[Running]:
    return running_tables(store, secret=SECRET, pool=WorkerPool(1), time=SharedTime())


async def test_bots_play_until_the_end(store: SqlStore) -> None:
    async with bots_playing(store) as (service, _, _):
        table = await sit_down(service, ANNA, setup=AGAINST_BOTS)

        async def it_is_annas_turn_or_over() -> bool:
            message = await service.message(table, ANNA)
            return message.you.to_move is not None or message.phase == "finished"

        while True:
            await eventually(it_is_annas_turn_or_over)
            message = await service.message(table, ANNA)
            if message.phase == "finished":
                break
            await play_turn(service, table, ANNA)
    turns = [entry.by for entry in message.log if entry.kind == "turn"]
    assert turns.count("bot") == 2 * len(turns) / 3


async def test_bots_resume_after_a_restart_when_somebody_is_back(store: SqlStore) -> None:
    silent = a_service(store)  # a server without bot turns
    table = await sit_down(silent, ANNA, BEN)
    await silent.command(table, ANNA, Resign(id=new_id(), seat=0))
    await silent.command(table, BEN, Resign(id=new_id(), seat=1))
    async with (
        running_tables(store, secret=SECRET, pool=WorkerPool(1), time=SharedTime()) as (
            service,
            _,
            _,
        ),
        service.subscribe(table, ANNA) as anna,
    ):
        async for message in anna:
            if message.phase == "finished":
                break


# -- with bots that answer at once, so that only their order counts


PLENTY = 10_000


class PaperBots(WorkerPool):
    """A worker pool without processes: thinking advances a fake clock."""

    def __init__(self) -> None:
        self.clock = 0.0
        super().__init__(1, now=lambda: self.clock)
        self.asked: list[str] = []  # levels
        self.waits: dict[str, list[int]] = {}  # how many were asked before, by owner
        self.tickets = asyncio.Semaphore(PLENTY)  # answers that may be given

    @asynccontextmanager
    async def place(self, account: Account) -> AsyncIterator[Place]:
        before = len(self.asked)
        async with super().place(account) as place:
            self.waits.setdefault(account.owner, []).append(len(self.asked) - before)
            yield place

    def allow(self, answers: int) -> None:
        for _ in range(answers):
            self.tickets.release()

    async def _ask(self, question: Question, limit: float, home: object = None) -> str:
        await self.tickets.acquire()
        self.asked.append(question.bot)
        self.clock += 1.0 if question.bot == "doge" else 0.01
        return str(question.view.legal[0])


class House:
    """Tables with such bots, and a fake clock."""

    def __init__(self, store: SqlStore) -> None:
        self.now, self.pool = Time(), PaperBots()
        self.hub = Hub(self.now)
        news = News()
        tables = Tables(store, self.hub, self.now, news=news)
        self.attendance = Attendance(self.hub, self.now)
        self.bots = BotTurns(store, tables, self.pool, self.attendance, self.now)
        news.on_append(self.bots.notice)
        self.service = TableService(
            store, self.hub, tables, self.bots, OpenTables(store), secret=SECRET, now=self.now
        )

    async def play_against(self, person: str, *levels: Level, address: str, **choices: Any) -> str:
        """Start a game of a person against bots, and resign; return the table."""
        setup = TableSetup(players=1 + len(levels), seats=("person", *levels), **choices)
        made = await self.service.create(person, person, setup, new_id(), address=address)
        for command in (Start(id=new_id()), Resign(id=new_id(), seat=0)):
            await self.service.command(made.table, person, command, address=address)
        return made.table

    async def settle(self) -> None:
        """Wait until no bot is to move."""
        async with asyncio.timeout(60):
            while self.bots.waiting:
                await asyncio.sleep(0)

    async def close(self) -> None:
        run = asyncio.create_task(self.bots.run())
        await asyncio.sleep(0)
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
        await self.service.close()


@pytest.fixture
async def house(store: SqlStore) -> AsyncIterator[House]:
    house = House(store)
    yield house
    await house.close()


async def test_a_hundred_tables_that_wait_for_bots_leave_people_alone(house: House) -> None:
    house.pool.tickets = asyncio.Semaphore(0)  # no bot answers
    mine = await sit_down(house.service, ANNA, BEN)
    for number in range(100):
        guest = f"guest-{number:016}"
        await house.play_against(guest, "merchant", "doge", address="1.1.1.1")
    assert house.bots.waiting == 100
    for _ in range(10):
        await play_turn(house.service, mine, ANNA, BEN)
    assert (await house.service.tables.get(mine)).turn == 10


async def test_one_guest_with_many_tables_starves_nobody(house: House) -> None:
    house.pool.tickets = asyncio.Semaphore(0)
    for _ in range(20):
        await house.play_against(ANNA, "doge", "doge", "doge", "doge", address="1.1.1.1")
    assert house.bots.waiting == 20
    table = await house.play_against(BEN, "apprentice", address="2.2.2.2", stand_in="apprentice")
    async with house.service.subscribe(table, BEN, address="2.2.2.2") as ben:
        house.pool.allow(PLENTY)
        async for message in ben:
            if message.phase == "finished":
                break
    assert len(house.pool.waits[BEN]) == message.turn
    assert max(house.pool.waits[BEN]) <= 2  # and not twenty


async def test_many_guests_of_one_network_starve_nobody(house: House) -> None:
    house.pool.tickets = asyncio.Semaphore(0)
    for number in range(20):
        guest = f"guest-{number:016}"
        await house.play_against(guest, "doge", "doge", "doge", "doge", address="1.1.1.1")
    table = await house.play_against(BEN, "apprentice", address="2.2.2.2", stand_in="apprentice")
    async with house.service.subscribe(table, BEN, address="2.2.2.2") as ben:
        house.pool.allow(PLENTY)
        async for message in ben:
            if message.phase == "finished":
                break
    assert max(house.pool.waits[BEN]) <= 2


async def test_bots_wait_where_nobody_is(house: House) -> None:
    table = await house.play_against(ANNA, "merchant", address="1.1.1.1")
    house.now.now += LINGER + 1  # she is gone
    await house.settle()
    played = len(house.pool.asked)
    assert (await house.service.tables.get(table)).phase == "playing"
    await house.bots.look(before=house.now.now + 1000)
    await house.settle()
    assert len(house.pool.asked) == played
    async with house.service.subscribe(table, CLEO) as cleo:  # a watcher will do
        async for message in cleo:
            if message.phase == "finished":
                break
    assert len(house.pool.asked) > played


async def test_bots_stop_when_the_last_one_goes(house: House) -> None:
    house.pool.tickets = asyncio.Semaphore(0)
    table = await house.play_against(ANNA, "merchant", address="1.1.1.1")
    async with house.service.subscribe(table, ANNA, address="1.1.1.1") as anna:
        await anext(anna)
        house.now.now += LINGER + 1
        house.pool.allow(PLENTY)
        while (await anext(anna)).turn < 3:
            pass
    await house.settle()
    assert (await house.service.tables.get(table)).phase == "playing"


async def test_where_turns_take_days_bots_do_not_wait_for_anybody(house: House) -> None:
    setup = TableSetup(
        players=3, seats=("person", "merchant", "merchant"), pace=Correspondence(days=1)
    )
    table = await sit_down(house.service, ANNA, setup=setup)
    await house.settle()
    house.pool.tickets = asyncio.Semaphore(0)
    await play_turn(house.service, table, ANNA)
    house.now.now += LINGER + 1
    house.pool.allow(PLENTY)
    await house.settle()
    assert (await house.service.tables.get(table)).to_move == 0
    # If all have left, bots would play among themselves.
    await house.service.command(table, ANNA, Resign(id=new_id(), seat=0))
    house.now.now += LINGER + 1
    await house.settle()
    assert (await house.service.tables.get(table)).phase == "playing"
    assert await house.service.store.bot_tables() == []


async def test_bots_that_nobody_has_cared_for_are_found(house: House, store: SqlStore) -> None:
    other = a_service(store, house.now)  # another process, which dies
    setup = TableSetup(
        players=3, seats=("person", "merchant", "merchant"), pace=Correspondence(days=1)
    )
    slow = await sit_down(other, ANNA, setup=setup)
    quick = await sit_down(other, BEN, setup=AGAINST_BOTS)
    while (await other.tables.get(quick)).to_move == 0:
        await play_turn(other, quick, BEN)
    while (await other.tables.get(slow)).to_move == 0:
        await play_turn(other, slow, ANNA)
    assert await store.bot_tables() == [slow]
    house.attendance.visit(quick, BEN, "2.2.2.2")
    await house.bots.look(before=house.now.now)
    assert house.bots.waiting == 0  # the other one may still play them
    await house.bots.look(before=house.now.now + 1)
    await house.settle()
    assert (await house.service.tables.get(slow)).to_move == 0
    assert (await house.service.tables.get(quick)).to_move == 0


async def test_it_is_said_when_bots_think_less(house: House) -> None:
    house.pool.tickets = asyncio.Semaphore(0)
    tables = [
        await house.play_against(ANNA, "doge", address="1.1.1.1", stand_in="doge")
        for _ in range(30)
    ]
    mine = await house.play_against(BEN, "doge", address="2.2.2.2", stand_in="doge")
    async with (
        house.service.subscribe(tables[1], ANNA, address="1.1.1.1") as anna,
        house.service.subscribe(mine, BEN, address="2.2.2.2") as ben,
    ):
        house.pool.allow(3)
        while (message := await anext(anna)).turn < 1:
            pass
        assert message.bot_seconds is not None
        assert 0 < message.bot_seconds < 1
        while (message := await anext(ben)).turn < 1:
            pass
        assert message.bot_seconds is None  # he has asked for little
