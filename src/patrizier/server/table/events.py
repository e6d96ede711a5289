"""The event log of a table, which determines its state.

Events are stored as ``{"kind": "joined", "seat": 0, ...}``. Some contain secrets (the deal, the
server's secret): only `visibility` decides what people see.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from pydantic import TypeAdapter

from .evening import Evening
from .setup import BotName, By, Colour, Level, PersonId, Room, Seat, TableId, TableSetup, Why


@dataclass(frozen=True, slots=True)
class Created:
    """The table was created, and the server committed to its secret."""

    setup: TableSetup
    host: PersonId
    host_name: str
    secret: str  # hex; secret until the game is finished
    commitment: str  # hex; public
    watch_key: str  # in the watchers' link
    previous: TableId | None = None  # the table whose rematch this is
    lot: tuple[Seat, ...] = ()  # rematch: the old seat of each new one
    evening: Evening = ()  # rematch: the games before this one, by seat
    not_first: Seat | None = None  # rematch: who started the game before does not start


@dataclass(frozen=True, slots=True)
class Joined:
    """A person took a seat."""

    seat: Seat
    person: PersonId
    name: str
    hot_seat: bool = False  # shares the screen of another seat
    colour: Colour | None = None  # None: the seat's default
    avatar: str = ""  # the name of a drawing; empty: none


@dataclass(frozen=True, slots=True)
class ColourChosen:
    """A person chose another colour."""

    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class Left:
    """A seat became free."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HostChanged:
    """The table has another host."""

    host: PersonId


@dataclass(frozen=True, slots=True)
class BotSeated:
    """A bot took a seat."""

    seat: Seat
    level: BotName


@dataclass(frozen=True, slots=True)
class Contributed:
    """A seat's client contributed to the deal."""

    seat: Seat
    contribution: str  # hex


@dataclass(frozen=True, slots=True)
class Started:
    """The cards were dealt."""

    start: Seat
    deal: str  # as in a record's tag; secret until the game is finished


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A seat played a whole turn, or the rest of one."""

    seat: Seat
    move: str
    by: By = "person"


@dataclass(frozen=True, slots=True)
class Decided:
    """A seat took one decision of its turn; the last one ends the turn."""

    seat: Seat
    decision: str
    by: By = "person"


@dataclass(frozen=True, slots=True)
class Flagged:
    """A seat's time ran out."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StandIn:
    """A stand-in plays for a person."""

    seat: Seat
    level: Level
    why: Why


@dataclass(frozen=True, slots=True)
class TookOver:
    """The person took over from the stand-in."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Resigned:
    """A person resigned; a stand-in follows."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """A seat asked to take turns back."""

    seat: Seat
    to_turn: int  # completed turns that would stay


@dataclass(frozen=True, slots=True)
class UndoAnswered:
    """A person answered for all their seats."""

    seat: Seat
    yes: bool


@dataclass(frozen=True, slots=True)
class Undone:
    """Turns were taken back."""

    to_turn: int
    free: bool  # against bots, without asking: the game is no longer rated


@dataclass(frozen=True, slots=True)
class Credited:
    """The running clock was credited time in which no server was running."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Said:
    """A chat line."""

    person: PersonId
    name: str
    seat: Seat | None
    room: Room
    text: str


@dataclass(frozen=True, slots=True)
class Muted:
    """A person muted or unmuted another."""

    person: PersonId
    whom: PersonId
    on: bool


@dataclass(frozen=True, slots=True)
class Renamed:
    """A person changed their name or their avatar."""

    person: PersonId
    name: str
    avatar: str | None = None  # None: as before


@dataclass(frozen=True, slots=True)
class Adopted:
    """A guest signed in to an account, which replaces them."""

    guest: PersonId
    person: PersonId  # the account
    name: str  # of the account; empty: the guest's name stays, since the game is over


@dataclass(frozen=True, slots=True)
class PersonErased:
    """A person's data was deleted."""

    person: PersonId


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over; its deal is now public."""

    outcome: dict[str, Any]  # `Outcome.to_json`
    rated: bool
    forfeits: tuple[Seat, ...]  # seats with a stand-in: a loss if rated


@dataclass(frozen=True, slots=True)
class Closed:
    """The table was closed: before the game started, or when everybody had left it."""

    why: Literal["host", "empty", "idle", "left"]


@dataclass(frozen=True, slots=True)
class RematchOffered:
    """A person offered a rematch."""

    person: PersonId


@dataclass(frozen=True, slots=True)
class Rematched:
    """Everybody offered a rematch: the next table, and the draw of its seats."""

    table: TableId
    lot: tuple[Seat, ...]  # the old seat of each new one


Event: TypeAlias = (
    Created
    | Joined
    | ColourChosen
    | Left
    | HostChanged
    | BotSeated
    | Contributed
    | Started
    | TurnPlayed
    | Decided
    | Flagged
    | StandIn
    | TookOver
    | Resigned
    | UndoAsked
    | UndoAnswered
    | Undone
    | Credited
    | Said
    | Muted
    | Renamed
    | Adopted
    | PersonErased
    | Finished
    | Closed
    | RematchOffered
    | Rematched
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored event: what a table folds."""

    seq: int  # 1, 2, ... at each table
    at: float  # unix seconds
    command_id: str | None  # of the command that caused it, if any
    person: PersonId | None  # who sent the command
    event: Event


def stamp(
    events: Sequence[Event],
    after_seq: int,
    at: float,
    command_id: str | None = None,
    person: PersonId | None = None,
) -> list[Stored]:
    """Return events numbered after a sequence number."""
    return [
        Stored(seq, at, command_id, person, event)
        for seq, event in enumerate(events, after_seq + 1)
    ]


_CLASSES: tuple[type[Event], ...] = get_args(Event)
_KINDS: dict[type[Event], str] = {
    cls: re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower() for cls in _CLASSES
}
_ADAPTERS: dict[str, TypeAdapter[Any]] = {_KINDS[cls]: TypeAdapter(cls) for cls in _CLASSES}


def kind_of(event: Event) -> str:
    """Return the stored name of an event's type.

    >>> kind_of(TurnPlayed(0, "BO1:LL"))
    'turn-played'
    """
    return _KINDS[type(event)]


def event_to_json(event: Event) -> dict[str, Any]:
    """Return an event as it is stored.

    >>> event_to_json(Left(2))
    {'kind': 'left', 'seat': 2}
    """
    kind = kind_of(event)
    fields: dict[str, Any] = _ADAPTERS[kind].dump_python(event, mode="json")
    return {"kind": kind, **fields}


def event_from_json(data: dict[str, Any]) -> Event:
    """Read what `event_to_json` wrote; ValueError if it is not an event."""
    fields = {name: value for name, value in data.items() if name != "kind"}
    if data.get("kind") not in _ADAPTERS:
        raise ValueError(f"there is no event {data.get('kind')!r}")
    event: Event = _ADAPTERS[data["kind"]].validate_python(fields)
    return event
