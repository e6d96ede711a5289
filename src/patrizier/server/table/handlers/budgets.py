"""Limits on what one person may do at a table, so that nobody fills it up for the others.

Turns are free, since the game bounds them; starting, closing, leaving and resigning are always
allowed.
"""

from patrizier.server.reasons import Reason
from patrizier.server.table import commands as c
from patrizier.server.table.commands import Command, Refused
from patrizier.server.table.seats import held_by
from patrizier.server.table.setup import PersonId
from patrizier.server.table.state import TableState

GUEST = 100  # commands of a guest at an open table, or of a watcher
HOST = 300  # of the host
PLAYER = 500  # of a player
MOST_BEFORE = 1500  # events before the game that guests may cause
MOST_EVENTS = 3000  # events of a table

_FREE = c.Play | c.Decide | c.Start | c.Close | c.Leave | c.Resign


def check(table: TableState, command: Command, person: PersonId) -> None:
    """Raise Refused if a person's limit, or the table's, is reached."""
    if isinstance(command, _FREE):
        return
    if is_spent(table, person):
        raise Refused(Reason.DONE_ENOUGH)
    is_guest = table.phase == "open" and person != table.host
    most = MOST_BEFORE if is_guest else MOST_EVENTS
    if table.seq >= most and not isinstance(command, c.TakeOver):
        raise Refused(Reason.TABLE_FULL)


def is_spent(table: TableState, person: PersonId) -> bool:
    """Whether a person's limit is reached."""
    if table.phase == "open":
        most = HOST if person == table.host else GUEST
    else:
        most = PLAYER if held_by(table.seats, person) else GUEST
    return table.spent.get(person, 0) >= most
