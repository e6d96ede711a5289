"""Bodies and answers about what-if lines, which continue from a position of a record."""

from typing import Annotated, Any, TypeAlias

from pydantic import Field

from patrizier.prospects import Prospects
from patrizier.server.table.commands import TurnCount
from patrizier.server.table.setup import BotName, Form, Seat
from patrizier.standing import Standings
from patrizier.why import Barred

from .hints import Hint
from .views import DecisionText, LongRecord, TurnText, View

Study: TypeAlias = Annotated[str, Field(pattern=r"^[0-9]\.[A-Za-z0-9_-]+$", max_length=60_000)]


class KeptLinesBody(Form):
    """Record and lines to store, as packed by the page: compressed, base64."""

    study: Study


class KeptLines(Form):
    """Stored record and lines, and their name."""

    id: str
    study: Study


class LineBody(Form):
    """A position: a record up to a turn, and what is played from there."""

    record: LongRecord
    at: TurnCount  # turns of the record that are kept
    moves: tuple[TurnText, ...] = Field(default=(), max_length=55)  # played after these
    decisions: tuple[DecisionText, ...] = Field(default=(), max_length=4)  # of the next turn


class LineReplyBody(LineBody):
    """A position, and the bot that plays its next turn."""

    level: BotName


class LineAdviceBody(LineBody):
    """A position to judge."""

    about: TurnText = ""  # a turn to include in any case


class LineAnswer(Form):
    """The position at the end of a line."""

    view: View  # of the seat to decide, legal turns included; at the end, a spectator's
    frame: View  # a spectator's, with open tokens and piles
    seat: Seat | None  # to decide; None: the game is over
    record: dict[str, Any] | None  # the last turn, as in the history of a view
    steps: Standings  # after each step of that turn, and of the one under way
    standings: Standings  # after each step of the legal turns
    prospects: Prospects | None  # effects of the legal turns
    barred: Barred  # illegal steps, by reason
    hands: tuple[tuple[str, ...], ...]  # by seat
    scores: tuple[dict[str, int], ...]  # points so far, by seat
    outcome: dict[str, Any] | None  # None: the game is not over


class LineReply(Form):
    """The turn of a bot."""

    move: str


class LineAdvice(Form):
    """The best bot's advice: its turns, the best first."""

    candidates: tuple[Hint, ...]  # none: the game is over
    about: Hint | None  # the turn asked about, if it is legal
