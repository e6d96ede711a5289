"""The table service: create, command, read, subscribe, rematch, and people's changes."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from random import SystemRandom
from typing import Protocol

from patrizier.bots.base import Candidate
from patrizier.move import Move
from patrizier.server.deal.dealer import FAIR_DEALER, Dealer
from patrizier.server.people.erasure import guests_of, scrub
from patrizier.server.protocol.messages import TableMessage
from patrizier.server.store.base import Store
from patrizier.server.store.rows import Opening
from patrizier.server.table.actor import role_of
from patrizier.server.table.commands import Command, FillWithBots, OfferRematch, Refused, SeatBot
from patrizier.server.table.events import Event, stamp
from patrizier.server.table.setup import PersonId, Seat, TableId, TableSetup
from patrizier.server.table.table import Table
from patrizier.server.table.visibility import visible
from patrizier.server.workers.account import Account
from patrizier.view import View

from .hub import Hub, Subscription, TurnNotices
from .live_tables import Tables
from .open_tables import OpenTables
from .summary import summary_of

_FRESH = 0.25  # seconds for which watchers share a message
_MOST_SHARED = 50  # messages


def new_watch_key() -> str:
    """Return the secret part of a watchers' link."""
    return secrets.token_urlsafe(12)


class Bots(Protocol):
    """Plays the bots' turns."""

    def attend(self, table: Table, person: PersonId | None, address: str) -> None:
        """Note that somebody is present at a table: bots play only there."""

    def hurry(self, table_id: TableId) -> float | None:
        """Return how long the last bot at a table thought, if less than usual."""

    async def advise(
        self, view: View, account: Account, about: Move | None = None
    ) -> tuple[Candidate, ...]:
        """Return the best bot's turns for a view, and a turn asked about; raises `Busy`."""

    async def reply(self, view: View, level: str, account: Account) -> Move:
        """Return a level's turn for a view outside any table; raises `Busy`."""

    def check(self, level: str) -> None:
        """Raise Refused if it is a guest bot that is not at this server."""


