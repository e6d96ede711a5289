"""What the store keeps beside the events, as plain values."""

from dataclasses import dataclass
from typing import Literal

from patrizier.server.table.events import Event

Phase = Literal["open", "playing", "finished", "abandoned"]


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """A seat as lists of tables show it."""

    seat: int
    person: str | None  # who holds it; None: free or a bot's
    name: str  # of the person; empty for a free seat or a bot
    bot: str | None  # level of the bot that plays it now, stand-ins included
    to_move: bool


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table as lists show it and as the clocks need it; kept up to date with every event."""

    id: str
    phase: Phase
    public: bool  # listed while open; else by link only
    players: int
    rules: str  # as in the game record: "messengers,open-ledger"
    pace: str  # "none", "realtime:300+5", "correspondence:3"
    rated: bool
    host: str  # the person who made it
    turn: int  # completed turns
    due: float | None  # next deadline
    bot_to_move: bool  # and plays with nobody there
    seats: tuple[SeatSummary, ...]
    created: float = 0.0
    updated: float = 0.0

    @property
    def free(self) -> int:
        """Seats that nobody holds."""
        return sum(seat.person is None and seat.bot is None for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Opening:
    """A new table that begins together with what happens at another one."""

    table_id: str
    events: tuple[Event, ...]
    summary: TableSummary


@dataclass(frozen=True, slots=True)
class Person:
    """A guest or, with a login, an account."""

    id: str
    name: str
    created: float
    seen: float
    login: str | None = None  # folded name of the account, unique
    password_hash: str | None = None
    email: str | None = None
    mail: bool = True  # wants "your turn" by e-mail
    language: str = ""  # in which they last read the page; empty: not known
    erased: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which an account is signed in."""

    id: str  # hash of the token in its cookie
    person: str
    device: str  # browser and system, "Firefox · Linux"
    began: float
    seen: float  # when it was last used, about


@dataclass(frozen=True, slots=True)
class Pulse:
    """How late it is, according to the database; unix seconds."""

    at: float | None  # the latest time that a server has reached; None: there was none yet
    clock: float  # of the database's machine


@dataclass(frozen=True, slots=True)
class ResultSeat:
    """How one seat of a finished game came out."""

    seat: int
    person: str | None
    name: str
    bot: str | None  # level, if a bot held the seat from the start
    points: int
    place: int  # 1 is best; equal places are shared
    left: bool = False  # timed out, gone or resigned: a stand-in played on


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game: what its history page and its download need."""

    table_id: str
    players: int
    rules: str
    rated: bool
    finished: float
    record: str  # the game record
    seats: tuple[ResultSeat, ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """A person's rating among games of one player count."""

    person: str
    players: int
    mu: float
    sigma: float
    games: int


@dataclass(frozen=True, slots=True)
class YourTurn:
    """Somebody who is to be told by e-mail that it is their turn."""

    table_id: str
    turn: int
    person: str
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class MailJob:
    """A mail that is to be sent."""

    key: str  # of two jobs with one key only the first is sent
    person: str
    address: str
    table_id: str = ""  # of a "your turn"; empty: a question whether the address is right
    turn: int = 0
    tries: int = 0  # failures so far
