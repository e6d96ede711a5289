"""What the server needs from a database, and the ways an append can fail."""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf
from typing import Protocol, TypeAlias

from patrizier.server.table.events import Event, Stored

from .rows import MailJob, Opening, Person, Pulse, Rating, Result, Session, TableSummary, YourTurn

Rate: TypeAlias = Callable[[Result, Mapping[str, Rating]], Sequence[Rating]]


class Conflict(Exception):
    """Somebody else appended first: read on and decide anew."""


class Repeated(Exception):
    """The person's command of this id has been carried out already."""

    def __init__(self, stored: Sequence[Stored]) -> None:
        super().__init__("the command has been carried out already")
        self.stored = list(stored)  # what it brought then


class TableStore(Protocol):
    """The tables: their events, and what lists and clocks need to know of them."""

    async def append(
        self,
        table_id: str,
        after_seq: int,
        events: Sequence[Event],
        at: float,
        command_id: str | None,
        person: str | None,
        summary: TableSummary,
        opening: Opening | None = None,
    ) -> list[Stored]:
        """Add events behind ``after_seq`` (0: a new table); they are on disk when this returns.

        Raises `Conflict` if that is not the last one, `Repeated` if the person's command id is
        known. The summary is that of the table after these events. With ``opening``, another
        table begins in the same transaction.
        """

    async def read(self, table_id: str, after_seq: int = 0) -> list[Stored]:
        """Return the events behind ``after_seq`` in order; none if there is no such table."""

    async def has_command(self, table_id: str, person: str, command_id: str) -> bool:
        """Whether a person's command of this id has been carried out."""

    async def rewrite(self, table_id: str, changed: Sequence[Stored]) -> None:
        """Replace the text of stored events: only for deleting a person's data."""

    async def last_seqs(self, table_ids: Collection[str]) -> dict[str, int]:
        """Return the last sequence number of each of these tables."""

    async def summary(self, table_id: str) -> TableSummary | None:
        """Return one table's summary."""

    async def open_tables(self, limit: int = 100) -> list[TableSummary]:
        """Return the public tables that wait for players.

        First the newest one of every host, then everybody's second, and so on: whoever opens many
        keeps no others off the list.
        """

    async def open_tables_of(self, host: str) -> int:
        """Return how many tables of a host wait for players."""

    async def still_open(self, table_ids: Collection[str]) -> set[str]:
        """Return which of these tables wait for players."""

    async def tables_of(self, person: str, limit: int = 100) -> list[TableSummary]:
        """Return a person's unfinished tables, "your turn" first, then the last touched."""

    async def all_tables_of(self, person: str) -> list[str]:
        """Return the ids of all tables whose events tell of a person."""

    async def due_tables(self, now: float, limit: int = 1000) -> list[str]:
        """Return the ids of tables on which time acts by now, the longest overdue first."""

    async def next_due(self) -> float | None:
        """Return when time acts next on any table."""

    async def set_due(self, table_id: str, seq: int, due: float | None) -> bool:
        """Set when time acts next on a table; False if it has gone on since ``seq``."""

    async def ticking_tables(self) -> list[str]:
        """Return the ids of tables whose game goes on by a clock."""

    async def bot_tables(
        self, limit: int = 1000, after: str = "", before: float = inf
    ) -> list[str]:
        """Return the ids of tables where a bot plays with nobody there, and has not lately.

        They come in order, those behind ``after``, untouched since ``before``.
        """

    async def pulse(self) -> Pulse:
        """Return when a server has last been alive, and what time it is there."""

    async def beat(self, at: float) -> None:
        """Note that a server is alive."""

    async def counts(self) -> dict[str, int]:
        """Return how many tables there are in each phase."""