class TableService:
    """The tables of this server, as the HTTP layer uses them."""

    def __init__(
        self,
        store: Store,
        hub: Hub,
        tables: Tables,
        bots: Bots,
        open_tables: OpenTables,
        *,
        secret: str,
        now: Callable[[], float],
        dealer: Dealer = FAIR_DEALER,
        watch_key: Callable[[], str] = new_watch_key,
    ) -> None:
        self.store = store
        self.hub = hub
        self.tables = tables
        self.bots = bots
        self._open_tables = open_tables
        self._secret = secret.encode()
        self._now = now
        self._dealer = dealer
        self._watch_key = watch_key
        self._watchers: dict[tuple[TableId, int, int, str], TableMessage] = {}

    def now(self) -> float:
        """Return the shared time in unix seconds."""
        return self._now()

    # -- making and acting

    async def create(
        self,
        person: PersonId,
        name: str,
        setup: TableSetup,
        command_id: str,
        *,
        take_seat: bool = True,
        seat: Seat | None = None,
        address: str = "",
        avatar: str = "",
    ) -> TableMessage:
        """Create a table; idempotent by command id. Raises Refused."""
        for bot in setup.seats:
            self.bots.check(bot)
        table_id = self._table_id("create", person, command_id)
        secret = self._dealer.new_secret()
        table, events = Table.new(
            table_id,
            setup,
            person,
            name,
            secret=secret,
            commitment=self._dealer.commit(secret, table_id, setup.options),
            watch_key=self._watch_key(),
            take_seat=take_seat,
            seat=seat,
            avatar=avatar,
            dealer=self._dealer,
        )
        try:
            async with self._open_tables.admission(person, address):
                made = await self.tables.open(table, events, command_id=command_id, person=person)
                self._open_tables.made(made, address)
        except Refused:
            known = await self._known(table_id)  # a retry is not refused
            if known is None:
                raise
            made = known
        self.bots.attend(made, person, address)
        return visible(made, person, now=self._now(), answers=command_id)

    async def _known(self, table_id: TableId) -> Table | None:
        """Return a table if there is one."""
        try:
            return await self.tables.get(table_id)
        except Refused:
            return None

    async def command(
        self,
        table_id: TableId,
        person: PersonId,
        command: Command,
        *,
        name: str = "",
        key: str = "",
        since: int = 0,
        via: Subscription | None = None,
        address: str = "",
        avatar: str = "",
    ) -> TableMessage:
        """Carry out a command; return the table for that person, with log entries after ``since``.

        Raises Refused, and then nothing has changed. ``via`` is the sender's own subscription; the
        answer replaces its next message.
        """
        since = via.last_seq if via else since
        if isinstance(command, SeatBot | FillWithBots):
            self.bots.check(command.level)

        def make(table: Table, now: float) -> list[Event]:
            return table.handle(command, person, now, name=name, key=key, avatar=avatar)

        try:
            table = await self.tables.change(
                table_id, make, command_id=command.id, person=person, via=via
            )
        except Refused:
            # A retry is not refused, even if the command is no longer possible.
            if not await self.store.has_command(table_id, person, command.id):
                raise
            table = await self.tables.get(table_id)
        if isinstance(command, OfferRematch) and table.wants_rematch:
            table = await self._rematch(table_id)
        self.bots.attend(table, person, via.address if via else address)
        hurry = self.bots.hurry(table_id)
        return visible(
            table, person, now=self._now(), since=since, key=key, answers=command.id, hurry=hurry
        )

    async def _rematch(self, table_id: TableId) -> Table:
        """Create the rematch table and seat everybody there, in one transaction."""
        table = await self.tables.get(table_id)
        next_id = self._table_id("rematch", table_id, "")
        events = table.rematch_events(next_id, SystemRandom())
        now = max(self._now(), table.last_at)
        later = table.after(stamp(events, table.seq, now))
        secret = self._dealer.new_secret()
        first = later.next_table(
            secret=secret,
            commitment=self._dealer.commit(
                secret, next_id, later.setup.options, later.not_first_next
            ),
            watch_key=self._watch_key(),
        )
        stored = stamp(first, 0, now)
        there = Table.load(next_id, stored, self._dealer)
        opening = Opening(next_id, tuple(stored), summary_of(there, now, {}))

        def make(current: Table, now: float) -> list[Event]:
            # The seats are those of the lot, whatever happened meanwhile.
            return events if current.wants_rematch and current.seats == table.seats else []

        return await self.tables.change(table_id, make, opening=opening)

    # -- reading and subscribing

    async def message(
        self,
        table_id: TableId,
        person: PersonId | None,
        *,
        since: int = 0,
        key: str = "",
        address: str = "",
    ) -> TableMessage:
        """Return a table for a person, with log entries after ``since``."""
        table = await self.tables.get(table_id)
        self.bots.attend(table, person, address)
        return self._message(table, person, since, key)

    @asynccontextmanager
    async def subscribe(
        self,
        table_id: TableId,
        person: PersonId | None,
        *,
        since: int = 0,
        key: str = "",
        address: str = "",
    ) -> AsyncIterator[Subscription]:
        """Subscribe to a table; the first message comes at once. Raises Refused."""
        table = await self.tables.get(table_id)
        subscription = Subscription(table_id, person, key, since, self._tell, address)
        self.hub.add(subscription)
        self.bots.attend(table, person, address)
        try:
            yield subscription
        finally:
            self.hub.remove(subscription)

    @contextmanager
    def turns_of(self, person: PersonId) -> Iterator[TurnNotices]:
        """Subscribe to a person's "your turn" notices."""
        notices = TurnNotices(person)
        self.hub.add_notices(notices)
        try:
            yield notices
        finally:
            self.hub.remove_notices(notices)

    async def _tell(self, subscription: Subscription) -> TableMessage | None:
        """Return a subscriber's next message; None if it is up to date."""
        table = await self.tables.get(subscription.table_id)
        since = subscription.last_seq
        if table.seq <= since and not subscription.is_new:
            return None
        subscription.last_seq, subscription.is_new = table.seq, False
        return self._message(table, subscription.person, min(since, table.seq), subscription.key)

    def _message(self, table: Table, person: PersonId | None, since: int, key: str) -> TableMessage:
        """Return a message; watchers all see the same, and share theirs."""
        now, hurry = self._now(), self.bots.hurry(table.id)
        if person == table.host or role_of(table, person, key) == "player":
            return visible(table, person, now=now, since=since, key=key, hurry=hurry)
        index = (table.id, table.seq, since, key)
        message = self._watchers.get(index)
        if message is None or not 0 <= now - message.now < _FRESH:
            message = visible(table, None, now=now, since=since, key=key, hurry=hurry)
            if len(self._watchers) >= _MOST_SHARED:
                self._watchers.clear()
            self._watchers[index] = message
        return message

    # -- people

    async def rename(self, person: PersonId, name: str, avatar: str | None = None) -> None:
        """Change a person's name, or their avatar, at all unfinished tables."""
        for table in await self.store.tables_of(person, limit=1000):
            await self.tables.change(table.id, lambda t, _: t.rename_events(person, name, avatar))

    async def take_along(self, guest: PersonId, person: PersonId, name: str) -> None:
        """Give a guest's games to the account they have signed in to.

        A table at which both have seats is not changed.
        """

        def make(table: Table, _now: float) -> list[Event]:
            return table.adopt_events(guest, person, name)

        for table_id in await self.store.all_tables_of(guest):
            before = (await self.tables.get(table_id)).seq
            table = await self.tables.change(table_id, make, person=person)
            if table.seq > before:
                await self.store.results.adopt(table_id, guest, person)
        await self.store.results.adopt_ratings(guest, person)
        await self.store.friends.adopt(guest, person)
        await self.store.invitations.adopt(guest, person)
        await self.store.puzzles.adopt(guest, person)

    async def leave_tables(self, person: PersonId) -> None:
        """Remove a person's seats, name and words from all tables, to delete their data."""
        for table_id in await self.store.all_tables_of(person):
            table = await self.tables.change(table_id, lambda t, _: t.erase_events(person))
            events = await self.store.read(table_id)
            scrubbed = events
            for who in (person, *guests_of(events, person)):
                scrubbed = [replace(stored, event=scrub(stored.event, who)) for stored in scrubbed]
            changed = [new for new, old in zip(scrubbed, events, strict=True) if new != old]
            await self.store.rewrite(table_id, changed)
            if table.phase == "finished":
                await self.store.results.set_record(table_id, table.record_text())
            self.tables.forget(table_id)

    async def close(self) -> None:
        """Wait for work in progress."""
        await self.tables.close()

    def _table_id(self, *parts: str) -> TableId:
        """Return an unguessable id, the same for the same parts."""
        digest = hmac.digest(self._secret, "\n".join(("table", *parts)).encode(), hashlib.sha256)
        return urlsafe_b64encode(digest[:18]).decode()
