"""Friends, invitations, and a person's figures. Import them from `protocol.messages`."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from patrizier.server.table.setup import Form, Level, Seat, TableLink

from .rest import Alias, Avatar, GameLine, TableLine

FriendCode: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{22}$")]
FriendId: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{24}$")]

# -- friends


class FriendLine(Form):
    """Somebody on my list of friends."""

    id: FriendId  # valid only on my list
    name: str
    alias: Alias | None
    avatar: Avatar
    state: Literal["friends", "asked", "wants"]  # I have asked them; or they have asked me
    seen: float  # unix seconds: when they were last here; 0 unless we are friends


class FriendList(Form):
    """My friends by name; those who wait for my answer come first."""

    friends: tuple[FriendLine, ...]


class FriendBody(Form):
    """Ask somebody whom I have played with."""

    table: TableLink  # of a game of ours
    seat: Seat = Field(ge=0, le=4)  # theirs


class FriendLink(Form):
    """The code in my link: whoever opens it and agrees is my friend."""

    code: FriendCode


class Stranger(Form):
    """The person whose link to become friends I opened."""

    name: str
    alias: Alias | None
    avatar: Avatar
    you: bool  # it is my own link
    friends: bool  # we are friends already


# -- invitations


class InviteBody(Form):
    """Invite a friend, or everybody who played at another table of mine."""

    friend: FriendId | None = None
    again: TableLink | None = None


class InvitationLine(Form):
    """An invitation to a table that waits for players."""

    name: str  # of who invites
    alias: Alias | None
    avatar: Avatar
    at: float  # unix seconds
    table: TableLine


class InvitationList(Form):
    """Invitations, the newest first."""

    invitations: tuple[InvitationLine, ...]


class Invited(Form):
    """Which of my friends were invited to a table."""

    friends: tuple[FriendId, ...]
    people: int  # everybody who was invited, friends or not


# -- figures


class Tally(Form):
    """My games of one kind."""

    players: int
    level: Level | None  # the strongest bot among bots only; None: with other people
    games: int
    wins: int  # shared ones included
    points: float  # on average
    best: int  # points


class PointsAt(Form):
    """The result of one game, for a curve."""

    finished: float  # unix seconds
    players: int
    points: int
    place: int


class Opponent(Form):
    """Somebody I have played with."""

    name: str
    alias: Alias | None
    games: int
    ahead: int  # games in which I came before them
    behind: int
    last: float  # unix seconds
    table: TableLink  # of our last game
    seat: Seat  # theirs at that table
    friend: bool  # on my list of friends, or asked


class Figures(Form):
    """My finished games in figures; those in which several seats were mine do not count."""

    games: int
    wins: int
    points: float  # on average
    streak: int  # games won in a row, up to now
    longest: int  # the longest such streak
    tallies: tuple[Tally, ...]
    curve: tuple[PointsAt, ...]  # the last games, the oldest first
    best: tuple[GameLine, ...]  # the games with most points
    opponents: tuple[Opponent, ...]  # those with most games first
    cut: bool  # there are more games than were counted
