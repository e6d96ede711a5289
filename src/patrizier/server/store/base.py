"""The store's protocols, and the ways an append can fail."""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf
from typing import Protocol, TypeAlias

from patrizier.server.table.events import Stored

from .rows import (
    AnalysisJob,
    Friend,
    Invitation,
    MailJob,
    Opening,
    Person,
    Pulse,
    PuzzleRating,
    PuzzleSolver,
    PuzzleTry,
    RankedRating,
    Rating,
    Result,
    Session,
    StoredAnalysis,
    TableSummary,
    YourTurn,
)

Rate: TypeAlias = Callable[[Result, Mapping[str, Rating]], Sequence[Rating]]

# From an attempt at a puzzle to the new ratings of person and puzzle.
RatePuzzle: TypeAlias = Callable[
    [str, PuzzleSolver | None, PuzzleRating | None, PuzzleTry], tuple[PuzzleSolver, PuzzleRating]
]


class Conflict(Exception):
    """Another process appended first: read the new events and retry."""


class Repeated(Exception):
    """The person's command with this id has been carried out already."""


class TableStore(Protocol):
    """The tables: their events, and their summaries for lists and deadlines."""

    async def append(
        self,
        table_id: str,
        stored: Sequence[Stored],
        summary: TableSummary,
        opening: Opening | None = None,
    ) -> None:
        """Append events to a table, or create one; they are on disk when this returns.

        Raises `Conflict` if they do not follow the last event, `Repeated` if the command id is
        known. The summary is that of the table after these events. With ``opening``, another table
        is created in the same transaction.
        """

    async def read(self, table_id: str, after_seq: int = 0) -> list[Stored]:
        """Return the events after ``after_seq`` in order; none if there is no such table."""

    async def has_command(self, table_id: str, person: str, command_id: str) -> bool:
        """Whether a person's command with this id has been carried out."""

    async def rewrite(self, table_id: str, changed: Sequence[Stored]) -> None:
        """Replace stored events: only to delete a person's data."""

    async def last_seqs(self, table_ids: Collection[str]) -> dict[str, int]:
        """Return the last sequence number of each of these tables."""

    async def summary(self, table_id: str) -> TableSummary | None:
        """Return one table's summary."""

    async def open_tables(self, limit: int = 100) -> list[TableSummary]:
        """Return the public tables that wait for players.

        First the newest of every host, then everybody's second, and so on, so that nobody can fill
        the list.
        """

    async def watched_tables(
        self, limit: int = 50, before: float | None = None
    ) -> list[TableSummary]:
        """Return the running games that anybody may watch, the last touched first."""

    async def open_tables_of(self, host: str) -> int:
        """Return how many tables of a host wait for players."""

    async def still_open(self, table_ids: Collection[str]) -> set[str]:
        """Return which of these tables wait for players."""

    async def tables_of(self, person: str, limit: int = 100) -> list[TableSummary]:
        """Return a person's unfinished tables, "your turn" first, then the last touched."""

    async def all_tables_of(self, person: str) -> list[str]:
        """Return the ids of all tables whose events involve a person."""

    async def due_tables(self, now: float, limit: int = 1000) -> list[str]:
        """Return the ids of tables with passed deadlines, the longest overdue first."""

    async def next_due(self) -> float | None:
        """Return the next deadline of any table."""

    async def set_due(self, table_id: str, seq: int, due: float | None) -> bool:
        """Set a table's next deadline; False if it has newer events than ``seq``."""

    async def ticking_tables(self) -> list[str]:
        """Return the ids of tables with a running clock."""

    async def bot_tables(
        self, limit: int = 1000, after: str = "", before: float = inf
    ) -> list[str]:
        """Return the ids of tables where a bot is to move though nobody is present.

        In order, those after ``after``, untouched since ``before``.
        """

    async def pulse(self) -> Pulse:
        """Return the last heartbeat of any server, and the database's time."""

    async def beat(self, at: float) -> None:
        """Store a heartbeat."""

    async def counts(self) -> dict[str, int]:
        """Return how many tables there are in each phase."""


