"""Plays the bots' turns: only where somebody is present, and in fair shares."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence

from patrizier.bots.base import Candidate
from patrizier.move import Move
from patrizier.server.logs import log
from patrizier.server.names import GUEST_BOT
from patrizier.server.reasons import Reason
from patrizier.server.store.base import TableStore
from patrizier.server.table.commands import Refused
from patrizier.server.table.events import Event, Stored
from patrizier.server.table.setup import PersonId, TableId
from patrizier.server.table.table import Table
from patrizier.server.workers.account import Account
from patrizier.server.workers.pool import Answer, WorkerPool
from patrizier.view import View

from .attendance import Attendance
from .live_tables import Tables

MOST_WAITING = 10_000  # tables; others are picked up later
MOST_ALIKE = 500  # of them from one network
LOOK = 10.0  # seconds between searches for orphaned tables
_ORPHANED = 30.0  # seconds without a move until a table counts as orphaned
_PAGE = 500
_MOST_HURRIED = 10_000  # tables for which this is kept


class BotTurns:
    """One task for every table with a bot to move and somebody present."""

    def __init__(
        self,
        store: TableStore,
        tables: Tables,
        pool: WorkerPool,
        attendance: Attendance,
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._tables = tables
        self._pool = pool
        self._attendance = attendance
        self._now = now
        self._playing: dict[TableId, asyncio.Task[None]] = {}
        self._hurried: OrderedDict[TableId, float] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many tables wait for their bot."""
        return len(self._playing)

    def hurry(self, table_id: TableId) -> float | None:
        """Return how long the last bot at a table thought, if less than usual."""
        return self._hurried.get(table_id)

    def attend(self, table: Table, person: PersonId | None, address: str) -> None:
        """Note that somebody is present at a table, and let its bot play."""
        self._attendance.visit(table.id, person, address)
        self.notice(table)

    def notice(self, table: Table, _stored: Sequence[Stored] = ()) -> None:
        """Let a bot play if it is to move and somebody is present."""
        if table.id in self._playing or table.bot_to_move() is None:
            return
        account = self._attendance.account(table)
        if account is None or len(self._playing) >= MOST_WAITING:
            return
        if self._pool.waiting(account.address) < MOST_ALIKE:
            self._playing[table.id] = asyncio.create_task(self._play(table.id))

    async def advise(
        self, view: View, account: Account, about: Move | None = None
    ) -> tuple[Candidate, ...]:
        """Return the best bot's turns for a view, and a turn asked about; raises `Busy`."""
        return await self._pool.advise(view, account, about)

    def check(self, level: str) -> None:
        """Raise Refused if it is a guest bot that is not at this server."""
        if level.startswith(GUEST_BOT) and level not in self._pool.guests:
            raise Refused(Reason.NO_BOT, name=level.removeprefix(GUEST_BOT))

    async def reply(self, view: View, level: str, account: Account) -> Move:
        """Return a level's turn for a view outside any table; raises `Busy`."""
        return await self._pool.reply(view, level, account)

    async def run(self) -> None:
        """Pick up tables whose bot has not moved, until cancelled; then stop all bots."""
        try:
            await self.look(before=float("inf"))  # resume what a restart interrupted
            while True:
                await asyncio.sleep(LOOK)
                await self.look(before=self._now() - _ORPHANED)
        finally:
            tasks = list(self._playing.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def look(self, before: float) -> None:
        """Let bots play at tables untouched since then."""
        try:
            for table_id in self._attendance.tables():
                await self._find(table_id, before)
            after = ""
            while ids := await self._store.bot_tables(_PAGE, after, before):
                after = ids[-1]
                for table_id in ids:
                    await self._find(table_id, before)
        except Exception:
            log.exception("the search for waiting bots failed")

    async def _find(self, table_id: TableId, before: float) -> None:
        try:
            table = await self._tables.get(table_id)
        except Refused:
            return
        if table.last_at < before:
            self.notice(table)

    async def _play(self, table_id: TableId) -> None:
        """Play turns as long as bots are to move at a table."""
        try:
            table = await self._tables.get(table_id)
            while (account := self._wanted(table)) is not None:
                table = await self._turn(table_id, account)
        except Exception:
            log.exception("a bot could not play")
        finally:
            del self._playing[table_id]

    def _wanted(self, table: Table) -> Account | None:
        """Return the account a bot should play on now; None if it should not."""
        return None if table.bot_to_move() is None else self._attendance.account(table)

    async def _turn(self, table_id: TableId, account: Account) -> Table:
        """Play one turn once this account gets a worker; return the table after it."""
        table = await self._tables.get(table_id)
        if (to_move := table.bot_to_move()) is not None:
            await self._pool.prepared(to_move[1], table.setup.options)
        async with self._pool.place(account) as place:
            table = await self._tables.get(table_id)  # it may have changed meanwhile
            to_move, game = table.bot_to_move(), table.game
            if to_move is None or game is None or self._attendance.account(table) is None:
                return table
            (seat, level), turn, step = to_move, table.turn, table.step
            answer = await place.choose(game.view(seat), level, (table_id, seat))
        self._note(table_id, answer)

        def make(current: Table, _now: float) -> list[Event]:
            # Refused as stale if something has happened while the bot was thinking.
            return current.bot_events(seat, str(answer.move), turn, step)

        try:
            return await self._tables.change(table_id, make)
        except Refused:
            after = await self._tables.get(table_id)
            if after.seq == table.seq:
                raise  # else it would be retried forever
            return after

    def _note(self, table_id: TableId, answer: Answer) -> None:
        """Note how long a bot thought, for the page."""
        self._hurried.pop(table_id, None)
        if answer.seconds is not None:
            self._hurried[table_id] = answer.seconds
            if len(self._hurried) > _MOST_HURRIED:
                self._hurried.popitem(last=False)
