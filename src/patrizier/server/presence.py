"""Who is connected to a table in this process, and telling each other so."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Protocol

from .commands import Refused
from .protocol import PresenceMessage
from .seats import held_by
from .table import Table

_PAUSE = 0.3  # seconds in which several comings and goings become one message


class Present(Hashable, Protocol):
    """A connection of somebody."""

    @property
    def person_id(self) -> str:
        """Who it is."""

    async def tell(self, message: PresenceMessage) -> None:
        """Send a message; nothing happens if the connection is gone."""


class Presence:
    """All connections, by table."""

    def __init__(self, get: Callable[[str], Awaitable[Table]]) -> None:
        self._get = get
        self._there: dict[str, set[Present]] = {}
        self._telling: dict[str, asyncio.Task[None]] = {}

    def come(self, table_id: str, who: Present) -> None:
        """Note that a connection follows a table."""
        self._there.setdefault(table_id, set()).add(who)
        self._tell_soon(table_id)

    def go(self, table_id: str, who: Present) -> None:
        """Note that it does no more."""
        there = self._there.get(table_id, set())
        there.discard(who)
        if there:
            self._tell_soon(table_id)
        else:
            self._there.pop(table_id, None)

    def close(self) -> None:
        """Tell nobody any more."""
        for task in self._telling.values():
            task.cancel()

    def _tell_soon(self, table_id: str) -> None:
        if table_id not in self._telling:
            self._telling[table_id] = asyncio.create_task(self._tell(table_id))

    async def _tell(self, table_id: str) -> None:
        try:
            await asyncio.sleep(_PAUSE)
            table = await self._get(table_id)
        except Refused:
            return
        finally:
            del self._telling[table_id]
        there = list(self._there.get(table_id, ()))
        people = {each.person_id for each in there}
        seats = sorted({seat for person in people for seat in held_by(table.seats, person)})
        watchers = sum(not held_by(table.seats, person) for person in people)
        message = PresenceMessage(table=table_id, seats=tuple(seats), watchers=watchers)
        await asyncio.gather(*(each.tell(message) for each in there), return_exceptions=True)
