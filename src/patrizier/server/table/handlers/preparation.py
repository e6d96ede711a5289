"""Before the game: seats, contributions to the deal, and the start."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from patrizier.deal import Deal
from patrizier.options import Options
from patrizier.server.errors import BadName
from patrizier.server.names import tidy_name
from patrizier.server.reasons import Reason
from patrizier.server.table import commands as c
from patrizier.server.table.actor import Actor, own_seat
from patrizier.server.table.colours import colour_for, colours
from patrizier.server.table.commands import Refused
from patrizier.server.table.events import (
    BotSeated,
    Closed,
    ColourChosen,
    Contributed,
    Event,
    HostChanged,
    Joined,
    Left,
    Started,
)
from patrizier.server.table.seats import (
    Seats,
    SeatState,
    after_all,
    contributions,
    first_free,
    held_by,
    is_full,
    missing,
    people,
)
from patrizier.server.table.setup import PersonId, Seat, TableId
from patrizier.server.table.state import TableState

MOST_REPAINTS = 20  # changes of colour on one seat, to bound the events

Derive: TypeAlias = Callable[[bytes, TableId, Options, Mapping[int, str], Seat | None], Deal]


def gather(table: TableState, command: c.Gathering, actor: Actor, derive: Derive) -> list[Event]:
    """Return the events of a command before the game; the last one needed starts it."""
    if table.phase != "open":
        raise Refused(Reason.GAME_STARTED if table.playing else Reason.TABLE_CLOSED)
    events = _gather(table, command, actor)
    seats = after_all(table.seats, events)
    ready = is_full(seats) and not missing(seats)
    if isinstance(command, c.Start):
        _check_waived(seats, held_by(seats, actor.person))
        ready = True
    return [*events, *([started(table, seats, derive)] if ready else [])]


def _gather(table: TableState, command: c.Gathering, actor: Actor) -> list[Event]:
    match command:
        case c.Join():
            return _join(table, command, actor)
        case c.ChooseColour():
            return _choose_colour(table, command, actor)
        case c.Leave():
            return _leave(table, command, actor)
        case c.Contribute():
            return _contribute(table, command, actor)
        case c.Start():
            return []
    if actor.person != table.host:
        raise Refused(Reason.HOST_ONLY)
    match command:
        case c.SeatBot():
            return _seat_bot(table, command)
        case c.FillWithBots():
            return _fill_with_bots(table, command)
        case c.Unseat():
            return _unseat(table, command)
        case c.Close():
            return [Closed("host")]


def started(table: TableState, seats: Seats, derive: Derive) -> Started:
    """Return the start of the game, with the deal derived from secret and contributions."""
    assert table.created
    secret, not_first = bytes.fromhex(table.created.secret), table.created.not_first
    deal = derive(secret, table.id, table.setup.options, contributions(seats), not_first)
    return Started(deal.start, str(deal))


def _check_waived(seats: Seats, own: tuple[Seat, ...]) -> None:
    """Raise Refused unless the game may start without the sender's contribution."""
    if not own:
        raise Refused(Reason.NOT_SEATED)
    if not is_full(seats):
        raise Refused(Reason.SEATS_FREE)
    if set(missing(seats)) - set(own):
        raise Refused(Reason.DEAL_WAITS)


def _join(table: TableState, command: c.Join, actor: Actor) -> list[Event]:
    held = held_by(table.seats, actor.person)
    if held and not command.hot_seat:
        raise Refused(Reason.SEATED_ALREADY)
    if held and table.rated:
        raise Refused(Reason.ONE_SEAT_EACH)
    seat = first_free(table.seats) if command.seat is None else command.seat
    if seat is None:
        raise Refused(Reason.NO_FREE_SEAT)
    if not _seat(table, seat).is_free:
        raise Refused(Reason.SEAT_TAKEN)
    name = (command.name if held else None) or actor.name
    colour = colour_for(table.setup, table.seats, seat, command.colour)
    avatar = "" if held else actor.avatar
    events: list[Event] = [Joined(seat, actor.person, _tidy(name), bool(held), colour, avatar)]
    if command.contribution:
        events.append(Contributed(seat, command.contribution))
    return events


def _choose_colour(table: TableState, command: c.ChooseColour, actor: Actor) -> list[Event]:
    state = own_seat(table, actor, command.seat)
    if colours(table.setup, table.seats)[command.seat] == command.colour:
        return []
    colour_for(table.setup, table.seats, command.seat, command.colour)
    if state.repaints >= MOST_REPAINTS:
        raise Refused(Reason.COLOUR_OFTEN)
    return [ColourChosen(command.seat, command.colour)]


def _leave(table: TableState, command: c.Leave, actor: Actor) -> list[Event]:
    held = held_by(table.seats, actor.person)
    if command.seat is not None:
        own_seat(table, actor, command.seat)
        held = (command.seat,)
    if not held:
        raise Refused(Reason.NOT_SEATED)
    return leaving(table, actor.person, held)


def leaving(table: TableState, person: PersonId, held: tuple[Seat, ...]) -> list[Event]:
    """Return the events of a person leaving seats; a table without people is closed."""
    events: list[Event] = [Left(seat) for seat in held]
    rest = people(after_all(table.seats, events))
    if person != table.host or person in rest:
        return events
    return [*events, HostChanged(rest[0]) if rest else Closed("empty")]


def _contribute(table: TableState, command: c.Contribute, actor: Actor) -> list[Event]:
    given = own_seat(table, actor, command.seat).contribution
    if given == command.contribution:
        return []
    if given is not None:
        raise Refused(Reason.DEAL_GIVEN)
    return [Contributed(command.seat, command.contribution)]


def _seat_bot(table: TableState, command: c.SeatBot) -> list[Event]:
    state = _seat(table, command.seat)
    if state.person is not None:
        raise Refused(Reason.SEAT_TAKEN)
    if state.level == command.level:
        return []
    return _bots(table, [command.seat], command)


def _fill_with_bots(table: TableState, command: c.FillWithBots) -> list[Event]:
    free = [number for number, seat in enumerate(table.seats) if seat.is_free]
    return _bots(table, free, command)


def _bots(table: TableState, free: list[Seat], command: c.SeatBot | c.FillWithBots) -> list[Event]:
    events: list[Event] = [BotSeated(seat, command.level) for seat in free]
    seats = after_all(table.seats, events)
    if first_free(seats) is None and not people(seats):
        raise Refused(Reason.PERSON_NEEDED)
    return events


def _unseat(table: TableState, command: c.Unseat) -> list[Event]:
    state = _seat(table, command.seat)
    if state.is_free:
        return []
    if state.person == table.host:
        raise Refused(Reason.OWN_SEAT)
    return [Left(command.seat)]


def _seat(table: TableState, seat: Seat) -> SeatState:
    if seat >= len(table.seats):
        raise Refused(Reason.NO_SEAT)
    return table.seats[seat]


def _tidy(name: str) -> str:
    try:
        return tidy_name(name)
    except BadName as error:
        raise Refused(error.reason, **error.values) from None
