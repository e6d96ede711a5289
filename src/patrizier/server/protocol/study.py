"""Bodies and answers for learning: hints, replays and lessons. Import them from `protocol`."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ConfigDict, Field, RootModel

from patrizier.final_count import FinalCount
from patrizier.prospects import Prospects
from patrizier.server.table.commands import SeatNumber, TurnCount
from patrizier.server.table.setup import Form, Rule, Seat
from patrizier.standing import Standings
from patrizier.why import Barred

LongRecord: TypeAlias = Annotated[str, Field(min_length=1, max_length=60_000)]
TurnText: TypeAlias = Annotated[str, Field(max_length=32)]
DecisionText: TypeAlias = Annotated[str, Field(max_length=16)]
LessonName: TypeAlias = Literal[  # in the order in which they are taught
    "build",
    "complete",
    "tie",
    "empty-site",
    "free-draw",
    "move",
    "portraits",
    "double",
    "last-cards",
    "messenger",
]
WhyNot: TypeAlias = Literal[
    "",  # the goal is reached, or nothing has been tried
    "other-card",  # another card was to be played
    "other-city",  # another city was to be built in
    "wrong-site",  # it was to be built on the other site
    "same-city",  # a card was to be taken elsewhere
    "no-move",  # no floor was moved
    "wrong-floor",  # another floor was to be moved
    "no-set",  # no three portraits came together
    "no-messenger",  # no messenger was laid
    "wrong-cities",  # it was laid between other cities
]


class View(RootModel[dict[str, Any]]):
    """What one seat, or a watcher, may know: docs/view.md, without history (see the log)."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"x-view": True})


# -- hints


class HintBody(Form):
    """The seat and turn that the hint is for."""

    seat: SeatNumber
    at_turn: TurnCount  # completed turns that the asker has seen


class Hint(Form):
    """A turn, and the result that the best bot expects of it."""

    move: str  # a whole turn, as in the legal turns of the view
    share: tuple[float, ...]  # of the victory, by seat; they add up to 1
    points: tuple[float, ...]  # final, by seat
    exact: bool  # solved, not estimated


class HintAnswer(Form):
    """The best bot's turns, the best first."""

    turn: int  # completed turns at the time of the request
    step: int  # decisions of the current turn by then
    candidates: tuple[Hint, ...]


# -- replays


class ReplayBody(Form):
    """One game as a record."""

    record: LongRecord


class Replay(Form):
    """A whole game: a frame before the first turn, and one after every turn."""

    players: int
    rules: tuple[Rule, ...]
    colours: tuple[str, ...]
    names: tuple[str, ...]  # by seat; empty if the record gives none
    tags: dict[str, str]  # of the record, as written there
    turns: tuple[dict[str, Any], ...]  # what happened, as in the history of a view
    standings: tuple[Standings, ...]  # by turn: after each step
    frames: tuple[View, ...]  # spectator's views with open tokens and piles
    hands: tuple[tuple[tuple[str, ...], ...], ...]  # by frame, then by seat
    scores: tuple[tuple[dict[str, int], ...], ...]  # points so far, by frame, then by seat
    comments: tuple[tuple[str, ...], ...]  # of the record, by frame
    outcome: dict[str, Any] | None  # None: the record ends before the game does
    final_count: FinalCount | None  # the outcome part by part


# -- lessons


class LessonGoal(Form):
    """The learner's task."""

    kind: LessonName
    card: str | None  # to be played; None: any
    city: str | None  # concerned
    pair: str | None  # neighbours to lay a messenger between


class LessonLine(Form):
    """A lesson in the list."""

    name: LessonName
    players: int
    rules: tuple[Rule, ...]
    goal: LessonGoal


class LessonList(Form):
    """All lessons, in the order in which they are taught."""

    lessons: tuple[LessonLine, ...]


class LessonBody(Form):
    """What the learner has played so far: nothing, a turn, or part of a turn."""

    moves: tuple[TurnText, ...] = Field(default=(), max_length=1)
    decisions: tuple[DecisionText, ...] = Field(default=(), max_length=4)  # instead of a move


class LessonAnswer(Form):
    """The state of a lesson; to try again, send no move."""

    name: LessonName
    goal: LessonGoal
    view: View  # of the learner's seat, legal turns included
    seat: Seat  # the learner's
    done: bool  # the learner has played
    reached: bool  # and reached the goal
    why: WhyNot  # why not
    record: dict[str, Any] | None  # the learner's turn, as in the history of a view
    standings: Standings  # after each step of that turn, and of the legal turns
    prospects: Prospects | None  # effects of the legal turns; None: the learner has played
    barred: Barred  # illegal steps of the learner's turn, by reason


# -- the server


class Preparing(Form):
    """The progress of compiling the bots, which happens at the server's first start only."""

    progress: float = Field(ge=0, le=1)  # 1: nothing is left to do
    seconds: int  # estimated until it is done


class Config(Form):
    """The server's configuration for pages."""

    version: str
    mail: bool  # whether "your turn" can come by e-mail
    docs: bool  # whether the documentation is at /docs/
