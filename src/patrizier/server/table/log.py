"""The public log: which events it shows, without anything hidden."""

from .chat import News
from .events import (
    BotSeated,
    Closed,
    Created,
    Finished,
    Flagged,
    Joined,
    Left,
    Rematched,
    RematchOffered,
    Resigned,
    StandIn,
    Started,
    Stored,
    TookOver,
    UndoAnswered,
    UndoAsked,
    Undone,
    kind_of,
)
from .seats import Seats, held_by
from .setup import Seat


def news_of(stored: Stored, seats: Seats) -> News | None:
    """Return the log line of an event, given the seats before it; None if it has none."""
    event, seq, at = stored.event, stored.seq, stored.at
    match event:
        case Created(host=host, host_name=name):
            return News(seq, at, "created", person=host, name=name)
        case Joined(seat, person, name):
            return News(seq, at, "joined", seat, person, name)
        case BotSeated(seat, level):
            return News(seq, at, "bot-seated", seat, detail=level)
        case Undone(to_turn):
            return News(seq, at, "undone", to_turn=to_turn)
        case RematchOffered(person):
            held = held_by(seats, person)
            return _about(stored, seats, held[0]) if held else None
        case StandIn(seat, level, why):
            return _about(stored, seats, seat, why)
        case UndoAnswered(seat, yes):
            return _about(stored, seats, seat, "yes" if yes else "no")
        case Left(seat) | Flagged(seat) | TookOver(seat) | Resigned(seat):
            return _about(stored, seats, seat)
        case UndoAsked(seat, to_turn):
            return _about(stored, seats, seat, str(to_turn))
        case Closed(why):
            return News(seq, at, "closed", detail=why)
        case Started(first):
            return _about(stored, seats, first)
        case Finished() | Rematched():
            return News(seq, at, kind_of(event))
    return None


def _about(stored: Stored, seats: Seats, seat: Seat, detail: str = "") -> News:
    who, event = seats[seat], stored.event
    return News(stored.seq, stored.at, kind_of(event), seat, who.person, who.name, detail)
