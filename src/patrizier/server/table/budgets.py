"""How much one person may do at a table, so that nobody uses it up for the others.

Turns cost nothing, for the game bounds them; and whoever wants to start, to close, to leave or to
give up can always do so.
"""

from patrizier.server.reasons import Reason

from . import commands as c
from .commands import Command, Refused
from .seats import held_by
from .setup import PersonId
from .state import TableState

GUEST = 100  # commands of somebody who is new at an open table, or watches
HOST = 300  # of who looks after it
PLAYER = 500  # of somebody who plays
MOST_BEFORE = 1500  # events before the game, as far as guests may bring them
MOST_EVENTS = 3000  # events, so that nobody fills the store

_FREE = c.Play | c.Decide | c.Start | c.Close | c.Leave | c.Resign


def check(table: TableState, command: Command, person: PersonId) -> None:
    """Raise Refused if a person has done enough at a table, or everybody has."""
    if isinstance(command, _FREE):
        return
    if is_spent(table, person):
        raise Refused(Reason.DONE_ENOUGH)
    is_guest = table.phase == "open" and person != table.host
    most = MOST_BEFORE if is_guest else MOST_EVENTS
    if table.seq >= most and not isinstance(command, c.TakeOver):
        raise Refused(Reason.TABLE_FULL)


def is_spent(table: TableState, person: PersonId) -> bool:
    """Whether a person has done all they may."""
    if table.phase == "open":
        most = HOST if person == table.host else GUEST
    else:
        most = PLAYER if held_by(table.seats, person) else GUEST
    return table.spent.get(person, 0) >= most
