"""The actor behind a command, and what they may do at a table."""

import hmac
from typing import NamedTuple

from patrizier.server.reasons import Reason

from .commands import Refused
from .seats import SeatState, held_by
from .setup import PersonId, Role, Seat
from .state import TableState


class Actor(NamedTuple):
    """The sender of a command, and the time."""

    person: PersonId
    now: float
    name: str = ""  # display name
    key: str = ""  # from the watchers' link
    avatar: str = ""


def role_of(table: TableState, person: PersonId | None, key: str = "") -> Role:
    """Return a person's role: player, watcher, or neither."""
    if held_by(table.seats, person):
        return "player"
    if table.setup.watch == "everyone":
        return "watcher"
    right = watch_key(table)
    given = right is not None and hmac.compare_digest(
        key.encode("utf-8", "replace"), right.encode()
    )
    return "watcher" if given else "outsider"


def watch_key(table: TableState) -> str | None:
    """Return the key in the watchers' link; None if no link opens the table.

    A game against bots belongs to the one person who played it: once it is over, its link opens it
    even where nobody could watch.
    """
    if table.created is None:
        return None
    own = table.phase == "finished" and sum(not seat.is_bot for seat in table.seats) == 1
    return table.created.watch_key if own or table.setup.watch != "nobody" else None


def own_seat(table: TableState, actor: Actor, seat: Seat) -> SeatState:
    """Return a seat that the person holds."""
    if seat >= len(table.seats):
        raise Refused(Reason.NO_SEAT)
    state = table.seats[seat]
    if state.person != actor.person:
        raise Refused(Reason.NOT_YOUR_SEAT)
    return state


def played_seat(table: TableState, actor: Actor, seat: Seat) -> SeatState:
    """Return a seat at which the person plays, in a running game."""
    if table.phase != "playing":
        raise Refused(Reason.NOT_PLAYING)
    state = own_seat(table, actor, seat)
    if not state.person_plays:
        raise Refused(Reason.STAND_IN)
    return state
