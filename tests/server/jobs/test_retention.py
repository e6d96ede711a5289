import asyncio

import pytest

from patrizier.server.jobs.retention import FORGET_AFTER, sweep
from patrizier.server.people.sessions import Sessions
from patrizier.server.store.rows import Person
from patrizier.server.store.sql import SqlStore

pytestmark = pytest.mark.anyio

NOW = 2 * FORGET_AFTER


class BrokenSessions(Sessions):
    async def sweep(self) -> None:
        raise OSError("the disk is full")


async def test_unused_guests_go_even_if_something_else_fails(store: SqlStore) -> None:
    await store.people.add(Person("gone-0123456789ab", "Anna", created=1.0, seen=1.0))
    await store.people.add(Person("here-0123456789ab", "Ben", created=1.0, seen=NOW - 1))
    sweeping = asyncio.create_task(
        sweep(store, BrokenSessions(store.sessions, lambda: NOW), lambda: NOW)
    )
    try:
        async with asyncio.timeout(60):
            while await store.people.get("gone-0123456789ab") is not None:
                await asyncio.sleep(0)
        assert await store.people.get("here-0123456789ab") is not None
        assert not sweeping.done()
    finally:
        sweeping.cancel()
        await asyncio.gather(sweeping, return_exceptions=True)
