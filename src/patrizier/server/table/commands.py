"""The commands at a table. A command is carried out as a whole or refused.

Its ``id``, chosen by the client, is an idempotency key: a command sent twice is carried out once.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from patrizier.server.errors import Refused as Refused
from patrizier.server.reasons import Code as Code

from .setup import BotName, Colour, Form

CommandId: TypeAlias = Annotated[str, Field(min_length=1, max_length=64, pattern="^[ -~]+$")]
SeatNumber: TypeAlias = Annotated[int, Field(ge=0, le=4)]
TurnCount: TypeAlias = Annotated[int, Field(ge=0, le=55)]
Contribution: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{64}$", max_length=64)]


class _Command(Form):
    id: CommandId


class Join(_Command):
    """Take a free seat."""

    kind: Literal["join"] = "join"
    seat: SeatNumber | None = None  # None: the first free one
    contribution: Contribution | None = None
    hot_seat: bool = False  # one more seat at the same screen
    name: str | None = Field(default=None, max_length=60)  # of the player: hot seat only
    colour: Colour | None = None  # None: the seat's


class ChooseColour(_Command):
    """Choose a colour that no person has; bots change theirs."""

    kind: Literal["choose-colour"] = "choose-colour"
    seat: SeatNumber
    colour: Colour


class Leave(_Command):
    """Leave one seat, or all of them, before the game starts."""

    kind: Literal["leave"] = "leave"
    seat: SeatNumber | None = None  # None: all


class SeatBot(_Command):
    """Host: put a bot on a free seat, or another one in its place."""

    kind: Literal["seat-bot"] = "seat-bot"
    seat: SeatNumber
    level: BotName


class FillWithBots(_Command):
    """Host: put bots on all free seats."""

    kind: Literal["fill-with-bots"] = "fill-with-bots"
    level: BotName


class Unseat(_Command):
    """Host: free a seat."""

    kind: Literal["unseat"] = "unseat"
    seat: SeatNumber


class Close(_Command):
    """Host: close the table before it starts."""

    kind: Literal["close"] = "close"


class Contribute(_Command):
    """Contribute a random number to the deal. It stays secret until the game is over."""

    kind: Literal["contribute"] = "contribute"
    seat: SeatNumber
    contribution: Contribution


class Start(_Command):
    """Start a full table without my contribution. With all contributions it starts by itself."""

    kind: Literal["start"] = "start"


class Play(_Command):
    """Play a whole turn, or the rest of the current one."""

    kind: Literal["play"] = "play"
    seat: SeatNumber
    move: str = Field(max_length=32)  # as in the game record
    at_turn: TurnCount  # completed turns that the client has seen


class Decide(_Command):
    """Take one decision of a turn; see `patrizier.rules.codes` for the texts."""

    kind: Literal["decide"] = "decide"
    seat: SeatNumber
    decision: str = Field(max_length=16)  # BO4:L, >MI.R or >, +FI, @MI-PA or @
    at_turn: TurnCount
    at_step: int = Field(ge=0, le=4)  # decisions of this turn that the client has seen


class Resign(_Command):
    """Resign: a stand-in plays on."""

    kind: Literal["resign"] = "resign"
    seat: SeatNumber


class TakeOver(_Command):
    """Take over from the stand-in."""

    kind: Literal["take-over"] = "take-over"
    seat: SeatNumber


class AskUndo(_Command):
    """Ask to take back turns that revealed nothing hidden."""

    kind: Literal["ask-undo"] = "ask-undo"
    seat: SeatNumber
    to_turn: TurnCount  # completed turns that would stay
    at_turn: TurnCount


class AnswerUndo(_Command):
    """Agree to taking back, or not."""

    kind: Literal["answer-undo"] = "answer-undo"
    seat: SeatNumber
    to_turn: TurnCount
    yes: bool


class TakeBack(_Command):
    """Against bots only: go back to one of my turns, whatever was revealed."""

    kind: Literal["take-back"] = "take-back"
    seat: SeatNumber
    to_turn: TurnCount
    at_turn: TurnCount


class Say(_Command):
    """Chat with the players or, as a watcher, with the watchers."""

    kind: Literal["say"] = "say"
    text: str = Field(min_length=1, max_length=300)


class Mute(_Command):
    """Mute or unmute somebody for me."""

    kind: Literal["mute"] = "mute"
    who: str = Field(max_length=16)  # the mark of a person at this table
    on: bool = True


class OfferRematch(_Command):
    """Offer a rematch; it starts, with seats by lot, when all people have offered."""

    kind: Literal["offer-rematch"] = "offer-rematch"


Gathering: TypeAlias = (  # before the game
    Join | ChooseColour | Leave | SeatBot | FillWithBots | Unseat | Close | Contribute | Start
)
Command: TypeAlias = Annotated[
    Gathering
    | Play
    | Decide
    | Resign
    | TakeOver
    | AskUndo
    | AnswerUndo
    | TakeBack
    | Say
    | Mute
    | OfferRematch,
    Field(discriminator="kind"),
]
