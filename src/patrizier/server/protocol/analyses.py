"""Bodies and answers about analyses: docs/analysis.md. Import them from `protocol.messages`."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import ConfigDict, Field, model_validator

from patrizier.server.table.setup import Form, TableLink

from .views import LongRecord

Shares: TypeAlias = tuple[float, ...]  # of the victory, by seat: multiples of a millionth
Verdict: TypeAlias = Literal["best", "fine", "inaccuracy", "mistake", "blunder"]
ReasonKind: TypeAlias = Literal[
    "scores",
    "gives",
    "lead",
    "lead-from",
    "ahead",
    "nears",
    "unseats",
    "drops",
    "taller",
    "taller-other",
    "set",
    "portraits",
    "draws-set",
    "draws-portraits",
    "draws-finish",
    "draws-crests",
    "draws-action",
    "draws-free",
    "keeps-away",
    "keeps-set",
    "messenger",
    "messenger-other",
    "leaves",
    "exposes",
    "denies",
    "leaves-display",
    "leaves-set",
    "wins",
    "shares",
    "loses",
]
AnalysisState: TypeAlias = Literal["waiting", "running", "done", "failed"]
DecisionKind: TypeAlias = Literal["build", "move", "draw", "messenger"]


class AnalysisBody(Form):
    """The game to analyse: a finished table, or a record."""

    table: TableLink | None = None
    watch_key: Annotated[str, Field(max_length=64)] = ""  # of the table, for watchers
    record: LongRecord | None = None
    deep: bool = False  # search four to eight times as long

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.table is None) == (self.record is None):
            raise ValueError("give a table or a record")
        return self


class Chances(Form):
    """Every seat's expected result at one moment."""

    shares: Shares
    points: tuple[float, ...]  # final, by seat
    exact: bool  # solved, not estimated


class DealtChances(Chances):
    """Every seat's expected result after the deal."""

    luck: Shares  # of the deal and of who begins


class ChanceLuck(Form):
    """The luck in a turn, by seat."""

    card: Shares  # in the card turned up
    hidden: Shares  # in what the seat could not know


class TurnReason(Form):
    """A fact about the turn played or a better one; which values it has depends on its kind."""

    model_config = ConfigDict(json_schema_extra={"x-sparse": True})

    kind: ReasonKind
    of: Literal["played", "better"]
    city: str = ""
    seat: int = 0
    points: int = 0
    tower: Literal["taller", "lower", "left", "right"] = "taller"
    floors: int = 0
    noble: Literal["L", "B", "K"] = "L"
    heads: int = 0
    card: str = ""
    pair: str = ""
    towers: int = 0


class TurnChoice(Form):
    """A possible turn, and its expected result."""

    move: str
    shares: Shares
    points: tuple[float, ...]
    cost: float  # share of the victory, compared with the best
    exact: bool
    line: tuple[str, ...]  # how play would go on


class AnalysedTurn(Form):
    """One turn, before and after; without a verdict until it is judged."""

    turn: int  # counted from 1
    seat: int
    move: str
    before: Chances
    after: Chances
    refill: str | None
    luck: ChanceLuck | None
    verdict: Verdict | None
    error: Shares | None  # what the turn cost its seat and gave the others
    cost: float | None  # share of the victory that its seat lost
    points_cost: float | None
    costs: dict[DecisionKind, float] | None  # by what was decided
    exact: bool | None
    only: bool | None  # there was no choice
    choices: tuple[TurnChoice, ...] | None  # the best ones, and the one played
    why: tuple[TurnReason, ...] | None


class LuckSum(Form):
    """All luck of one seat."""

    total: float
    deal: float
    cards: float
    hidden: float


class SeatAccount(Form):
    """The parts of one seat's result: fair + luck + own + others = result."""

    result: float
    fair: float
    luck: LuckSum
    own: float  # errors, never above zero
    others: Shares
    adjusted: float  # the result less all luck
    interval: tuple[float, float]  # of it, 95 %
    verdicts: dict[Verdict, int]


class Moment(Form):
    """Something that decided the game."""

    turn: int  # 0: the deal
    kind: Literal["deal", "card", "error"]
    seat: int  # whom it helped or hurt most; who erred
    change: Shares


class Analysis(Form):
    """A whole game, or as much of it as has been analysed."""

    version: int
    record: str  # hash of the game
    names: tuple[str, ...]
    players: int
    deep: bool
    seed: int
    finished: bool
    complete: bool
    judged: int
    points: tuple[int, ...]  # of a finished game
    deal: DealtChances
    turns: tuple[AnalysedTurn, ...]
    seats: tuple[SeatAccount, ...]  # empty until complete
    moments: tuple[Moment, ...]  # empty until complete


class AnalysedGame(Form):
    """A game of mine that was analysed: my result, my errors and my luck."""

    table: TableLink
    finished: float  # unix seconds
    players: int
    seat: int
    place: int
    account: SeatAccount


class AnalysedGames(Form):
    """My latest games, the oldest first."""

    games: tuple[AnalysedGame, ...]
    others: int  # of them, not analysed yet


class AnalysisAnswer(Form):
    """An analysis, and its progress."""

    key: str
    state: AnalysisState
    judged: int  # turns
    turns: int
    ahead: int  # analyses before it in the queue
    deeper: AnalysisState | None  # of the deep analysis of the same game; None: not requested
    analysis: Analysis | None  # so far; None: nothing yet
