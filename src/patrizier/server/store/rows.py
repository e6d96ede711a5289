"""Plain values that the store keeps beside the events."""

from dataclasses import dataclass
from typing import Literal

from patrizier.server.table.events import Stored

Phase = Literal["open", "playing", "finished", "abandoned"]


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """A seat in a table's summary."""

    seat: int
    person: str | None  # who holds it; None: free or a bot's
    name: str  # of the person; empty for a free seat or a bot
    bot: str | None  # level of the bot that plays it now, stand-ins included
    to_move: bool
    resigned: bool = False  # the person has given up; a stand-in plays on


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table's summary for lists and deadlines, updated with every event."""

    id: str
    phase: Phase
    public: bool  # listed while open
    players: int
    rules: str  # as in the game record: "messengers,open-ledger"
    pace: str  # "none", "realtime:300+5", "correspondence:3"
    rated: bool
    host: str  # the person who made it
    turn: int  # completed turns
    due: float | None  # next deadline
    bot_to_move: bool  # even with nobody present
    seats: tuple[SeatSummary, ...]
    watched: bool = False  # listed for watchers
    created: float = 0.0
    updated: float = 0.0

    @property
    def free(self) -> int:
        """The number of free seats."""
        return sum(seat.person is None and seat.bot is None for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Opening:
    """A new table, created in the same transaction as an append."""

    table_id: str
    stored: tuple[Stored, ...]
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
    language: str = ""  # of the page when last seen; empty if unknown
    erased: bool = False
    avatar: str = ""  # the name of a drawing; empty: none chosen
    listed: bool = True  # whether leaderboards show them
    friend_code: str | None = None  # in the link that makes friends


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
    """The time according to the database, in unix seconds."""

    at: float | None  # last heartbeat of any server; None: never
    clock: float  # of the database's machine


@dataclass(frozen=True, slots=True)
class ResultSeat:
    """The result of one seat."""

    seat: int
    person: str | None
    name: str
    bot: str | None  # level, if a bot held the seat from the start
    points: int
    place: int  # 1 is best; equal places are shared
    left: bool = False  # timed out, gone or resigned: a stand-in played on


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game, for history and download."""

    table_id: str
    players: int
    rules: str
    rated: bool
    finished: float
    record: str  # the game record
    seats: tuple[ResultSeat, ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """A person's rating for one player count."""

    person: str
    players: int
    mu: float
    sigma: float
    games: int


@dataclass(frozen=True, slots=True)
class RankedRating:
    """A rating in a leaderboard."""

    place: int
    name: str
    avatar: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class Friend:
    """Somebody on a person's list of friends, or who would like to be."""

    id: str
    name: str
    avatar: str
    seen: float
    asked: bool  # by the person whose list it is
    wants: bool  # they asked themselves; with `asked`, they are friends


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to a table that waits for players."""

    table: TableSummary
    host: str  # who invites
    name: str
    avatar: str
    at: float


@dataclass(frozen=True, slots=True)
class YourTurn:
    """A turn for which a mail is due."""

    table_id: str
    turn: int
    person: str
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class MailJob:
    """A mail to send."""

    key: str  # of jobs with equal keys only the first is sent
    person: str
    address: str
    table_id: str = ""  # of a "your turn" mail; empty: a confirmation mail
    turn: int = 0
    tries: int = 0  # failures so far


@dataclass(frozen=True, slots=True)
class AnalysisJob:
    """A game to analyse."""

    key: str
    record: str
    deep: bool


@dataclass(frozen=True, slots=True)
class StoredAnalysis:
    """An analysis so far."""

    key: str
    turns: int
    judged: int
    done: bool
    failed: bool  # too many attempts
    taken: bool  # a server works on it
    ahead: int  # analyses that come before it
    body: str  # base64 of gzipped JSON; empty: nothing yet


@dataclass(frozen=True, slots=True)
class PuzzleTry:
    """One attempt at a puzzle."""

    puzzle: str
    solved: bool
    at: float
    day: int | None = None  # it was the puzzle of this day, counted from 1970


@dataclass(frozen=True, slots=True)
class PuzzleSolver:
    """A person's progress with puzzles."""

    person: str
    mu: float
    sigma: float
    tries: int = 0  # puzzles that were tried
    streak: int = 0  # solved, one after the other
    best: int = 0  # the longest such streak
    day: int = 0  # the last whose puzzle was solved, since 1970
    days: int = 0  # up to then, one after the other


@dataclass(frozen=True, slots=True)
class PuzzleRating:
    """The rating of a puzzle."""

    puzzle: str
    mu: float
    sigma: float
    tries: int = 0
