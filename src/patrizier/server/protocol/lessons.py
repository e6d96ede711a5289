"""Bodies and answers about lessons. Import them from `messages`."""

from typing import Any, Literal, TypeAlias

from pydantic import Field

from patrizier.prospects import Prospects
from patrizier.server.table.setup import Form, Rule, Seat
from patrizier.standing import Standings
from patrizier.why import Barred

from .views import DecisionText, TurnText, View

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
