"""Lets time act on tables: clocks run out, people stay away, full tables start."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from patrizier.server.logs import log
from patrizier.server.store.base import Store
from patrizier.server.table.commands import Refused
from patrizier.server.table.events import Event, Stored
from patrizier.server.table.seats import people
from patrizier.server.table.setup import PersonId, TableId
from patrizier.server.table.table import Table

from .hub import Hub
from .live_tables import Tables

LOOK = 5.0  # seconds at most between two looks: other processes set times, too
BEAT = 5.0  # seconds between two signs of life
AWAY = 3 * BEAT  # seconds without one: then no server was there
_BREATH = 0.5  # seconds before the same is tried again
SEEN = 30.0  # seconds between two notes of who is here


class Timekeeper:
    """One loop for all tables. On several processes the append decides who was first."""

    def __init__(self, store: Store, tables: Tables, hub: Hub, now: Callable[[], float]) -> None:
        self._store = store
        self._tables = tables
        self._hub = hub
        self._now = now
        self._wake = asyncio.Event()
        self._planned = float("inf")  # when to look next
        self._beaten = self._noted = float("-inf")
        self._has_given_back = False
        tables.observers.append(self.notice)

    def notice(self, table: Table, _stored: Sequence[Stored] = ()) -> None:
        """Look earlier if time acts on this table before the next look."""
        due = table.due(self._now(), self._hub.seen(people(table.seats)))
        if due is not None and due < self._planned:
            self._wake.set()

    async def run(self) -> None:
        """Work until cancelled, whatever happens to single rounds."""
        while True:
            await self._try(self.round())
            pause = min(LOOK, max(0.0, self._planned - self._now()))
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._wake.wait()

    async def begin(self) -> None:
        """Credit clocks, if that is possible now; if not, nobody's time is up before it is."""
        await self._try(self.give_back())

    async def give_back(self) -> None:
        """Credit running clocks with the time in which no server was there."""
        last, now = await self._store.pulse(), self._now()
        if last is not None and now - last > AWAY:
            ids = await self._store.ticking_tables()
            log.info("clocks get time back", extra={"count": len(ids)})
            await asyncio.gather(*(self._try(self._credit(table_id, last)) for table_id in ids))
        await self._beat()
        self._has_given_back = True

    async def round(self) -> None:
        """Let time act on every table that is due."""
        self._wake.clear()
        self._planned = float("inf")  # whoever comes now wakes us
        if not self._has_given_back:
            await self.give_back()
        await self._beat()
        due = await self._store.due_tables(self._now())
        await asyncio.gather(*(self._try(self._act(table_id)) for table_id in due))
        next_due = await self._store.next_due()
        soonest = self._now() + _BREATH  # whatever could not be done now
        self._planned = soonest + LOOK if next_due is None else max(next_due, soonest)

    async def _act(self, table_id: TableId) -> None:
        """Append what time has brought to a table; or note when to look again."""
        table = await self._tables.get(table_id)
        seen = await self._seen(table)

        def make(table: Table, now: float) -> list[Event]:
            return table.timed_events(now, seen)

        try:
            after = await self._tables.change(table_id, make)
        except Refused:
            return
        if after.seq != table.seq:
            return
        due = after.due(self._now(), seen)
        if not await self._store.set_due(table_id, after.seq, due):
            await self._tables.refresh(table_id)

    async def _seen(self, table: Table) -> dict[PersonId, float]:
        """Return when people were last connected, to whichever process."""
        there = people(table.seats)
        elsewhere = await self._store.people.last_seen(there)
        return elsewhere | self._hub.seen(there)

    async def _credit(self, table_id: TableId, last: float) -> None:
        def make(table: Table, now: float) -> list[Event]:
            return table.credit_events(now - max(last, table.last_at))

        await self._tables.change(table_id, make)

    async def _try(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something; if it fails, there is another round."""
        try:
            await work
        except Exception:
            log.exception("the timekeeper failed")

    async def _beat(self) -> None:
        """Show that this server lives, and who is here."""
        now = self._now()
        if now - self._beaten < BEAT:
            return
        self._tables.tidy()
        await self._store.beat(now)
        self._beaten = now
        if now - self._noted >= SEEN:
            if here := self._hub.here():
                await self._store.people.all_seen(here, now)
            self._noted = now
