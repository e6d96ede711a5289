"""The messages between server and clients.

The OpenAPI document and the page's TypeScript types are generated from these. `table.visibility`
fills in a table's messages; commands are in `table.commands`, a table's settings in `table.setup`.
"""

from typing import Annotated, Any, Literal, TypeAlias, cast

from pydantic import Field

from patrizier.final_count import FinalCount
from patrizier.prospects import Prospects
from patrizier.server.errors import Refusal
from patrizier.server.reasons import Code, Reason, Values
from patrizier.server.table.commands import Command, CommandId
from patrizier.server.table.evening import EveningScore
from patrizier.server.table.setup import (
    BotName,
    By,
    Colour,
    Form,
    Phase,
    Role,
    Room,
    Seat,
    TableLink,
    TableSetup,
    Why,
)
from patrizier.standing import Standings
from patrizier.why import Barred

from .analyses import AnalysedGame as AnalysedGame
from .analyses import AnalysedGames as AnalysedGames
from .analyses import AnalysisAnswer as AnalysisAnswer
from .analyses import AnalysisBody as AnalysisBody
from .analyses import ReasonKind as ReasonKind
from .analyses import SeatAccount as SeatAccount
from .analyses import Verdict as Verdict
from .company import Figures as Figures
from .company import FriendBody as FriendBody
from .company import FriendCode as FriendCode
from .company import FriendId as FriendId
from .company import FriendLine as FriendLine
from .company import FriendLink as FriendLink
from .company import FriendList as FriendList
from .company import InvitationLine as InvitationLine
from .company import InvitationList as InvitationList
from .company import InviteBody as InviteBody
from .company import Invited as Invited
from .company import Opponent as Opponent
from .company import PointsAt as PointsAt
from .company import Stranger as Stranger
from .company import Tally as Tally
from .hints import Hint as Hint
from .hints import HintAnswer as HintAnswer
from .hints import HintBody as HintBody
from .lessons import LessonAnswer as LessonAnswer
from .lessons import LessonBody as LessonBody
from .lessons import LessonGoal as LessonGoal
from .lessons import LessonLine as LessonLine
from .lessons import LessonList as LessonList
from .lessons import LessonName as LessonName
from .lessons import WhyNot as WhyNot
from .lines import KeptLines as KeptLines
from .lines import KeptLinesBody as KeptLinesBody
from .lines import LineAdvice as LineAdvice
from .lines import LineAdviceBody as LineAdviceBody
from .lines import LineAnswer as LineAnswer
from .lines import LineBody as LineBody
from .lines import LineReply as LineReply
from .lines import LineReplyBody as LineReplyBody
from .puzzles import PuzzleAttempt as PuzzleAttempt
from .puzzles import PuzzleAttempts as PuzzleAttempts
from .puzzles import PuzzleChunk as PuzzleChunk
from .puzzles import PuzzleLine as PuzzleLine
from .puzzles import PuzzleList as PuzzleList
from .puzzles import PuzzlePosition as PuzzlePosition
from .puzzles import PuzzleProgress as PuzzleProgress
from .puzzles import Theme as Theme
from .replays import Replay as Replay
from .replays import ReplayBody as ReplayBody
from .rest import Alias as Alias
from .rest import Avatar as Avatar
from .rest import CreateTable as CreateTable
from .rest import EraseBody as EraseBody
from .rest import GameLine as GameLine
from .rest import GameList as GameList
from .rest import GameSeat as GameSeat
from .rest import Leaderboard as Leaderboard
from .rest import MailBody as MailBody
from .rest import Me as Me
from .rest import NameBody as NameBody
from .rest import NewPasswordBody as NewPasswordBody
from .rest import PasswordBody as PasswordBody
from .rest import Problem as Problem
from .rest import ProfileBody as ProfileBody
from .rest import RatingLine as RatingLine
from .rest import RatingList as RatingList
from .rest import SessionLine as SessionLine
from .rest import SessionList as SessionList
from .rest import TableLine as TableLine
from .rest import TableList as TableList
from .rest import TableSeatLine as TableSeatLine
from .rest import WatchList as WatchList
from .rest import alias_of as alias_of
from .rest import avatar_of as avatar_of
from .status import Config as Config
from .status import GuestBotLine as GuestBotLine
from .status import Preparing as Preparing
from .views import View as View