class PeopleStore(Protocol):
    """Guests and accounts."""

    async def add(self, person: Person) -> None:
        """Add a person; raises `LoginTaken`."""

    async def get(self, person_id: str) -> Person | None:
        """Return a person by id."""

    async def by_friend_code(self, code: str) -> Person | None:
        """Return the person with this friend code."""

    async def by_login(self, login: str) -> Person | None:
        """Return the account with this folded login."""

    async def change(self, person_id: str, **fields: object) -> None:
        """Change some fields of an existing person; raises `LoginTaken`."""

    async def seen(self, person_id: str, at: float, language: str) -> None:
        """Store a person's visit and language."""

    async def all_seen(self, person_ids: Collection[str], at: float) -> None:
        """Store that these people are connected."""

    async def last_seen(self, person_ids: Collection[str]) -> dict[str, float]:
        """Return when these people were last seen, as far as known."""

    async def erase(self, person_id: str) -> None:
        """Erase name, login, password, address, ratings, friends, and the name in results."""

    async def forget_guests(self, before: float, limit: int = 1000) -> int:
        """Delete guests without a table who were not seen since then; return how many."""


class LoginTaken(Exception):
    """An account of this name exists."""


class PasswordChanged(Exception):
    """The password was changed meanwhile."""


class SessionStore(Protocol):
    """Sessions of accounts."""

    async def add(self, session: Session, password_hash: str, most: int) -> list[str]:
        """Add a session and end the longest unused beyond ``most``; return the ids of those.

        Raises `PasswordChanged` if the account has another password by now.
        """

    async def get(self, session_id: str) -> Session | None:
        """Return a session that has not ended."""

    async def of(self, person_id: str) -> list[Session]:
        """Return a person's sessions, the last used first."""

    async def seen(self, session_id: str, at: float) -> None:
        """Note that a session was used."""

    async def end(
        self, person_id: str, *, only: str | None = None, but: str | None = None
    ) -> list[str]:
        """End a person's sessions: all, one, or all but one. Return their ids."""

    async def forget(self, before: float) -> None:
        """Delete all sessions that were not used since then."""


class ResultStore(Protocol):
    """Finished games and ratings."""

    async def unsettled(self, limit: int = 100) -> list[str]:
        """Return the ids of finished tables whose result is not stored yet."""

    async def settle(self, result: Result, rate: Rate | None = None) -> bool:
        """Store a result, once; False if it exists.

        ``rate`` computes new ratings from the result and the old ones, in the same transaction.
        """

    async def result(self, table_id: str) -> Result | None:
        """Return a finished game."""

    async def set_record(self, table_id: str, record: str) -> None:
        """Replace the record of a finished game: only to delete a person's data."""

    async def adopt(self, table_id: str, guest: str, person: str) -> None:
        """Give a guest's seat in a finished game to the account they have signed in to."""

    async def adopt_ratings(self, guest: str, person: str) -> None:
        """Give a guest's ratings to an account, where it has none."""

    async def results_of(
        self, person: str, limit: int = 50, before: float | None = None
    ) -> list[Result]:
        """Return a person's finished games, the newest first, without their records."""

    async def ratings(self, persons: Collection[str], players: int) -> dict[str, Rating]:
        """Return these people's ratings for a player count."""

    async def ratings_of(self, person: str) -> list[Rating]:
        """Return all ratings of a person."""

    async def best(self, players: int, limit: int = 50, after: int = 0) -> list[RankedRating]:
        """Return the highest ratings (mu - 3 sigma) for a player count, after so many others.

        Whoever does not want to be listed is left out, also from the counting.
        """

    async def rank_of(self, person: str, players: int) -> RankedRating | None:
        """Return a person's place in a leaderboard; None if they are not in it."""


class FriendStore(Protocol):
    """Who is whose friend."""

    async def of(self, person: str) -> list[Friend]:
        """Return a person's friends and those who would like to be, by name."""

    async def add(self, person: str, friend: str, at: float) -> None:
        """Add a friend; nothing happens if they are on the list."""

    async def remove(self, person: str, friend: str) -> None:
        """Remove two people from each other's list."""

    async def adopt(self, guest: str, person: str) -> None:
        """Give a guest's friends to the account they have signed in to."""


class InvitationStore(Protocol):
    """Invitations to tables that wait for players."""

    async def add(self, table_id: str, host: str, person: str, at: float) -> None:
        """Invite somebody; nothing happens if they were invited to this table before."""

    async def of(self, person: str, limit: int = 20) -> list[Invitation]:
        """Return a person's invitations that are still open, the newest first."""

    async def invited(self, table_id: str) -> set[str]:
        """Return who was invited to a table, also those who declined."""

    async def decline(self, table_id: str, person: str) -> None:
        """Decline an invitation."""

    async def adopt(self, guest: str, person: str) -> None:
        """Give a guest's invitations to the account they have signed in to."""

    async def clean(self) -> None:
        """Delete invitations to tables that do not wait any more."""


