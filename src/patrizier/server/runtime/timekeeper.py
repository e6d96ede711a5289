"""Applies deadlines to tables: clocks run out, people stay away, full tables start."""

import asyncio
from collections.abc import Coroutine, Sequence
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
from .shared_time import AWAY, TimeSource

LOOK = 5.0  # seconds at most between rounds: other processes set deadlines, too
BEAT = 5.0  # seconds between heartbeats
_RETRY_AFTER = 0.5  # seconds
SEEN = 30.0  # seconds between updates of who is connected


class Timekeeper:
    """One loop for all tables. Among several processes, the first append wins."""

    def __init__(
        self, store: Store, tables: Tables, hub: Hub, time: TimeSource, look: float = LOOK
    ) -> None:
        self._look = look
        self._store = store
        self._tables = tables
        self._hub = hub
        self._time = time
        self._wake = asyncio.Event()
        self._planned = float("inf")  # time of the next round
        self._beaten = self._noted = float("-inf")
        self._beating = asyncio.Lock()
        self._runs = False  # whether clocks depend on this timekeeper's lease
        self._back = float("-inf")  # when servers last returned after an absence

    @property
    def next_round(self) -> float:
        """When the next round is due, as far as this process knows."""
        return self._time() if self._wake.is_set() else self._planned

    def notice(self, table: Table, _stored: Sequence[Stored] = ()) -> None:
        """Wake earlier if this table's next deadline comes before the next round."""
        due = table.due(self._time(), self._hub.seen(people(table.seats)))
        if due is not None and due < self._planned:
            self._wake.set()

    async def run(self) -> None:
        """Run until cancelled; a failed round is only logged."""
        self._runs = True
        async with asyncio.TaskGroup() as group:
            group.create_task(self._live())
            while True:
                await self._try(self.round())
                pause = min(self._look, max(0.0, self.next_round - self._time()))
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._wake.wait()

    async def begin(self) -> None:
        """Agree on the time, if possible now; until then no deadline passes."""
        await self._try(self.beat())

    async def round(self) -> None:
        """Apply every deadline that has passed."""
        self._wake.clear()
        self._planned = float("inf")  # earlier deadlines will set it
        await self.beat()
        due = await self._store.due_tables(self._time())
        await asyncio.gather(*(self._try(self._act(table_id)) for table_id in due))
        next_due = await self._store.next_due()
        soonest = self._time() + _RETRY_AFTER  # to retry what failed
        self._planned = soonest + self._look if next_due is None else max(next_due, soonest)

    # -- heartbeats

    async def _live(self) -> None:
        """Send heartbeats, independent of rounds: the lease on time depends on them."""
        while True:
            await self._try(self.beat())
            await asyncio.sleep(BEAT / 2)

    async def beat(self) -> None:
        """Send a heartbeat, store who is connected, and credit lost time."""
        async with self._beating:
            if 0 <= self._time() - self._beaten < BEAT:
                return
            lease = self._tables.lease
            asked = lease.now()
            now = await self._agree()
            self._tables.tidy()
            await self._store.beat(now)
            self._beaten = now
            if self._runs:
                lease.renew(asked)
            if now - self._noted >= SEEN:
                if here := self._hub.here():
                    await self._store.people.all_seen(here, now)
                self._noted = now

    async def _agree(self) -> float:
        """Agree with the other servers on the time; return it.

        After a long gap between heartbeats no server was running, or the clock was set forward:
        nobody could play, so the gap is credited to running clocks.
        """
        before, pulse = self._time(), await self._store.pulse()
        now = self._time.agree(pulse)
        lost = now - pulse.at if pulse.at is not None else 0.0
        if max(lost, now - before) > AWAY:
            self._back = now
        if pulse.at is not None and lost > AWAY:
            if self._runs:
                self._tables.lease.revoke()  # until the gap is credited, no time is charged
            await self._give_back(pulse.at)
        return now

    async def _give_back(self, last: float) -> None:
        ids = await self._store.ticking_tables()
        log.info("time is credited to running clocks", extra={"count": len(ids)})
        await asyncio.gather(*(self._try(self._credit(table_id, last)) for table_id in ids))

    async def _credit(self, table_id: TableId, last: float) -> None:
        def make(table: Table, now: float) -> list[Event]:
            return table.credit_events(now - max(last, table.last_at))

        await self._tables.change(table_id, make, halted=True)

    # -- tables

    async def _act(self, table_id: TableId) -> None:
        """Append the events of a passed deadline, or store the next one."""
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
        due = after.due(self._time(), seen)
        if not await self._store.set_due(table_id, after.seq, due):
            await self._tables.refresh(table_id)

    async def _seen(self, table: Table) -> dict[PersonId, float]:
        """Return when people were last connected to any process.

        After an absence of the servers, everybody counts as connected at its end.
        """
        there = people(table.seats)
        seen = await self._store.people.last_seen(there) | self._hub.seen(there)
        return {person: max(self._back, seen.get(person, self._back)) for person in there}

    async def _try(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a step; log a failure, the next round retries."""
        try:
            await work
        except Exception:
            log.exception("the timekeeper failed")
