"""Bodies and answers for puzzles. Import them from `messages`."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from patrizier.prospects import Prospects
from patrizier.server.table.setup import Form
from patrizier.standing import Standings
from patrizier.why import Barred

from .analyses import TurnReason
from .study import View

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
    rating: int  # as it is now
    themes: tuple[Theme, ...]
    players: int
    messengers: bool  # played with them
    exact: bool  # solved, not searched
    chunk: int  # where it is


class PuzzleList(Form):
    """All puzzles, by id: the puzzle of a day is the one at the day's number since 1970."""

    version: str  # changes with the puzzles
    puzzles: tuple[PuzzleLine, ...]


class PuzzlePosition(Form):
    """A puzzle, with all that is needed to try it, its solution included."""

    id: PuzzleId
    view: View  # of the solver's seat, legal turns included; what was public once lies open
    scores: tuple[dict[str, int], ...]  # points so far, by seat
    standings: Standings  # after each step of the legal turns
    prospects: Prospects | None  # effects of the legal turns
    barred: Barred  # illegal steps, by reason
    accepted: tuple[str, ...]  # turns that count as the solution, as far as they are asked for
    solution: str  # the one to show
    trap: str | None  # the turn that looks best at first sight
    line: tuple[str, ...]  # turns expected after the solution
    why: tuple[TurnReason, ...]
    lead: float  # share of the victory that the best other turn loses


class PuzzleChunk(Form):
    """Puzzles of about the same rating."""

    puzzles: tuple[PuzzlePosition, ...]


class PuzzleAttempt(Form):
    """The first turn that somebody tried at a puzzle; none: they had a look at the solution."""

    puzzle: PuzzleId
    turn: Annotated[str, Field(max_length=32)] | None
    at: Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]  # unix seconds


class PuzzleAttempts(Form):
    """Attempts in their order; those made without a connection come later."""

    attempts: Annotated[tuple[PuzzleAttempt, ...], Field(max_length=50)]


class PuzzleProgress(Form):
    """How far I have come."""

    rating: int
    deviation: int  # of the rating: one standard deviation
    tries: int  # puzzles that I have tried
    streak: int  # solved at the first try, one after the other
    best: int  # the longest such streak
    day: int  # the last whose puzzle I have solved, since 1970
    days: int  # up to then, one after the other
    done: dict[str, int]  # how often, by puzzle
