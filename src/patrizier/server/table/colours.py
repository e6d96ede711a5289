"""The colours of seats: people keep theirs, bots and free seats get the rest."""

from typing import cast

from patrizier.options import colours_for
from patrizier.server.reasons import Reason

from .commands import Refused
from .seats import Seats
from .setup import Colour, Seat, TableSetup


def colours(setup: TableSetup, seats: Seats) -> tuple[Colour, ...]:
    """Return the colour of every seat."""
    planned = _planned(setup)
    given = _of_people(setup, seats)
    for seat, colour in enumerate(planned):
        if seat not in given and colour not in given.values():
            given[seat] = colour
    left = [colour for colour in _allowed(setup) if colour not in given.values()]
    return tuple(given[seat] if seat in given else left.pop(0) for seat in range(len(planned)))


def free_colours(setup: TableSetup, seats: Seats) -> tuple[Colour, ...]:
    """Return the colours that no person has."""
    taken = _of_people(setup, seats).values()
    return tuple(colour for colour in _allowed(setup) if colour not in taken)


def colour_for(setup: TableSetup, seats: Seats, seat: Seat, wish: Colour | None) -> Colour | None:
    """Return the colour to store for a person on a seat; None for the seat's default.

    Raises Refused if another person has the colour, or it is not available.
    """
    others = {
        number: colour for number, colour in _of_people(setup, seats).items() if number != seat
    }
    if wish is not None and wish not in _allowed(setup):
        raise Refused(Reason.COLOUR_NOT_PLAYED, colour=wish, players=setup.players)
    if wish is not None and wish in others.values():
        raise Refused(Reason.COLOUR_TAKEN, colour=wish)
    given = wish or colours(setup, seats)[seat]
    return None if given == _planned(setup)[seat] else given


def _planned(setup: TableSetup) -> tuple[Colour, ...]:
    return setup.colours or _allowed(setup)[: setup.players]


def _allowed(setup: TableSetup) -> tuple[Colour, ...]:
    return cast("tuple[Colour, ...]", colours_for(setup.players))


def _of_people(setup: TableSetup, seats: Seats) -> dict[Seat, Colour]:
    planned = _planned(setup)
    return {
        number: seat.colour or planned[number]
        for number, seat in enumerate(seats)
        if seat.person is not None
    }
