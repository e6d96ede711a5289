"""Invitations in SQL."""

from contextlib import suppress

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from patrizier.server.store.appends import summary_from_json
from patrizier.server.store.database import Database
from patrizier.server.store.models import invitations, people, tables
from patrizier.server.store.rows import Invitation

_OPEN = select(tables.c.id).where(tables.c.phase == "open")


class SqlInvitations:
    """Invitations to tables that wait for players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, table_id: str, host: str, person: str, at: float) -> None:
        """Invite somebody; nothing happens if they were invited to this table before."""
        row = {"table_id": table_id, "host": host, "person": person, "at": at, "declined": False}
        same = (invitations.c.table_id == table_id) & (invitations.c.person == person)

        def work(connection: Connection) -> None:
            if connection.execute(select(invitations.c.at).where(same)).first() is None:
                connection.execute(insert(invitations), row)

        with suppress(IntegrityError):  # at the same time in another request, or somebody is gone
            await self._database.write(work)

    async def of(self, person: str, limit: int = 20) -> list[Invitation]:
        """Return a person's invitations that are still open, the newest first."""
        query = (
            select(
                tables.c.summary,
                tables.c.created,
                tables.c.updated,
                invitations.c.host,
                people.c.name,
                people.c.avatar,
                invitations.c.at,
            )
            .join(tables, tables.c.id == invitations.c.table_id)
            .join(people, people.c.id == invitations.c.host)
            .where(
                invitations.c.person == person,
                ~invitations.c.declined,
                tables.c.phase == "open",
                ~people.c.erased,
            )
            .order_by(invitations.c.at.desc(), tables.c.id)
            .limit(limit)
        )

        def work(connection: Connection) -> list[Invitation]:
            return [
                Invitation(summary_from_json(body, created, updated), host, name, avatar, at)
                for body, created, updated, host, name, avatar, at in connection.execute(query)
            ]

        return await self._database.read(work)

    async def invited(self, table_id: str) -> set[str]:
        """Return who was invited to a table, also those who declined."""
        query = select(invitations.c.person).where(invitations.c.table_id == table_id)
        return await self._database.read(lambda conn: set(conn.scalars(query)))

    async def decline(self, table_id: str, person: str) -> None:
        """Decline an invitation."""
        same = (invitations.c.table_id == table_id) & (invitations.c.person == person)
        change = update(invitations).where(same).values(declined=True)
        await self._database.write(lambda conn: conn.execute(change))

    async def adopt(self, guest: str, person: str) -> None:
        """Give a guest's invitations to the account they have signed in to."""

        def work(connection: Connection) -> None:
            has = select(invitations.c.table_id).where(invitations.c.person == person)
            known = list(connection.scalars(has))
            theirs = invitations.c.person == guest
            connection.execute(delete(invitations).where(theirs, invitations.c.table_id.in_(known)))
            connection.execute(update(invitations).where(theirs).values(person=person))
            sent = update(invitations).where(invitations.c.host == guest)
            connection.execute(sent.values(host=person))

        await self._database.write(work)

    async def clean(self) -> None:
        """Delete invitations to tables that do not wait any more."""
        old = delete(invitations).where(invitations.c.table_id.not_in(_OPEN))
        await self._database.write(lambda conn: conn.execute(old))