Text: TypeAlias = Annotated[str, Field(max_length=300)]
WatchKey: TypeAlias = Annotated[str, Field(max_length=64)]
Seq: TypeAlias = Annotated[int, Field(ge=0, le=2**31 - 1)]


# -- a table, as one person sees it


class Named(Form):
    """Somebody's name."""

    name: str
    alias: Alias | None  # replaces a default name


class SeatInfo(Form):
    """Who sits on a seat."""

    seat: Seat
    state: Literal["free", "person", "bot"]
    colour: Colour
    name: str  # of a person; empty otherwise
    alias: Alias | None  # replaces a default name
    avatar: Avatar = ""
    who: str | None  # a person's mark at this table, for muting
    you: bool
    hot_seat: bool  # shares the screen of another seat
    level: BotName | None  # of the bot that plays now, stand-ins included
    stand_in: Why | None  # why a bot plays for the person
    contributed: bool  # whether the client has contributed to the deal
    seconds_left: float | None  # realtime: at the start of its turn; None: no clock


class ClockInfo(Form):
    """The running clock."""

    seat: Seat | None  # whose time runs; None: nobody's
    began: float  # unix seconds: when its turn began
    deadline: float | None  # unix seconds


class UndoInfo(Form):
    """A pending request to take turns back."""

    seat: Seat  # who asked
    to_turn: int
    agreed: tuple[Seat, ...]  # seats whose person said yes
    waiting: tuple[Seat, ...]  # seats whose person has not answered


class DealProof(Form):
    """The proof of the deal, for everybody to verify."""

    commitment: str  # published before anybody contributed
    secret: str | None  # after the game
    contributions: tuple[str | None, ...] | None  # by seat, after the game
    not_first: Seat | None = None  # rematch: started the game before, so does not start


class ResultInfo(Form):
    """How the game ended."""

    outcome: dict[str, Any]  # scores, winners, tie_break, as in a view
    final_count: FinalCount  # the same part by part, in the order of the final count
    rated: bool
    forfeits: tuple[Seat, ...]  # seats for which a stand-in has played


class BackInfo(Form):
    """The command that takes back the seat's last or current turn."""

    kind: Literal["take-back", "ask-undo"]  # immediate, or if everybody agrees
    to_turn: int


class SeatView(Form):
    """The game as one seat sees it; seat None for watchers."""

    seat: Seat | None
    view: View
    standings: Standings  # of the current turn and, for the seat to decide, of legal turns
    prospects: Prospects | None  # effects of the legal turns, if this seat is to decide
    barred: Barred  # illegal steps of this seat's turn, by reason; empty in others' turns
    back: BackInfo | None  # None: nothing can be taken back
    advice: bool  # whether a hint may be asked for


class RoundAgo(Form):
    """The board as it was a round ago; the turns since then are in the log."""

    turn: int  # turns completed then
    cities: list[Any]  # as in a view
    messengers: list[Any]
    pile_left: int


class _Entry(Form):
    seq: Seq
    at: float  # unix seconds


class TurnEntry(_Entry):
    """A finished turn."""

    kind: Literal["turn"] = "turn"
    by: By
    record: dict[str, Any]  # as in the history of a view
    standings: Standings  # after each step; for new subscribers, of the last round


class UndoneEntry(_Entry):
    """Turns were taken back: drop those after ``to_turn``."""

    kind: Literal["undone"] = "undone"
    to_turn: int


class SaidEntry(_Entry):
    """A chat line."""

    kind: Literal["said"] = "said"
    room: Room
    seat: Seat | None
    name: str
    alias: Alias | None
    who: str  # the speaker's mark at this table
    text: str


class NewsEntry(_Entry):
    """Any other event."""

    kind: Literal["news"] = "news"
    what: Literal[
        "created", "joined", "left", "bot-seated", "started", "flagged", "stand-in", "took-over",
        "resigned", "undo-asked", "undo-answered", "finished", "closed", "rematch-offered",
        "rematched",
    ]  # fmt: skip
    seat: Seat | None = None
    name: str = ""  # of the person it is about
    alias: Alias | None = None
    detail: str = ""  # level, reason or answer


