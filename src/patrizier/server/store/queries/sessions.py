"""Sessions of accounts in SQL."""

from collections.abc import Collection
from dataclasses import asdict

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from patrizier.server.store.base import PasswordChanged
from patrizier.server.store.database import Database
from patrizier.server.store.models import people, sessions
from patrizier.server.store.notices import SESSIONS, notify
from patrizier.server.store.rows import Session


class SqlSessions:
    """Sessions of accounts; other processes are notified of ended ones."""

    def __init__(self, database: Database, origin: str) -> None:
        self._database = database
        self._origin = origin

    async def add(self, session: Session, password_hash: str, most: int) -> list[str]:
        """Add a session and end the longest unused beyond ``most``; return the ids of those.

        Raises `PasswordChanged` if the account has another password by now.
        """
        theirs = sessions.c.person == session.person
        old = select(sessions.c.id).where(theirs).order_by(sessions.c.seen.desc(), sessions.c.id)
        kept = select(people.c.password_hash).where(people.c.id == session.person)

        def work(connection: Connection) -> list[str]:
            if connection.scalar(kept.with_for_update()) != password_hash:
                raise PasswordChanged
            surplus = list(connection.scalars(old.offset(most - 1)))
            self._end(connection, surplus)
            connection.execute(insert(sessions), asdict(session))
            return surplus

        return await self._database.write(work)

    async def get(self, session_id: str) -> Session | None:
        """Return a session that has not ended."""
        found = await self._read(sessions.c.id == session_id)
        return found[0] if found else None

    async def of(self, person_id: str) -> list[Session]:
        """Return a person's sessions, the last used first."""
        return await self._read(sessions.c.person == person_id)

    async def seen(self, session_id: str, at: float) -> None:
        """Note that a session was used."""
        change = update(sessions).where(sessions.c.id == session_id).values(seen=at)
        await self._database.write(lambda conn: conn.execute(change))

    async def end(
        self, person_id: str, *, only: str | None = None, but: str | None = None
    ) -> list[str]:
        """End a person's sessions: all, one, or all but one. Return their ids."""
        which = sessions.c.person == person_id
        if only is not None:
            which &= sessions.c.id == only
        if but is not None:
            which &= sessions.c.id != but

        def work(connection: Connection) -> list[str]:
            ended = list(connection.scalars(select(sessions.c.id).where(which)))
            self._end(connection, ended)
            return ended

        return await self._database.write(work)

    async def forget(self, before: float) -> None:
        """Delete all sessions that were not used since then."""
        old = delete(sessions).where(sessions.c.seen < before)
        await self._database.write(lambda conn: conn.execute(old))

    def _end(self, connection: Connection, ids: Collection[str]) -> None:
        if not ids:
            return
        connection.execute(delete(sessions).where(sessions.c.id.in_(ids)))
        if connection.dialect.name == "postgresql":
            notify(connection, self._origin, ids, SESSIONS)

    async def _read(self, which: ColumnElement[bool]) -> list[Session]:
        query = select(sessions).where(which).order_by(sessions.c.seen.desc(), sessions.c.id)
        return await self._database.read(
            lambda conn: [Session(**row) for row in conn.execute(query).mappings()]
        )
