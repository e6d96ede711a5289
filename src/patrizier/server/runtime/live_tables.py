"""The tables in memory: loaded on demand, changed one command at a time, kept up to date.

A change is made on a copy, stored, and only then visible.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from patrizier.server.deal.dealer import FAIR_DEALER, Dealer
from patrizier.server.reasons import Reason
from patrizier.server.store.base import Conflict, Repeated, TableStore
from patrizier.server.store.rows import Opening
from patrizier.server.table.commands import Refused
from patrizier.server.table.events import Event, Started, Stored, stamp
from patrizier.server.table.seats import people
from patrizier.server.table.setup import PersonId, TableId
from patrizier.server.table.table import Table

from .hub import Hub, Subscription
from .news import News
from .shared_time import Lease
from .summary import summary_of

MOST_TABLES = 5000  # kept in memory, beside those with subscribers
RESTS_AFTER = 10.0  # seconds until an idle table's `Game` is dropped
GOES_AFTER = 900.0  # seconds until an idle table is evicted
_TRIES = 20  # attempts, if other processes append first

T = TypeVar("T")

# Returns events to append, given the table and the time.
Make = Callable[[Table, float], list[Event]]


async def _at_once() -> None:
    pass


@dataclass(slots=True, eq=False)
class Entry:
    """A table in memory."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # one change at a time
    used: float = 0.0
    resting: bool = False


