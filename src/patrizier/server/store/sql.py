"""The store in SQL, the same for SQLite and PostgreSQL."""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from math import inf
from typing import Any

from pydantic_core import to_json
from sqlalchemy import (
    Connection,
    Select,
    exists,
    func,
    insert,
    literal,
    select,
    text,
    union,
    update,
)
from sqlalchemy.exc import IntegrityError

from patrizier.server.table.events import Stored, event_to_json

from .appends import Append, read_events, summary_from_json
from .database import Database, PostgresDatabase, connect
from .migrate import migrate
from .models import events, members, pulse, tables
from .notices import PRESENCE, TablePresence, notify
from .queries.analyses import SqlAnalyses
from .queries.friends import SqlFriends
from .queries.invitations import SqlInvitations
from .queries.lines import SqlLines
from .queries.mail import SqlMail
from .queries.people import SqlPeople
from .queries.puzzles import SqlPuzzles
from .queries.results import SqlResults
from .queries.sessions import SqlSessions
from .rows import Opening, Pulse, TableSummary
from .writer import Writer

_TRY_EVERY = 1.0  # seconds

# Unix seconds, by the database machine's clock.
_POSTGRES_CLOCK = "SELECT extract(epoch FROM clock_timestamp())"
_SQLITE_CLOCK = "SELECT (julianday('now') - 2440587.5) * 86400.0"

_SUMMARY = select(tables.c.summary, tables.c.created, tables.c.updated)


async def open_store(url: str) -> "SqlStore":
    """Connect to a database, migrate it, and return the store."""
    database = connect(url)
    try:
        await database.write(migrate)
    except BaseException:
        await database.close()
        database.discard()
        raise
    return SqlStore(database)


