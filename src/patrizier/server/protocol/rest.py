"""Bodies and answers of the REST routes. Import them from `protocol`."""

from typing import Literal, TypeAlias, cast, get_args

from pydantic import Field

from patrizier.server.names import SOMEBODY, guest_number
from patrizier.server.reasons import Reason, Values
from patrizier.server.table.commands import CommandId
from patrizier.server.table.setup import (
    BotName,
    Form,
    Pace,
    Phase,
    Rule,
    Seat,
    TableLink,
    TableSetup,
)

SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 200

# -- names


class Alias(Form):
    """A default name, for pages to translate."""

    kind: Literal["guest", "somebody"]  # not chosen yet; or deleted data
    number: int | None = None  # of a guest


def alias_of(name: str, person: str | None) -> Alias | None:
    """Return the alias of a default name; None for chosen names.

    >>> alias_of("Guest 6031", "anna-0123456789ab")
    Alias(kind='guest', number=6031)
    """
    if person is None and name == SOMEBODY:
        return Alias(kind="somebody")
    number = guest_number(name)
    return None if number is None else Alias(kind="guest", number=number)


# A drawing of ours: a noble, a city's crest, or a symbol; empty: none chosen.
Avatar: TypeAlias = Literal[
    "", "L", "B", "K", "BO", "FE", "FI", "LU", "MI", "PA", "PI", "RO", "SI", "VE",
    "crown", "star", "rosette",
]  # fmt: skip


def avatar_of(name: str) -> Avatar:
    """Return a stored avatar, if there is still a drawing of it.

    >>> avatar_of("crown"), avatar_of("unicorn")
    ('crown', '')
    """
    return cast("Avatar", name) if name in get_args(Avatar) else ""


# -- tables


class CreateTable(Form):
    """Create a table and, if wanted, take a seat."""

    id: CommandId
    setup: TableSetup = TableSetup()
    seat: Seat | None = Field(default=None, ge=0, le=4)  # None: the first seat for a person
    take_seat: bool = True


class Problem(Form):
    """Why a request was refused."""

    code: str  # for programs: a group of reasons
    reason: Reason
    values: Values  # of the reason's text
    text: str  # in English, for programs


class TableSeatLine(Form):
    """A seat in a list of tables."""

    seat: Seat
    name: str  # of the person; empty for a free seat or a bot
    alias: Alias | None  # replaces a default name
    level: BotName | None  # of the bot that plays it
    you: bool


class TableLine(Form):
    """A table in a list."""

    table: TableLink
    phase: Phase
    players: int
    rules: tuple[Rule, ...]
    pace: Pace
    rated: bool
    seats: tuple[TableSeatLine, ...]
    free: int  # free seats
    turn: int
    your_turn: bool
    yours: bool  # you are its host
    created: float  # unix seconds
    updated: float  # unix seconds


class TableList(Form):
    """Tables; in the list of my tables those with "your turn" come first."""

    tables: tuple[TableLine, ...]


class WatchList(Form):
    """Running games that anybody may watch, the last touched first."""

    tables: tuple[TableLine, ...]
    before: float | None  # for the next page; None: no more


# -- people


class NameBody(Form):
    """A display name."""

    name: str = Field(min_length=1, max_length=60)


class PasswordBody(Form):
    """Login and password of an account, to open it or to sign in."""

    name: str = Field(min_length=1, max_length=60)
    password: str = Field(min_length=1, max_length=200)


class NewPasswordBody(Form):
    """A new password."""

    old: str = Field(min_length=1, max_length=200)
    new: str = Field(  # one that is too short is refused as "weak-password", not as invalid
        max_length=LONGEST_PASSWORD, json_schema_extra={"minLength": SHORTEST_PASSWORD}
    )


class MailBody(Form):
    """The address for "your turn" e-mails of correspondence games; None: none are sent."""

    email: str | None = Field(default=None, max_length=254)
    wanted: bool = True


class EraseBody(Form):
    """Confirmation to delete all my data."""

    password: str | None = Field(default=None, max_length=200)  # of an account


class ProfileBody(Form):
    """What others see of me; None: as before."""

    avatar: Avatar | None = None
    listed: bool | None = None  # in leaderboards


class Me(Form):
    """Who I am."""

    name: str
    alias: Alias | None  # replaces the name until I choose one
    account: str | None  # its name; None: a guest
    email: str | None
    mail_wanted: bool
    avatar: Avatar
    listed: bool  # whether leaderboards show me
    token: str  # required with every request that changes something


class SessionLine(Form):
    """A browser in which I am signed in."""

    id: str
    device: str  # browser and system, "Firefox · Linux"; empty if unknown
    here: bool  # this one
    began: float  # unix seconds
    seen: float  # unix seconds: when it was last used, about


class SessionList(Form):
    """My sessions, the last used first."""

    sessions: tuple[SessionLine, ...]


# -- finished games


class GameSeat(Form):
    """The result of a seat."""

    seat: Seat
    name: str
    alias: Alias | None
    level: BotName | None  # of a bot
    points: int
    place: int  # 1 is best; equal places are shared
    left: bool  # a stand-in played on
    you: bool


class GameLine(Form):
    """A finished game in a history."""

    table: TableLink
    players: int
    rules: tuple[Rule, ...]
    rated: bool
    finished: float  # unix seconds
    seats: tuple[GameSeat, ...]


class GameList(Form):
    """Finished games, the newest first."""

    games: tuple[GameLine, ...]
    before: float | None  # for the next page; None: no more


class RatingLine(Form):
    """A rating for one player count."""

    place: int | None  # in the leaderboard; None: not in one
    name: str
    alias: Alias | None
    avatar: Avatar
    players: int
    rating: float
    uncertainty: float
    games: int
    you: bool


class RatingList(Form):
    """Ratings."""

    ratings: tuple[RatingLine, ...]


class Leaderboard(Form):
    """A page of the best ratings for a player count."""

    ratings: tuple[RatingLine, ...]
    mine: RatingLine | None  # wherever it is; None: I am not listed
    more: bool  # there is another page
