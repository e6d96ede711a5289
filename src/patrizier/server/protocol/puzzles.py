"""Bodies and answers for puzzles. Import them from `messages`."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from patrizier.prospects import Prospects
from patrizier.server.table.setup import Form
from patrizier.standing import Standings
from patrizier.why import Barred

from .analyses import TurnReason
from .views import View

PuzzleId: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")]
Theme: TypeAlias = Literal[
    "ties",
    "special-action",
    "free-draw",
    "portraits",
    "messengers",
    "denying",
    "last-round",
    "endings",
]


class PuzzleLine(Form):
    """A puzzle in the list."""

    id: PuzzleId
    rating: int  # current
    themes: tuple[Theme, ...]
    players: int
    messengers: bool  # played with them
    exact: bool  # solved, not searched
    chunk: int  # the chunk that holds it


class PuzzleList(Form):
    """All puzzles, by id: days since 1970 modulo their number give the puzzle of the day."""

    version: str  # changes with the puzzles
    puzzles: tuple[PuzzleLine, ...]


class PuzzlePosition(Form):
    """A puzzle with everything needed to try it, solution included."""

    id: PuzzleId
    view: View  # of the solver's seat, with legal turns and all that was ever public
    scores: tuple[dict[str, int], ...]  # points so far, by seat
    standings: Standings  # after each step of the legal turns
    prospects: Prospects | None  # effects of the legal turns
    barred: Barred  # illegal steps, by reason
    accepted: tuple[str, ...]  # turns that count as the solution, without what is not asked for
    solution: str  # the one to show
    trap: str | None  # the turn that looks best at first sight
    line: tuple[str, ...]  # turns expected after the solution
    why: tuple[TurnReason, ...]
    lead: float  # share of the victory that the best other turn loses


class PuzzleChunk(Form):
    """Puzzles of about the same rating."""

    puzzles: tuple[PuzzlePosition, ...]


class PuzzleAttempt(Form):
    """The first turn that somebody tried at a puzzle; empty: they looked at the solution."""

    puzzle: PuzzleId
    turn: Annotated[str, Field(max_length=32)] | None
    at: Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]  # unix seconds


class PuzzleAttempts(Form):
    """Attempts in order; those made offline arrive later."""

    attempts: Annotated[tuple[PuzzleAttempt, ...], Field(max_length=50)]


class PuzzleProgress(Form):
    """My progress."""

    rating: int
    deviation: int  # standard deviation of the rating
    tries: int  # puzzles that I have tried
    streak: int  # solved in a row at the first try
    best: int  # the longest such streak
    day: int  # the last day whose puzzle I have solved, counted from 1970
    days: int  # in a row up to then
    done: dict[str, int]  # how often, by puzzle
