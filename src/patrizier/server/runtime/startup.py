"""Starts the background tasks: deadlines, bots, presence, listening to other servers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from patrizier.bots.warmup import RULES
from patrizier.server.deal.dealer import FAIR_DEALER, Dealer
from patrizier.server.store.notices import Notice
from patrizier.server.store.sql import SqlStore
from patrizier.server.workers.pool import WorkerPool

from .attendance import Attendance
from .bot_turns import BotTurns
from .hub import Hub
from .live_tables import Tables
from .news import News, Observer
from .open_tables import OpenTables
from .presence import Presence
from .service import TableService, new_watch_key
from .shared_time import TimeSource
from .timekeeper import Timekeeper

if TYPE_CHECKING:
    from .listener import Listener


# Called with sessions that ended in another process; None: some may have been missed.
HearSessions: TypeAlias = Callable[[Sequence[str] | None], None]


class Running(NamedTuple):
    """The tables of a running server."""

    service: TableService
    presence: Presence
    bots: BotTurns


@asynccontextmanager
async def running_tables(
    store: SqlStore,
    *,
    secret: str,
    pool: WorkerPool,
    time: TimeSource,
    open_tables: OpenTables | None = None,
    dealer: Dealer = FAIR_DEALER,
    watch_key: Callable[[], str] = new_watch_key,
    observers: Iterable[Observer] = (),
    hear_sessions: HearSessions = lambda _ids: None,
) -> AsyncIterator[Running]:
    """Run tables while the block lasts: clocks, bots, and listening to other processes."""
    hub = Hub(time)
    ready = partial(pool.preparation.wait, {RULES})
    news = News(observers)
    tables = Tables(store, hub, time, news=news, dealer=dealer, prepared=ready)
    bots = BotTurns(store, tables, pool, Attendance(hub), time)
    open_tables = open_tables or OpenTables(store)
    service = TableService(
        *(store, hub, tables, bots, open_tables),
        secret=secret,
        now=time,
        dealer=dealer,
        watch_key=watch_key,
    )
    presence = Presence(tables.get, store.announce if store.listen_url else None)
    keeper = Timekeeper(store, tables, hub, time)
    for observer in (bots.notice, keeper.notice):
        news.on_append(observer)
    for reader in (presence.notice, open_tables.notice):
        news.on_change(reader)
    await keeper.begin()  # before any deadline is applied
    jobs = [keeper.run(), bots.run(), presence.run(), pool.warm_up()]
    if listener := listener_of(store, service, presence, hear_sessions):
        jobs.append(listener.run())
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        yield Running(service, presence, bots)
    finally:
        presence.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await service.close()
        await pool.close()


def listener_of(
    store: SqlStore,
    service: TableService,
    presence: Presence,
    hear_sessions: HearSessions = lambda _ids: None,
) -> "Listener | None":
    """Return the listener for other processes; None if the database cannot be shared."""
    if store.listen_url is None:
        return None
    from .listener import Listener  # needs the PostgreSQL driver

    def hear(notice: Notice) -> None:
        service.tables.hear(notice.table_id, notice.seq)
        if notice.seat is not None:
            service.hub.your_turn(notice.person, notice.table_id, notice.seat, notice.turn)

    async def catch_up() -> None:
        hear_sessions(None)
        await service.tables.catch_up()

    origin = store.writer.origin
    return Listener(store.listen_url, origin, hear, catch_up, presence.hear, hear_sessions)
