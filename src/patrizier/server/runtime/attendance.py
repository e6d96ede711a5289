"""Who is present at which table of this process, and from which network.

Bots think only where somebody is present: subscribed to the table, or seen there a moment ago,
since pages reload and programs poll.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from time import monotonic
from typing import NamedTuple

from patrizier.server.table.seats import held_by, players
from patrizier.server.table.setup import PersonId, TableId
from patrizier.server.table.table import Table
from patrizier.server.workers.account import NOWHERE, Account

from .hub import Hub

LINGER = 60.0  # seconds
MOST_VISITS = 10_000  # tables; the longest unseen are dropped


class _Visit(NamedTuple):
    person: PersonId | None
    address: str
    until: float


class Attendance:
    """Subscribers and recent visitors."""

    def __init__(self, hub: Hub, now: Callable[[], float] = monotonic) -> None:
        self._hub = hub
        self._now = now
        self._visits: OrderedDict[TableId, _Visit] = OrderedDict()  # the last one at each table

    def visit(self, table_id: TableId, person: PersonId | None, address: str) -> None:
        """Note that a person is at a table now."""
        self._visits.pop(table_id, None)
        self._visits[table_id] = _Visit(person, address, self._now() + LINGER)
        if len(self._visits) > MOST_VISITS:
            self._visits.popitem(last=False)

    def account(self, table: Table) -> Account | None:
        """Return the account on which a table's bots think; None: nobody is present, they wait."""
        there = list(self._there(table.id))
        if there:
            first = min(there, key=lambda each: _rank(table, each[0]))
            return Account(first[1], table.host)
        return Account(NOWHERE, table.host) if table.bots_go_on else None

    def tables(self) -> set[TableId]:
        """Return the tables at which somebody is present."""
        now = self._now()
        while self._visits and next(iter(self._visits.values())).until < now:
            self._visits.popitem(last=False)
        return {*self._visits, *self._hub.followed()}

    def _there(self, table_id: TableId) -> Iterator[tuple[PersonId | None, str]]:
        for each in self._hub.followers(table_id):
            yield each.person, each.address
        visit = self._visits.get(table_id)
        if visit is not None and visit.until >= self._now():
            yield visit.person, visit.address


def _rank(table: Table, person: PersonId | None) -> int:
    """Return the priority of a person's account: the owner first, then players."""
    if person is not None and person == table.host:
        return 0
    if person in players(table.seats):
        return 1
    return 2 if held_by(table.seats, person) else 3
