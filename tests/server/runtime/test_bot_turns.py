import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from patrizier.server.runtime.shared_time import SharedTime
from patrizier.server.runtime.startup import running_tables
from patrizier.server.store.sql import SqlStore
from patrizier.server.table.commands import Resign
from patrizier.server.table.setup import TableSetup
from server.company import ANNA, BEN, SECRET, a_service, new_id, play_turn, sit_down

pytestmark = pytest.mark.anyio

AGAINST_BOTS = TableSetup(
    players=3, rules=("messengers",), seats=("person", "merchant", "apprentice")
)


async def eventually(condition: Callable[[], Awaitable[bool]], seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)


async def test_bots_play_until_the_end(store: SqlStore) -> None:
    async with running_tables(store, secret=SECRET, thinkers=1, time=SharedTime()) as service:
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


async def test_bots_resume_after_a_restart(store: SqlStore) -> None:
    silent = a_service(store)  # nobody sees to the bots here
    table = await sit_down(silent, ANNA, BEN)
    await silent.command(table, ANNA, Resign(id=new_id(), seat=0))
    await silent.command(table, BEN, Resign(id=new_id(), seat=1))
    assert await store.bot_tables() == [table]
    async with running_tables(store, secret=SECRET, thinkers=1, time=SharedTime()) as service:

        async def finished() -> bool:
            return (await service.message(table, ANNA)).phase == "finished"

        await eventually(finished)
    assert await store.bot_tables() == []


async def test_a_hundred_tables_with_bots_leave_people_alone(store: SqlStore) -> None:
    async with running_tables(store, secret=SECRET, thinkers=1, time=SharedTime()) as service:
        mine = await sit_down(service, ANNA, BEN)
        await asyncio.gather(*(sit_down(service, ANNA, setup=AGAINST_BOTS) for _ in range(100)))
        assert service.waiting_bots() > 10
        waits = []
        for _ in range(10):
            begin = time.perf_counter()
            await play_turn(service, mine, ANNA, BEN)
            waits.append(time.perf_counter() - begin)
        assert sorted(waits)[5] < 0.5