class SqlStore:
    """All that the server stores. Appends share transactions; see `Writer`."""

    def __init__(self, database: Database, writer: Writer | None = None) -> None:
        self.database = database
        self.people = SqlPeople(database)
        self.results = SqlResults(database)
        self.friends = SqlFriends(database)
        self.invitations = SqlInvitations(database)
        self.mail = SqlMail(database)
        self.analyses = SqlAnalyses(database)
        self.lines = SqlLines(database)
        self.puzzles = SqlPuzzles(database)
        self.writer = writer or Writer(database)
        self.sessions = SqlSessions(database, self.writer.origin)
        self._trial: asyncio.Task[None] | None = None  # the last write test
        self._tried = -inf

    @property
    def listen_url(self) -> str | None:
        """The URL to listen at for other processes; None if there can be none."""
        if not isinstance(self.database, PostgresDatabase):
            return None
        url = self.database.url.set(drivername="postgresql")
        return url.render_as_string(hide_password=False)

    async def announce(self, there: Sequence[TablePresence]) -> None:
        """Announce to the other processes who is connected here."""
        origin = self.writer.origin
        await self.database.write(lambda conn: notify(conn, origin, there, PRESENCE))

    async def append(
        self,
        table_id: str,
        stored: Sequence[Stored],
        summary: TableSummary,
        opening: Opening | None = None,
    ) -> None:
        """Append events to a table, or create one; they are on disk when this returns."""
        if not stored:
            raise ValueError("nothing to append")
        also = None
        if opening is not None:
            also = Append(opening.table_id, opening.stored, opening.summary)
        await self.writer.append(Append(table_id, stored, summary, also))

    async def read(self, table_id: str, after_seq: int = 0) -> list[Stored]:
        """Return the events after ``after_seq`` in order; none if there is no such table."""
        return await self.database.read(lambda conn: read_events(conn, table_id, after_seq))

    async def has_command(self, table_id: str, person: str, command_id: str) -> bool:
        """Whether a person's command with this id has been carried out."""
        same = (events.c.person == person) & (events.c.table_id == table_id)
        query = select(events.c.seq).where(same, events.c.command_id == command_id).limit(1)
        return await self.database.read(lambda conn: conn.scalar(query)) is not None

    async def rewrite(self, table_id: str, changed: Sequence[Stored]) -> None:
        """Replace stored events: only to delete a person's data."""

        def work(connection: Connection) -> None:
            for stored in changed:
                body = to_json(event_to_json(stored.event)).decode()
                here = (events.c.table_id == table_id) & (events.c.seq == stored.seq)
                connection.execute(update(events).where(here).values(body=body))

        await self.database.write(work)

    async def last_seqs(self, table_ids: Collection[str]) -> dict[str, int]:
        """Return the last sequence number of each of these tables."""
        query = select(tables.c.id, tables.c.seq).where(tables.c.id.in_(table_ids))
        return await self.database.read(lambda conn: dict(conn.execute(query).all()))

    async def summary(self, table_id: str) -> TableSummary | None:
        """Return one table's summary."""
        found = await self._summaries(_SUMMARY.where(tables.c.id == table_id))
        return found[0] if found else None

    async def open_tables(self, limit: int = 100) -> list[TableSummary]:
        """Return the public tables that wait for players, the first of every host first."""
        newest = tables.c.created.desc(), tables.c.id
        rank = func.row_number().over(partition_by=tables.c.host, order_by=newest).label("rank")
        waiting = (tables.c.phase == "open") & tables.c.public
        ranked = select(tables.c.id, rank).where(waiting).subquery()
        query = _SUMMARY.join(ranked, ranked.c.id == tables.c.id).order_by(ranked.c.rank, *newest)
        return await self._summaries(query.limit(limit))

    async def watched_tables(
        self, limit: int = 50, before: float | None = None
    ) -> list[TableSummary]:
        """Return the running games that anybody may watch, the last touched first."""
        query = _SUMMARY.where(tables.c.watched)
        if before is not None:
            query = query.where(tables.c.updated < before)
        query = query.order_by(tables.c.updated.desc(), tables.c.id)
        return await self._summaries(query.limit(limit))

    async def open_tables_of(self, host: str) -> int:
        """Return how many tables of a host wait for players."""
        theirs = (tables.c.host == host) & (tables.c.phase == "open")
        query = select(func.count()).select_from(tables).where(theirs)
        return await self.database.read(lambda conn: conn.scalar(query) or 0)

    async def still_open(self, table_ids: Collection[str]) -> set[str]:
        """Return which of these tables wait for players."""
        waiting = tables.c.id.in_(table_ids) & (tables.c.phase == "open")
        return set(await self._ids(select(tables.c.id).where(waiting)))

    async def tables_of(self, person: str, limit: int = 100) -> list[TableSummary]:
        """Return a person's unfinished tables, "your turn" first, then the last touched.

        Games that they have given up are left out.
        """
        mine = tables.c.id.in_(select(members.c.table_id).where(members.c.person == person))
        query = _SUMMARY.where(mine, tables.c.phase.in_(("open", "playing"))).order_by(
            func.coalesce(tables.c.to_move == person, False).desc(),
            tables.c.updated.desc(),
            tables.c.id,
        )
        found = await self._summaries(query.limit(limit))
        return [table for table in found if not _has_given_up(table, person)]

    async def all_tables_of(self, person: str) -> list[str]:
        """Return the ids of all tables where a person has a seat or ever did something."""
        sits = select(members.c.table_id).where(members.c.person == person)
        acted = select(events.c.table_id).where(events.c.person == person)
        return await self._ids(select(union(sits, acted).subquery()))

    async def due_tables(self, now: float, limit: int = 1000) -> list[str]:
        """Return the ids of tables with passed deadlines, the longest overdue first."""
        query = select(tables.c.id).where(tables.c.due <= now).order_by(tables.c.due)
        return await self._ids(query.limit(limit))

    async def next_due(self) -> float | None:
        """Return the next deadline of any table."""
        return await self.database.read(lambda conn: conn.scalar(select(func.min(tables.c.due))))

    async def set_due(self, table_id: str, seq: int, due: float | None) -> bool:
        """Set a table's next deadline; False if it has newer events than ``seq``."""
        same = (tables.c.id == table_id) & (tables.c.seq == seq)
        change = update(tables).where(same).values(due=due)
        return await self.database.write(lambda conn: conn.execute(change).rowcount > 0)

    async def ticking_tables(self) -> list[str]:
        """Return the ids of tables with a running clock."""
        ticking = (tables.c.phase == "playing") & tables.c.due.is_not(None)
        return await self._ids(select(tables.c.id).where(ticking, tables.c.pace != "none"))

    async def bot_tables(
        self, limit: int = 1000, after: str = "", before: float = inf
    ) -> list[str]:
        """Return the ids of tables where a bot is to move though nobody is present."""
        query = select(tables.c.id).where(tables.c.bot_to_move, tables.c.id > after)
        if before < inf:
            query = query.where(tables.c.updated < before)
        return await self._ids(query.order_by(tables.c.id).limit(limit))

    async def pulse(self) -> Pulse:
        """Return the last heartbeat of any server, and the database's time."""
        clock = text(_POSTGRES_CLOCK if self.database.is_postgres else _SQLITE_CLOCK)

        def work(connection: Connection) -> Pulse:
            at = connection.scalar(select(pulse.c.at))
            return Pulse(at, float(connection.scalars(clock).one()))

        return await self.database.read(work)

    async def beat(self, at: float) -> None:
        """Store a heartbeat."""

        def work(connection: Connection) -> None:
            later = update(pulse).where(pulse.c.at < at).values(at=at)
            if connection.execute(later).rowcount == 0:
                known = select(literal(1), literal(at)).where(~exists(select(pulse.c.id)))
                connection.execute(insert(pulse).from_select(["id", "at"], known))

        with suppress(IntegrityError):  # another server's first beat
            await self.database.write(work)

    async def counts(self) -> dict[str, int]:
        """Return how many tables there are in each phase."""
        query = select(tables.c.phase, func.count()).group_by(tables.c.phase)
        return await self.database.read(lambda conn: dict(conn.execute(query).all()))

    async def ready(self) -> None:
        """Raise if nothing can be stored; tested at most once a second."""
        loop = asyncio.get_running_loop()
        if self._trial is None or (self._trial.done() and loop.time() - self._tried > _TRY_EVERY):
            self._tried = loop.time()
            self._trial = asyncio.create_task(self.database.write(_write_nothing_new))
            self._trial.add_done_callback(_look_at)
        await asyncio.shield(self._trial)

    async def close(self) -> None:
        """Write pending appends and close all connections."""
        await self.writer.close()
        if self._trial is not None:
            await asyncio.wait([self._trial])
        await self.database.close()

    async def _summaries(self, query: Select[Any]) -> list[TableSummary]:
        return await self.database.read(
            lambda conn: [summary_from_json(*row) for row in conn.execute(query)]
        )

    async def _ids(self, query: Select[Any]) -> list[str]:
        return await self.database.read(lambda conn: list(conn.scalars(query)))


def _has_given_up(table: TableSummary, person: str) -> bool:
    return all(seat.resigned for seat in table.seats if seat.person == person)


def _write_nothing_new(connection: Connection) -> None:
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


def _look_at(task: "asyncio.Task[None]") -> None:
    if not task.cancelled():
        task.exception()  # the waiting caller gets it; without one, it needs no log line