class MailStore(Protocol):
    """The mail queue, and pending "your turn" e-mails."""

    async def your_turns(self, limit: int = 100) -> list[YourTurn]:
        """Return turns in correspondence games for which no mail was queued yet."""

    async def put(self, job: MailJob, at: float) -> bool:
        """Add a job; False if the key is known."""

    async def claim(self, key: str, by: str, at: float) -> bool:
        """Store a key without a mail; False if somebody else has it."""

    async def take(self, now: float, until: float, limit: int) -> list[MailJob]:
        """Take due jobs, and lock them for others until ``until``."""

    async def finish(self, key: str) -> None:
        """Delete a job but for its key."""

    async def delay(self, key: str, until: float) -> None:
        """Store a failure and the time of the next try."""

    async def clean(self, before: float) -> None:
        """Delete finished jobs older than this."""


class PuzzleStore(Protocol):
    """Who has tried which puzzle, and ratings."""

    async def note(self, person: str, tries: Sequence[PuzzleTry], rate: RatePuzzle) -> None:
        """Store attempts in their order; those that are known already count once."""

    async def solver(self, person: str) -> PuzzleSolver | None:
        """Return a person's progress; None if they have not begun."""

    async def done(self, person: str) -> dict[str, int]:
        """Return how often a person has done each puzzle."""

    async def ratings(self) -> dict[str, PuzzleRating]:
        """Return the ratings of all puzzles that somebody has tried."""

    async def adopt(self, guest: str, person: str) -> None:
        """Give a guest's attempts to the account they have signed in to."""


class OneAtATime(Exception):
    """The person already waits for another analysis."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key  # of that analysis


class EnoughToday(Exception):
    """The person has asked for as many analyses as a day allows."""


class AnalysisStore(Protocol):
    """Analyses of games: a queue and its results."""

    async def ask(self, job: AnalysisJob, turns: int, person: str, at: float, most: int) -> None:
        """Note that a person wants an analysis; it is queued unless it is known already.

        One that has failed is tried again. Raises `OneAtATime`, or `EnoughToday` after ``most`` new
        ones within a day.
        """

    async def cancel(self, person: str, key: str) -> bool:
        """Note that a person no longer waits; True if nobody does, and it was removed."""

    async def forget(self, before: float) -> None:
        """Delete requests made before then, but for those still worked on; analyses stay."""

    async def take(self, now: float, until: float) -> AnalysisJob | None:
        """Take the next job, and lock it for others until ``until``."""

    async def store(self, key: str, judged: int, body: str, until: float | None) -> bool:
        """Store an analysis so far; ``until`` None: it is done. False if nobody wants it."""

    async def extend(self, key: str, until: float) -> None:
        """Keep a job locked for longer."""

    async def release(self, key: str, *, failed: bool = False) -> None:
        """Release a job; unless it failed, the attempt does not count."""

    async def get(self, key: str, now: float) -> StoredAnalysis | None:
        """Return an analysis."""


class LineStore(Protocol):
    """What-if lines stored under a link."""

    async def keep(self, name: str, study: str, person: str, at: float) -> None:
        """Store lines under a new name; a person's oldest are dropped."""

    async def get(self, name: str) -> str | None:
        """Return the lines stored under a name."""


class Store(TableStore, Protocol):
    """The whole store: tables directly, the rest by noun."""

    @property
    def people(self) -> PeopleStore:
        """Guests and accounts."""

    @property
    def sessions(self) -> SessionStore:
        """Sessions of accounts."""

    @property
    def results(self) -> ResultStore:
        """Finished games and ratings."""

    @property
    def friends(self) -> FriendStore:
        """Who is whose friend."""

    @property
    def invitations(self) -> InvitationStore:
        """Invitations to tables."""

    @property
    def puzzles(self) -> PuzzleStore:
        """Attempts at puzzles."""

    @property
    def mail(self) -> MailStore:
        """The mail queue."""

    @property
    def analyses(self) -> AnalysisStore:
        """Analyses of games."""

    @property
    def lines(self) -> LineStore:
        """What-if lines stored under a link."""

    async def ready(self) -> None:
        """Raise if the database does not answer."""

    async def close(self) -> None:
        """Write pending appends and close all connections."""
