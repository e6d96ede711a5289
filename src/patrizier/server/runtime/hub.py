"""The subscribers of this process, by table. Publishing never waits for a subscriber.

A subscription has no queue that could fill up: it is woken, and then reads the latest state. A
subscriber that reads nothing for too long is dropped, and resumes by sequence number.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Set
from time import monotonic
from typing import Generic, TypeVar

from patrizier.server.protocol.messages import TableMessage, YourTurnMessage
from patrizier.server.table.setup import PersonId, Seat, TableId

MOST_BEHIND = 200  # unread events before a subscriber is dropped
UNREAD_TIMEOUT = 60.0  # seconds with an unread event before it is dropped
_MOST_TURNS = 100  # pending "your turn" notices

M = TypeVar("M")


class Dropped(Exception):
    """The subscriber was too slow."""


class _Waking(ABC, Generic[M]):
    """An async iterator of messages, woken from outside; it ends when the server stops."""

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._behind = 0  # unread events
        self._since = 0.0  # when the first of them came
        self.dropped = False
        self.ended = False

    def end(self) -> None:
        """End after what is unread: the server is stopping."""
        self.ended = True
        self._news.set()

    def wake(self) -> None:
        """Signal that there is something new."""
        now = monotonic()
        if self._behind == 0:
            self._since = now
        self._behind += 1
        if self._behind > MOST_BEHIND or now - self._since > UNREAD_TIMEOUT:
            self.dropped = True
        self._news.set()

    def __aiter__(self) -> "_Waking[M]":
        return self

    async def __anext__(self) -> M:
        while self._behind or not self.ended:
            await self._news.wait()
            self._news.clear()
            if self.dropped:
                raise Dropped
            self._behind = 0
            try:
                message = await self._next()
            except asyncio.CancelledError:
                self._news.set()  # so that the next call returns it
                raise
            if message is not None:
                return message
        raise StopAsyncIteration

    @abstractmethod
    async def _next(self) -> M | None:
        """Return the next message; None if there is nothing to send after all."""


class Subscription(_Waking[TableMessage]):
    """A client's subscription to a table: iterate over it."""

    def __init__(
        self,
        table_id: TableId,
        person: PersonId | None,
        key: str,
        since: int,
        tell: "Callable[[Subscription], Awaitable[TableMessage | None]]",
        address: str = "",
    ) -> None:
        super().__init__()
        self.table_id = table_id
        self.person = person
        self.key = key  # from the watchers' link
        self.address = address  # the client's network
        self.last_seq = since  # the last sequence number sent
        self.is_new = True  # the first message is always sent
        self._tell = tell

    async def _next(self) -> TableMessage | None:
        return await self._tell(self)


class TurnNotices(_Waking[YourTurnMessage]):
    """A client's subscription to a person's "your turn" notices, at any table."""

    def __init__(self, person: PersonId) -> None:
        super().__init__()
        self.person = person
        self._turns: dict[TableId, Seat] = {}  # not sent yet
        self._last_turns: dict[TableId, int] = {}  # the last turn sent

    def add(self, table_id: TableId, seat: Seat, turn: int) -> None:
        """Add a notice, once per turn; of too many only the latest are kept."""
        if self._last_turns.pop(table_id, None) != turn:
            self._turns.pop(table_id, None)
            self._turns[table_id] = seat
            self.wake()
        self._last_turns[table_id] = turn
        for known in (self._turns, self._last_turns):
            if len(known) > _MOST_TURNS:
                known.pop(next(iter(known)))

    async def _next(self) -> YourTurnMessage | None:
        if not self._turns:
            return None
        table_id = next(iter(self._turns))
        seat = self._turns.pop(table_id)
        if self._turns:
            self._news.set()
        return YourTurnMessage(table=table_id, seat=seat)


class Hub:
    """All subscribers of this process."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._tables: dict[TableId, set[Subscription]] = {}
        self._people: dict[PersonId, set[TurnNotices]] = {}
        self._here: dict[PersonId, int] = {}  # subscriptions per person
        self._left: dict[PersonId, float] = {}  # when the last one ended
        self._closed = False

    def add(self, subscription: Subscription) -> None:
        """Add a subscriber; it gets the present state first."""
        self._tables.setdefault(subscription.table_id, set()).add(subscription)
        if subscription.person is not None:
            self._here[subscription.person] = self._here.get(subscription.person, 0) + 1
        subscription.wake()
        if self._closed:
            subscription.end()

    def remove(self, subscription: Subscription) -> None:
        """Remove a subscriber."""
        there = self._tables.get(subscription.table_id, set())
        if subscription not in there:
            return
        there.remove(subscription)
        if not there:
            del self._tables[subscription.table_id]
        if subscription.person is not None:
            self._here[subscription.person] -= 1
            if not self._here[subscription.person]:
                del self._here[subscription.person]
                self._left[subscription.person] = self._now()

    def add_notices(self, notices: TurnNotices) -> None:
        """Add a subscriber to a person's turns."""
        self._people.setdefault(notices.person, set()).add(notices)

    def remove_notices(self, notices: TurnNotices) -> None:
        """Remove a subscriber to a person's turns."""
        there = self._people.get(notices.person, set())
        there.discard(notices)
        if not there:
            self._people.pop(notices.person, None)

    def publish(self, table_id: TableId, but: Subscription | None = None) -> None:
        """Wake a table's subscribers, except the one that is answered directly."""
        for subscription in self._tables.get(table_id, ()):
            if subscription is not but:
                subscription.wake()

    def your_turn(self, person: PersonId | None, table_id: TableId, seat: Seat, turn: int) -> None:
        """Notify a person of their turn, once per turn."""
        for notices in self._people.get(person or "", ()):
            notices.add(table_id, seat, turn)

    def close(self) -> None:
        """End all subscriptions, so that waiting requests are answered."""
        self._closed = True
        for subscriptions in self._tables.values():
            for subscription in subscriptions:
                subscription.end()
        for everybody in self._people.values():
            for notices in everybody:
                notices.end()

    def followers(self, table_id: TableId) -> Set[Subscription]:
        """Return the subscribers of a table."""
        return self._tables.get(table_id, frozenset())

    def followed(self) -> Iterable[TableId]:
        """Return the tables with subscribers."""
        return list(self._tables)

    def seen(self, people: Iterable[PersonId]) -> dict[PersonId, float]:
        """Return when each person was last connected here; for those connected, the time now."""
        now = self._now()
        times = ((p, now if p in self._here else self._left.get(p)) for p in people)
        return {person: at for person, at in times if at is not None}

    def here(self) -> list[PersonId]:
        """Return everybody who is connected, and drop those who left long ago."""
        long_ago = self._now() - 24 * 3600
        self._left = {person: at for person, at in self._left.items() if at > long_ago}
        return list(self._here)
