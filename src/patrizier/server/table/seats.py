"""The seats as a value, and their changes by events."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from patrizier.server.names import SOMEBODY

from .events import (
    Adopted,
    BotSeated,
    ColourChosen,
    Contributed,
    Event,
    Joined,
    Left,
    PersonErased,
    Renamed,
    StandIn,
    TookOver,
)
from .setup import BotName, Colour, PersonId, Seat, Why


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat: free, a person's, or a bot's."""

    person: PersonId | None = None
    name: str = ""  # of the person
    hot_seat: bool = False  # shares the screen of another seat
    level: BotName | None = None  # of the bot that plays now
    stand_in: Why | None = None  # why a bot plays for the person
    contribution: str | None = None
    forfeited: bool = False  # a stand-in has played here
    erased: bool = False  # the person's data was deleted
    colour: Colour | None = None  # if not the seat's default
    repaints: int = 0  # changes of colour so far
    avatar: str = ""  # of the person; empty: none

    @property
    def is_free(self) -> bool:
        """Whether the seat is free."""
        return self.person is None and self.level is None and not self.erased

    @property
    def is_bot(self) -> bool:
        """Whether a bot has held this seat from the start."""
        return self.level is not None and self.stand_in is None

    @property
    def person_plays(self) -> bool:
        """Whether a person plays here, not a stand-in."""
        return self.person is not None and self.level is None


Seats: TypeAlias = tuple[SeatState, ...]


def after(seats: Seats, event: Event) -> Seats:
    """Return the seats after an event; most events do not change them."""
    match event:
        case Joined(seat, person, name, hot_seat, colour, avatar):
            state = SeatState(person, name, hot_seat, colour=colour, avatar=avatar)
            return _with(seats, seat, state)
        case ColourChosen(seat, colour):
            state = seats[seat]
            return _with(seats, seat, replace(state, colour=colour, repaints=state.repaints + 1))
        case BotSeated(seat, level):
            return _with(seats, seat, SeatState(level=level))
        case Left(seat):
            return _with(seats, seat, SeatState())
        case Contributed(seat, contribution):
            return _with(seats, seat, replace(seats[seat], contribution=contribution))
        case StandIn(seat, level, why):
            state = replace(seats[seat], level=level, stand_in=why, forfeited=True)
            return _with(seats, seat, state)
        case TookOver(seat):
            return _with(seats, seat, replace(seats[seat], level=None, stand_in=None))
        case Renamed(person, name, avatar):
            return tuple(
                replace(s, name=name, avatar=s.avatar if avatar is None else avatar)
                if s.person == person and not s.hot_seat
                else s
                for s in seats
            )
        case Adopted(guest, person, name):
            return tuple(
                replace(s, person=person, name=s.name if s.hot_seat or not name else name)
                if s.person == guest
                else s
                for s in seats
            )
        case PersonErased(person):
            return tuple(
                replace(s, person=None, name=SOMEBODY, avatar="", erased=True)
                if s.person == person
                else s
                for s in seats
            )
    return seats


def after_all(seats: Seats, events: Iterable[Event]) -> Seats:
    """Return the seats after several events."""
    for event in events:
        seats = after(seats, event)
    return seats


def _with(seats: Seats, seat: Seat, state: SeatState) -> Seats:
    return (*seats[:seat], state, *seats[seat + 1 :])


def held_by(seats: Seats, person: PersonId | None) -> tuple[Seat, ...]:
    """Return a person's seats, including those with a stand-in."""
    if person is None:
        return ()
    return tuple(number for number, seat in enumerate(seats) if seat.person == person)


def people(seats: Seats) -> tuple[PersonId, ...]:
    """Return everybody with a seat, each once, in seat order."""
    return tuple(dict.fromkeys(seat.person for seat in seats if seat.person is not None))


def players(seats: Seats) -> tuple[PersonId, ...]:
    """Return everybody who plays without a stand-in, each once."""
    return tuple(dict.fromkeys(s.person for s in seats if s.person is not None and s.person_plays))


def is_full(seats: Seats) -> bool:
    """Whether no seat is free, and at least one has a person."""
    return not any(seat.is_free for seat in seats) and bool(people(seats))


def missing(seats: Seats) -> tuple[Seat, ...]:
    """Return the seats of people whose client has not contributed to the deal yet."""
    return tuple(
        number
        for number, seat in enumerate(seats)
        if seat.person is not None and seat.contribution is None
    )


def contributions(seats: Seats) -> dict[Seat, str]:
    """Return the contributions to the deal, by seat."""
    given = ((number, seat.contribution) for number, seat in enumerate(seats))
    return {number: text for number, text in given if text is not None}


def draw_lot(seats: Seats, rng: Random) -> tuple[Seat, ...]:
    """Return the old seat of each new one; alone among bots, everybody stays.

    Bots of a level keep their order: the page names them by it, and a name keeps its score.
    """
    lot = list(range(len(seats)))
    if len(people(seats)) == 1:
        return tuple(lot)
    rng.shuffle(lot)
    bots = [old for old, seat in enumerate(seats) if seat.is_bot]
    waiting = {old: [b for b in bots if seats[b].level == seats[old].level] for old in bots}
    taken: set[Seat] = set()
    for new, old in enumerate(lot):
        if old in waiting:
            lot[new] = next(bot for bot in waiting[old] if bot not in taken)
            taken.add(lot[new])
    return tuple(lot)


def first_free(seats: Sequence[SeatState]) -> Seat | None:
    """Return the first free seat."""
    return next((number for number, seat in enumerate(seats) if seat.is_free), None)
