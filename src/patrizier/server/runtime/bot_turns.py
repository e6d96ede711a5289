"""Sees to it that bots play: asks the thinkers, and plays their answers at the tables."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from patrizier.server.logs import log
from patrizier.server.store.base import TableStore
from patrizier.server.table.commands import Refused
from patrizier.server.table.events import Event, Stored
from patrizier.server.table.setup import TableId
from patrizier.server.table.table import Table

from .live_tables import Tables
from .thinkers import Thinkers

MOST_WAITING = 10_000  # tables; those left out are found again in the store
LOOK = 10.0  # seconds between two looks for tables that nobody has cared for
_ORPHANED = 30.0  # seconds without a move: then whoever was to see to it is gone
_PAGE = 500


class BotTurns:
    """A queue of tables, each in it at most once: so no table gets ahead of the others."""

    def __init__(
        self,
        store: TableStore,
        tables: Tables,
        thinkers: Thinkers,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._tables = tables
        self._thinkers = thinkers
        self._now = now
        self._waiting: OrderedDict[TableId, None] = OrderedDict()
        self._busy: set[TableId] = set()
        self._news = asyncio.Event()
        tables.observers.append(self.notice)

    @property
    def waiting(self) -> int:
        """How many tables wait for their bot."""
        return len(self._waiting) + len(self._busy)

    def notice(self, table: Table, _stored: Sequence[Stored] = ()) -> None:
        """Queue a table if a bot is to move there."""
        if table.bot_to_move() is not None:
            self._add(table.id)

    async def run(self) -> None:
        """Work until cancelled."""
        async with asyncio.TaskGroup() as group:
            for _ in range(2 * self._thinkers.count):  # one thinks, one stores
                group.create_task(self._play())
            await self._look(before=float("inf"))  # resume what a restart interrupted
            while True:
                await asyncio.sleep(LOOK)
                await self._look(before=self._now() - _ORPHANED)

    async def _look(self, before: float) -> None:
        """Queue the tables that the store knows of and nobody has cared for."""
        try:
            after = ""
            while ids := await self._store.bot_tables(_PAGE, after, before):
                after = ids[-1]
                for table_id in ids:
                    self._add(table_id)
        except Exception:
            log.exception("bots could not be looked for")

    def _add(self, table_id: TableId) -> None:
        if len(self._waiting) < MOST_WAITING:
            self._waiting[table_id] = None
            self._news.set()

    async def _play(self) -> None:
        """Play one turn after the other, each at the table that has waited longest."""
        while True:
            table_id = next((each for each in self._waiting if each not in self._busy), None)
            if table_id is None:
                self._news.clear()
                await self._news.wait()
                continue
            del self._waiting[table_id]
            self._busy.add(table_id)
            try:
                await self._turn(table_id)
            except Refused:
                pass  # the table has gone on, or is gone
            except Exception:
                log.exception("a bot could not play")
            finally:
                self._busy.discard(table_id)
                self._news.set()

    async def _turn(self, table_id: TableId) -> None:
        table = await self._tables.get(table_id)
        to_move, game = table.bot_to_move(), table.game
        if to_move is None or game is None:
            return
        (seat, level), turn, step = to_move, table.turn, table.step
        move = await self._thinkers.choose(game.view(seat), level)

        def make(current: Table, _now: float) -> list[Event]:
            # Refused as stale if anything has happened while the bot was thinking.
            return current.bot_events(seat, str(move), turn, step)

        await self._tables.change(table_id, make)
