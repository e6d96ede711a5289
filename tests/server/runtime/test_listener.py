"""Two servers on one PostgreSQL database, simulated in one process."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from sqlalchemy.exc import SQLAlchemyError

from patrizier.server.runtime.presence import Presence
from patrizier.server.runtime.service import TableService
from patrizier.server.runtime.startup import listener_of
from patrizier.server.store.sql import open_store
from patrizier.server.table.commands import Say
from server.support.players import ANNA, BEN, a_service, new_id, next_play, sit_down, whose_turn
from server.support.postgres import Postgres

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def a_process(url: str) -> AsyncIterator[TableService]:
    store = await open_store(url)
    service = a_service(store)
    listener = listener_of(store, service, Presence(service.tables.get))
    assert listener is not None
    task = asyncio.create_task(listener.run())
    await listener.listening.wait()
    try:
        yield service
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await service.close()
        await store.close()


async def eventually(condition: Callable[[], Awaitable[bool]], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)


async def test_each_sees_the_others_turns_at_once(postgres_url: str) -> None:
    async with a_process(postgres_url) as one, a_process(postgres_url) as two:
        table = await sit_down(one, ANNA, BEN)
        services = {ANNA: one, BEN: two}
        async with one.subscribe(table, ANNA) as anna, two.subscribe(table, BEN) as ben:
            latest = {ANNA: await anext(anna), BEN: await anext(ben)}
            followers = {ANNA: anna, BEN: ben}
            while latest[ANNA].phase == "playing" and latest[ANNA].turn < 12:
                mover = next(p for p in (ANNA, BEN) if latest[p].you.to_move is not None)
                other = BEN if mover == ANNA else ANNA
                latest[mover] = await services[mover].command(
                    table, mover, next_play(latest[mover]), via=followers[mover]
                )
                async with asyncio.timeout(10):  # sooner than they look by themselves
                    latest[other] = await anext(followers[other])
                assert latest[ANNA].seq == latest[BEN].seq


async def test_your_turn_is_heard_across_processes(postgres_url: str) -> None:
    async with a_process(postgres_url) as one, a_process(postgres_url) as two:
        table = await sit_down(one, ANNA, BEN)
        person, message = await whose_turn(one, table, ANNA, BEN)
        other = BEN if person == ANNA else ANNA
        with two.turns_of(other) as notices:
            await one.command(table, person, next_play(message))
            async with asyncio.timeout(10):
                assert (await anext(notices)).table == table


async def test_a_broken_line_is_mended_and_nothing_is_missed(
    postgres_url: str, postgres: Postgres
) -> None:
    async with a_process(postgres_url) as one, a_process(postgres_url) as two:
        table = await sit_down(one, ANNA, BEN)
        async with two.subscribe(table, BEN) as ben:
            seq = (await anext(ben)).seq
            await postgres.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
            )
            await one.command(table, ANNA, Say(id=new_id(), text="can you hear me?"))
            async with asyncio.timeout(20):
                message = await anext(ben)
            assert message.seq == seq + 1


async def test_a_restarted_database_is_found_again(postgres_url: str, postgres: Postgres) -> None:
    async with a_process(postgres_url) as one, a_process(postgres_url) as two:
        table = await sit_down(one, ANNA, BEN)
        async with two.subscribe(table, BEN) as ben:
            seq = (await anext(ben)).seq
            postgres.stop()
            said = Say(id=new_id(), text="hello?")
            with pytest.raises((OSError, SQLAlchemyError)):
                await one.command(table, ANNA, said)
            postgres.start()

            async def answered() -> bool:
                try:
                    return (await one.command(table, ANNA, said)).seq == seq + 1
                except (OSError, SQLAlchemyError):
                    return False

            await eventually(answered)
            async with asyncio.timeout(30):
                assert (await anext(ben)).seq == seq + 1


async def test_many_tables_fit_into_notices(postgres_url: str) -> None:
    async with a_process(postgres_url) as one, a_process(postgres_url) as two:
        tables = await asyncio.gather(*(sit_down(one, ANNA, BEN) for _ in range(150)))
        for table in tables:
            await two.message(table, BEN)
        await asyncio.gather(
            *(one.command(table, ANNA, Say(id=new_id(), text="hello")) for table in tables)
        )

        for table in tables:  # each by itself: all at once take long on a busy machine

            async def heard(table: str = table) -> bool:
                return (await two.message(table, BEN)).log[-1].kind == "said"

            await eventually(heard)