LogEntry: TypeAlias = Annotated[
    TurnEntry | UndoneEntry | SaidEntry | NewsEntry, Field(discriminator="kind")
]


class You(Form):
    """The person this message is for."""

    role: Role
    seats: tuple[Seat, ...]  # held, including those with a stand-in
    host: bool
    to_move: Seat | None  # the held seat that is to decide now
    muted: tuple[str, ...]  # marks of muted people
    watch_key: str | None  # players: for the watchers' link, if one opens the table


class TableMessage(Form):
    """A table as one person may see it."""

    kind: Literal["table"] = "table"
    table: TableLink
    seq: Seq  # the last event included
    now: float  # the server's time, unix seconds
    answers: CommandId | None = None  # your command that this answers
    phase: Phase
    setup: TableSetup
    rated: bool  # whether it still counts
    host: Named  # who made it
    you: You
    seats: tuple[SeatInfo, ...]
    free_colours: tuple[Colour, ...]  # before the game: those that no person has chosen
    turn: int  # completed turns
    step: int  # decisions of the current turn
    late: bool = False  # you watch a rated game, a round late
    views: tuple[SeatView, ...]  # one for each held seat; else the watchers', if allowed
    clock: ClockInfo
    bot_seconds: float | None = None  # busy server: bots think at most this long
    undo: UndoInfo | None
    deal: DealProof
    result: ResultInfo | None
    rematch: TableLink | None  # the next table
    evening: tuple[EveningScore | None, ...]  # by seat: games of this chain of rematches
    rematch_wanted: tuple[Seat, ...]  # seats whose person wants a rematch
    log_since: Seq  # the log contains the entries after this
    log: tuple[LogEntry, ...]
    round_ago: RoundAgo | None = None  # for new subscribers


# -- WebSocket, from the client


class Watch(Form):
    """Subscribe to a table, starting after a sequence number."""

    kind: Literal["watch"] = "watch"
    table: TableLink
    since: Seq = 0
    key: WatchKey = ""  # from the watchers' link


class Unwatch(Form):
    """Unsubscribe from a table."""

    kind: Literal["unwatch"] = "unwatch"
    table: TableLink


class Act(Form):
    """Carry out a command at a table."""

    kind: Literal["act"] = "act"
    table: TableLink
    command: Command


class Ping(Form):
    """Check the connection."""

    kind: Literal["ping"] = "ping"
    nonce: int = Field(default=0, ge=0, le=2**31 - 1)


ClientMessage: TypeAlias = Annotated[Watch | Unwatch | Act | Ping, Field(discriminator="kind")]


# -- WebSocket, from the server; a TableMessage with ``answers`` acknowledges a command


class RefusedMessage(Form):
    """A command or message was refused."""

    kind: Literal["refused"] = "refused"
    table: TableLink | None = None
    command: CommandId | None = None
    code: Code
    reason: Reason
    values: Values  # of the reason's text
    text: str  # in English, for programs

    @classmethod
    def of(
        cls, refusal: Refusal, table: str | None = None, command: str | None = None
    ) -> "RefusedMessage":
        """Return the message of a refusal."""
        return cls(
            table=table,
            command=command,
            code=cast("Code", refusal.code),
            reason=refusal.reason,
            values=refusal.values,
            text=refusal.text,
        )


class PresenceMessage(Form):
    """Who is connected to a table."""

    kind: Literal["presence"] = "presence"
    table: TableLink
    seats: tuple[Seat, ...]  # seats whose person is connected
    watchers: int


class YourTurnMessage(Form):
    """It is your turn at another table."""

    kind: Literal["your-turn"] = "your-turn"
    table: TableLink
    seat: Seat


class PongMessage(Form):
    """Reply to `Ping`."""

    kind: Literal["pong"] = "pong"
    nonce: int
    now: float  # the server's time, unix seconds


class ByeMessage(Form):
    """The server is closing this connection; reconnect where it makes sense."""

    kind: Literal["bye"] = "bye"
    reason: Literal["slow", "restart", "signed-out", "too-much"]
    text: str = ""


ServerMessage: TypeAlias = Annotated[
    TableMessage | RefusedMessage | PresenceMessage | YourTurnMessage | PongMessage | ByeMessage,
    Field(discriminator="kind"),
]
