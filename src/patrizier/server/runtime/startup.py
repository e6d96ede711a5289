"""The tables of a running server, with all that goes on beside requests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from patrizier.server.store.notices import Notice, There
from patrizier.server.store.sql import SqlStore

from .bot_turns import BotTurns
from .service import TableService
from .shared_time import TimeSource
from .thinkers import Thinkers
from .timekeeper import Timekeeper

if TYPE_CHECKING:
    from .listener import Listener


@asynccontextmanager
async def running_tables(
    store: SqlStore,
    *,
    secret: str,
    thinkers: int = 0,
    time: TimeSource,
) -> AsyncIterator[TableService]:
    """Serve tables as long as the block lasts: clocks run, bots play, other processes are heard.

    ``thinkers`` is the number of processes for bots; 0: one less than there are processors.
    """
    service = TableService(store, secret=secret, now=time)
    bots = Thinkers(thinkers)
    bot_turns = BotTurns(store, service.tables, bots, time)
    service.waiting_bots = lambda: bot_turns.waiting
    service.advise = bots.advise
    keeper = Timekeeper(store, service.tables, service.hub, time)
    await keeper.begin()  # before anybody is told that their time is up
    jobs = [keeper.run(), bot_turns.run(), bots.warm_up()]
    if listener := listener_of(store, service):
        jobs.append(listener.run())
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        yield service
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await service.close()
        await bots.close()


def listener_of(store: SqlStore, service: TableService) -> "Listener | None":
    """Return who hears of other processes; None where there can be none."""
    if store.listen_url is None:
        return None
    from .listener import Listener  # it needs the driver, which only PostgreSQL does

    def hear(notice: Notice) -> None:
        service.tables.hear(notice.table_id, notice.seq)
        if notice.seat is not None:
            service.hub.your_turn(notice.person, notice.table_id, notice.seat, notice.turn)

    def hear_presence(origin: str, there: There) -> None:
        service.hear_presence(origin, there)

    origin, catch_up = store.writer.origin, service.tables.catch_up
    return Listener(store.listen_url, origin, hear, catch_up, hear_presence)