class PeopleStore(Protocol):
    """Guests and accounts."""

    async def add(self, person: Person) -> None:
        """Add a person; `LoginTaken` if the login is somebody's."""

    async def get(self, person_id: str) -> Person | None:
        """Return a person by id."""

    async def by_login(self, login: str) -> Person | None:
        """Return the account of this folded name."""

    async def change(self, person_id: str, **fields: object) -> None:
        """Change some fields of a person who is there; `LoginTaken` as above."""

    async def seen(self, person_id: str, at: float, language: str) -> None:
        """Note that a person was here, and what they read."""

    async def all_seen(self, person_ids: Collection[str], at: float) -> None:
        """Note that these people are here."""

    async def last_seen(self, person_ids: Collection[str]) -> dict[str, float]:
        """Return when these people, as far as they are known, were last here."""

    async def erase(self, person_id: str) -> None:
        """Blot out name, login, password, address, ratings and the part in results."""

    async def forget_guests(self, before: float, limit: int = 1000) -> int:
        """Delete guests not seen since then who sit at no table; return how many."""


class LoginTaken(Exception):
    """An account of this name exists."""


class PasswordChanged(Exception):
    """The password that somebody gave is an old one by now."""


class SessionStore(Protocol):
    """Where accounts are signed in."""

    async def add(self, session: Session, password_hash: str, most: int) -> list[str]:
        """Add a session; the longest unused beyond so many end. Return the ids of those.

        `PasswordChanged` if the account has another password by now.
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
        """End a person's sessions: all, one, or all but one. Return the ids of those."""

    async def forget(self, before: float) -> None:
        """End all sessions that were not used since then."""


class ResultStore(Protocol):
    """Finished games and ratings."""

    async def unsettled(self, limit: int = 100) -> list[str]:
        """Return the ids of finished tables whose result is not stored yet."""

    async def settle(self, result: Result, rate: Rate | None = None) -> bool:
        """Store a result, once; False if it was there.

        ``rate`` makes the new ratings from the result and the old ones, in the same transaction.
        """

    async def result(self, table_id: str) -> Result | None:
        """Return a finished game."""

    async def set_record(self, table_id: str, record: str) -> None:
        """Replace the record of a finished game: only for deleting a person's data."""

    async def adopt(self, table_id: str, guest: str, person: str) -> None:
        """Give a guest's part in a finished game to the account they have signed in to."""

    async def adopt_ratings(self, guest: str, person: str) -> None:
        """Give a guest's ratings to an account, as far as it has none of its own."""

    async def results_of(
        self, person: str, limit: int = 50, before: float | None = None
    ) -> list[Result]:
        """Return a person's finished games, the newest first, without their records."""

    async def ratings(self, persons: Collection[str], players: int) -> dict[str, Rating]:
        """Return the ratings of those who have one for this player count."""

    async def ratings_of(self, person: str) -> list[Rating]:
        """Return all ratings of a person."""

    async def best(self, players: int, limit: int = 50) -> list[Rating]:
        """Return the best rated (mu - 3 sigma) for a player count."""


class MailStore(Protocol):
    """The mail queue, and whose turn has not been told yet."""

    async def your_turns(self, limit: int = 100) -> list[YourTurn]:
        """Return whose turn it is in correspondence games, if no mail about it was queued yet."""

    async def put(self, job: MailJob, at: float) -> bool:
        """Add a job; False if there has been one of this key."""

    async def claim(self, key: str, by: str, at: float) -> bool:
        """Keep a key without a mail for somebody; False if somebody else has it."""

    async def take(self, now: float, until: float, limit: int) -> list[MailJob]:
        """Return what is due, and let nobody else have it before ``until``."""

    async def finish(self, key: str) -> None:
        """Forget all of a job but its key."""

    async def delay(self, key: str, until: float) -> None:
        """Note a failure, and when to try again."""

    async def clean(self, before: float) -> None:
        """Forget finished jobs that are older than this."""


class Store(TableStore, Protocol):
    """A database: its tables at hand, the rest by noun."""

    @property
    def people(self) -> PeopleStore:
        """Guests and accounts."""

    @property
    def sessions(self) -> SessionStore:
        """Where accounts are signed in."""

    @property
    def results(self) -> ResultStore:
        """Finished games and ratings."""

    @property
    def mail(self) -> MailStore:
        """The mail queue."""

    async def ready(self) -> None:
        """Raise if the database does not answer."""

    async def close(self) -> None:
        """Write what is waiting, and let go of all connections."""
