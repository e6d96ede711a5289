"""Presence: who is connected to which table, across processes."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from time import monotonic
from typing import Protocol

from patrizier.server.logs import log
from patrizier.server.protocol.messages import PresenceMessage
from patrizier.server.store.notices import TablePresence
from patrizier.server.table.commands import Refused
from patrizier.server.table.seats import held_by
from patrizier.server.table.setup import PersonId, Seat
from patrizier.server.table.table import Table

_PAUSE = 0.3  # seconds in which several changes become one message
REPEAT = 30.0  # seconds between announcements to other processes
EXPIRES = 2.5 * REPEAT  # seconds until a silent process counts as gone


class Present(Hashable, Protocol):
    """A person's connection."""

    @property
    def person_id(self) -> str:
        """Who it is."""

    async def tell(self, message: PresenceMessage) -> None:
        """Send a message; no error if the connection is gone."""


Announce = Callable[[Sequence[TablePresence]], Awaitable[None]]  # to the other processes


class Presence:
    """The connections of this process by table, and what other processes report."""

    def __init__(
        self,
        get: Callable[[str], Awaitable[Table]],
        announce: Announce | None = None,
        now: Callable[[], float] = monotonic,
        *,
        pause: float = _PAUSE,
    ) -> None:
        self._get = get
        self._pause = pause
        self._announce = announce  # None: this process is the only one
        self._now = now
        self._there: dict[str, set[Present]] = {}
        # By table and origin: when it was announced, and what.
        self._elsewhere: dict[str, dict[str, tuple[float, TablePresence]]] = {}
        self._new: set[str] = set()  # tables for which other processes were not asked yet
        self._announced: dict[str, TablePresence] = {}  # last announced to other processes
        self._seated: dict[str, tuple[PersonId | None, ...]] = {}  # as last published
        self._telling: dict[str, asyncio.Task[None]] = {}

    def come(self, table_id: str, who: Present) -> None:
        """Add a connection to a table."""
        if table_id not in self._there:
            self._there[table_id] = set()
            self._new.add(table_id)
        self._there[table_id].add(who)
        self._tell_soon(table_id)

    def go(self, table_id: str, who: Present) -> None:
        """Remove a connection from a table."""
        there = self._there.get(table_id, set())
        there.discard(who)
        if not there:
            self._there.pop(table_id, None)
            self._elsewhere.pop(table_id, None)
            self._new.discard(table_id)
            self._seated.pop(table_id, None)
        if there or table_id in self._announced:
            self._tell_soon(table_id)

    def notice(self, table: Table) -> None:
        """Update if somebody has taken or left a seat since the last message."""
        if table.id in self._seated and self._seated[table.id] != _seated(table):
            self._tell_soon(table.id)

    def hear(self, origin: str, there: TablePresence) -> None:
        """Handle another process's announcement."""
        if there.table_id not in self._there:
            return  # no subscriber here
        known = self._elsewhere.setdefault(there.table_id, {})
        _, before = known.pop(origin, (0.0, None))
        if there.seats or there.watchers:
            known[origin] = self._now() + EXPIRES, there
        if there.asks:
            self._announced.pop(there.table_id, None)
        if there.asks or before is None or before[1:3] != there[1:3]:
            self._tell_soon(there.table_id)

    async def run(self) -> None:
        """Repeat announcements and expire processes that are gone, until cancelled."""
        while self._announce is not None:
            await asyncio.sleep(REPEAT)
            self.expire()
            await self._send(list(self._announced.values()))

    def expire(self) -> None:
        """Drop processes that have been silent for too long."""
        now = self._now()
        for table_id, known in self._elsewhere.items():
            for origin in [origin for origin, (until, _) in known.items() if until < now]:
                del known[origin]
                self._tell_soon(table_id)

    def close(self) -> None:
        """Stop publishing presence."""
        for task in self._telling.values():
            task.cancel()

    def _tell_soon(self, table_id: str) -> None:
        if table_id not in self._telling:
            self._telling[table_id] = asyncio.create_task(self._tell(table_id))

    async def _tell(self, table_id: str) -> None:
        try:
            await asyncio.sleep(self._pause)
            table = await self._get(table_id)
        except Refused:
            return
        finally:
            del self._telling[table_id]
        listeners = list(self._there.get(table_id, ()))
        if listeners:
            self._seated[table_id] = _seated(table)
        here = _counted(table, listeners)
        await self._make_known(here)
        elsewhere = [there for _, there in self._elsewhere.get(table_id, {}).values()]
        seats: set[Seat] = set().union(*(each.seats for each in (here, *elsewhere)))
        message = PresenceMessage(
            table=table_id,
            seats=tuple(sorted(seats & set(range(len(table.seats))))),
            watchers=sum(each.watchers for each in (here, *elsewhere)),
        )
        await asyncio.gather(*(each.tell(message) for each in listeners), return_exceptions=True)

    async def _make_known(self, here: TablePresence) -> None:
        """Announce to the other processes, if it has changed; ask them in return at first."""
        before = self._announced.get(here.table_id)
        known = before is not None and before[1:3] == here[1:3]
        if self._announce is None or (known and here.table_id not in self._new):
            return
        if here.seats or here.watchers:
            self._announced[here.table_id] = here
        else:
            self._announced.pop(here.table_id, None)
        asks = here.table_id in self._new
        self._new.discard(here.table_id)
        await self._send([here._replace(asks=asks)])

    async def _send(self, there: Sequence[TablePresence]) -> None:
        if self._announce is None or not there:
            return
        try:
            await self._announce(there)
        except Exception:
            log.warning("presence could not be announced", exc_info=True)


def _seated(table: Table) -> tuple[PersonId | None, ...]:
    return tuple(seat.person for seat in table.seats)


def _counted(table: Table, listeners: Sequence[Present]) -> TablePresence:
    """Return the seats of these connections, and the number of watchers."""
    people = {each.person_id for each in listeners}
    seats = sorted({seat for person in people for seat in held_by(table.seats, person)})
    watchers = sum(not held_by(table.seats, person) for person in people)
    return TablePresence(table.id, tuple(seats), watchers)