class Tables:
    """The tables that this process uses."""

    def __init__(
        self,
        store: TableStore,
        hub: Hub,
        now: Callable[[], float],
        *,
        news: News | None = None,
        dealer: Dealer = FAIR_DEALER,
        lease: Lease | None = None,
        prepared: Callable[[], Awaitable[None]] = _at_once,  # waits for the rules, compiled
        most: int = MOST_TABLES,
    ) -> None:
        self._store = store
        self._dealer = dealer
        self._most = most
        self._hub = hub
        self._now = now
        self._entries: OrderedDict[TableId, Entry] = OrderedDict()  # the last used at the end
        self._loading: dict[TableId, asyncio.Task[Entry]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._news = news or News()
        self._prepared = prepared
        self.lease = lease or Lease()  # on the shared time: no clock is charged without it

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, table_id: TableId) -> bool:
        return table_id in self._entries

    async def get(self, table_id: TableId) -> Table:
        """Return a table; raises Refused if there is none."""
        return (await self._entry(table_id)).table

    async def get_finished(self, table_id: TableId) -> Table:
        """Return a finished table, even if this process has not yet read the last events."""
        entry = await self._entry(table_id)
        if entry.table.phase != "finished":
            await self._catch_up_later(entry)
        return entry.table

    async def change(
        self,
        table_id: TableId,
        make: Make,
        *,
        command_id: str | None = None,
        person: PersonId | None = None,
        via: Subscription | None = None,
        opening: Opening | None = None,
        halted: bool = False,
    ) -> Table:
        """Append what ``make`` returns and publish it; return the table after it.

        Cancelling the caller does not cancel the change. ``via`` is not woken. With ``halted``, the
        change is allowed without a lease on time: only for correcting clocks.
        """
        work = self._change(table_id, make, command_id, person, via, opening, halted)
        return await asyncio.shield(self._start(work))

    async def open(
        self, table: Table, events: Sequence[Event], *, command_id: str, person: PersonId
    ) -> Table:
        """Store a new table; if it exists already, return that one."""
        return await asyncio.shield(self._start(self._open(table, events, command_id, person)))

    def hear(self, table_id: TableId, seq: int) -> None:
        """Note that another process has appended events."""
        entry = self._entries.get(table_id)
        if entry is None and table_id in self._loading:
            self._start(self.refresh(table_id))  # it may have been read before that append
        elif entry is None:
            self._hub.publish(table_id)  # its subscribers will load it
        elif entry.table.seq < seq:
            self._start(self._catch_up_later(entry))

    async def catch_up(self) -> None:
        """Check for missed appends of other processes, after the connection was lost."""
        known = {table_id: entry.table.seq for table_id, entry in self._entries.items()}
        ids = list(known)
        for first in range(0, len(ids), 500):
            last = await self._store.last_seqs(ids[first : first + 500])
            for table_id, seq in last.items():
                self.hear(table_id, seq)

    async def refresh(self, table_id: TableId) -> None:
        """Read new events from the store, in case this process missed some."""
        await self._catch_up_later(await self._entry(table_id))

    def forget(self, table_id: TableId) -> None:
        """Reload a table when it is needed next."""
        self._entries.pop(table_id, None)

    def tidy(self) -> None:
        """Evict tables that nobody uses."""
        now = time.monotonic()
        for table_id, entry in list(self._entries.items()):
            idle = now - entry.used
            if idle < RESTS_AFTER and len(self._entries) <= self._most:
                break  # all others were used more recently
            if entry.lock.locked():
                continue
            too_many = len(self._entries) > self._most
            if (idle > GOES_AFTER or too_many) and not self._hub.followers(table_id):
                del self._entries[table_id]
            elif not entry.resting:
                entry.table.rest()
                entry.resting = True

    async def close(self) -> None:
        """Wait for work in progress."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    # -- loading

    async def _entry(self, table_id: TableId) -> Entry:
        entry = self._entries.get(table_id)
        if entry is None:
            task = self._loading.get(table_id)
            if task is None:
                task = self._loading[table_id] = self._start(self._load(table_id))
                task.add_done_callback(lambda _: self._loading.pop(table_id, None))
            entry = await asyncio.shield(task)
        self._touch(table_id, entry)
        return entry

    async def _load(self, table_id: TableId) -> Entry:
        events = await self._store.read(table_id)
        if not events:
            raise Refused(Reason.NO_TABLE)
        await self._prepared()
        return self._keep(Table.load(table_id, events, self._dealer))

    def _keep(self, table: Table) -> Entry:
        entry = self._entries.setdefault(table.id, Entry(table))
        self._touch(table.id, entry)
        self._news.changed(entry.table)
        if len(self._entries) > self._most:
            self.tidy()
        return entry

    def _touch(self, table_id: TableId, entry: Entry) -> None:
        entry.used, entry.resting = time.monotonic(), False
        if table_id in self._entries:
            self._entries.move_to_end(table_id)

    # -- changing

    async def _change(
        self,
        table_id: TableId,
        make: Make,
        command_id: str | None,
        person: PersonId | None,
        via: Subscription | None,
        opening: Opening | None,
        halted: bool,
    ) -> Table:
        entry = await self._entry(table_id)
        for _ in range(_TRIES):
            if not halted:
                await self.lease.held()
            async with entry.lock:
                if not halted and not self.lease.is_held:
                    continue  # correcting the clock may need the lock
                after = await self._attempt(entry, make, command_id, person, via, opening)
            if after is not None:
                return after
        raise Refused(Reason.TABLE_BUSY)

    async def _attempt(
        self,
        entry: Entry,
        make: Make,
        command_id: str | None,
        person: PersonId | None,
        via: Subscription | None,
        opening: Opening | None,
    ) -> Table | None:
        """Return the table after a change; None: another process appended first. Needs the lock."""
        table = entry.table
        now = max(self._now(), table.last_at)
        try:
            events = make(table, now)
        except Refused:
            if await self._catch_up(entry):
                return None  # with newer events it may not be refused
            raise
        if not events:
            return table
        if any(isinstance(event, Started) for event in events):
            await self._prepared()  # until then no table here has needed the rules
        stored = stamp(events, table.seq, now, command_id, person)
        later = table.after(stored)
        summary = summary_of(later, now, self._hub.seen(people(later.seats)))
        try:
            await self._store.append(table.id, stored, summary, opening)
        except Conflict:
            await self._catch_up(entry)
            return None
        except Repeated:
            await self._catch_up(entry)
            return entry.table
        except Exception:
            # It may have been stored all the same: then it must be published.
            self._start(self._catch_up_later(entry))
            raise
        entry.table = later
        self._publish(later, stored, via)
        return later

    async def _open(
        self, table: Table, events: Sequence[Event], command_id: str, person: PersonId
    ) -> Table:
        now = self._now()
        stored = stamp(events, 0, now, command_id, person)
        later = table.after(stored)
        summary = summary_of(later, now, {})
        try:
            await self._store.append(table.id, stored, summary)
        except (Conflict, Repeated):
            return await self.get(table.id)
        self._keep(later)
        self._publish(later, stored)
        return later

    def _publish(
        self, after: Table, stored: Sequence[Stored], via: Subscription | None = None
    ) -> None:
        """Publish to this process; the database notifies the others."""
        if via is not None:
            via.last_seq = after.seq
        self._hub.publish(after.id, but=via)
        seat = after.to_move
        if seat is not None and after.seats[seat].person_plays:
            self._hub.your_turn(after.seats[seat].person, after.id, seat, after.turn)
        self._news.changed(after)
        self._news.appended(after, stored)

    # -- appends of other processes

    async def _catch_up_later(self, entry: Entry) -> None:
        async with entry.lock:
            await self._catch_up(entry)

    async def _catch_up(self, entry: Entry) -> bool:
        """Read new events from the store; return whether there were any. Needs the lock."""
        events = await self._store.read(entry.table.id, entry.table.seq)
        if not events:
            return False
        entry.table = entry.table.after(events)
        self._hub.publish(entry.table.id)
        self._news.changed(entry.table)
        return True

    def _start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the waiting caller gets it; without one, it needs no log line
