"""Players of a `TableService`: they create tables, take seats, and play legal turns."""

from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

from patrizier.bots.base import Candidate
from patrizier.move import Move
from patrizier.server.protocol.messages import TableMessage
from patrizier.server.runtime.hub import Hub
from patrizier.server.runtime.live_tables import MOST_TABLES, Tables
from patrizier.server.runtime.news import News
from patrizier.server.runtime.open_tables import OpenTables
from patrizier.server.runtime.service import TableService
from patrizier.server.runtime.shared_time import Lease
from patrizier.server.store.rows import Pulse
from patrizier.server.store.sql import SqlStore
from patrizier.server.table.commands import Command, Join, Play
from patrizier.server.table.setup import TableSetup
from patrizier.server.table.table import Table
from patrizier.server.workers.account import Account
from patrizier.view import View

ANNA, BEN, CLEO = "anna-0123456789ab", "ben-0123456789abc", "cleo-0123456789ab"
SECRET = "a secret of thirty-two characters"
_numbers = count(1)


class Time:
    """A time source that the test moves."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def agree(self, _pulse: Pulse) -> float:
        return self()


def new_id() -> str:
    """Return an id for a command."""
    return f"c{next(_numbers)}"


class NoBots:
    """No bot turns: bots wait forever."""

    def attend(self, table: Table, person: str | None, address: str) -> None:
        pass

    def hurry(self, table_id: str) -> float | None:
        return None

    def check(self, level: str) -> None:
        pass

    async def advise(
        self, view: View, account: Account, about: Move | None = None
    ) -> tuple[Candidate, ...]:
        return ()

    async def reply(self, view: View, level: str, account: Account) -> Move:
        return view.legal[0]


def a_service(
    store: SqlStore,
    now: Callable[[], float] | None = None,
    open_tables: OpenTables | None = None,
    most_tables: int = MOST_TABLES,
    lease: Lease | None = None,
    news: News | None = None,
) -> TableService:
    """Return a new service, without bots."""
    now = now or Time()
    hub = Hub(now)
    open_tables, news = open_tables or OpenTables(store, 1000, 1000), news or News()
    news.on_change(open_tables.notice)
    tables = Tables(store, hub, now, news=news, lease=lease, most=most_tables)
    return TableService(store, hub, tables, NoBots(), open_tables, secret=SECRET, now=now)


async def sit_down(
    service: TableService, *people: str, setup: TableSetup | None = None, **choices: Any
) -> str:
    """Create a table with these people and their contributions; return its id."""
    choices.setdefault("players", max(2, len(people)))
    setup = setup or TableSetup(**choices)
    message = await service.create(people[0], people[0], setup, new_id(), take_seat=False)
    for number, person in enumerate(people):
        seat = [n for n, who in enumerate(setup.plan) if who == "person"][number]
        command = Join(id=new_id(), seat=seat, contribution=f"{number:064x}")
        await service.command(message.table, person, command, name=person)
    return message.table


def next_play(message: TableMessage, rng: Random | None = None, **changes: Any) -> Play:
    """Return a legal turn for the person of this message."""
    seat = message.you.to_move
    assert seat is not None, "it is not their turn"
    (view,) = [each.view.root for each in message.views if each.seat == seat]
    move = (rng or Random(1)).choice(view["legal"])
    fields = {"id": new_id(), "seat": seat, "move": move, "at_turn": message.turn}
    return Play(**fields | changes)


async def whose_turn(service: TableService, table: str, *people: str) -> tuple[str, TableMessage]:
    """Return who is to move, and their message."""
    for person in people:
        message = await service.message(table, person)
        if message.you.to_move is not None:
            return person, message
    raise AssertionError("nobody is to move")


async def play_turn(service: TableService, table: str, *people: str) -> TableMessage:
    """Play a turn for the person to move."""
    person, message = await whose_turn(service, table, *people)
    command: Command = next_play(message)
    return await service.command(table, person, command)
