"""Guests and accounts in SQL."""

from collections.abc import Collection
from dataclasses import asdict
from functools import partial

from sqlalchemy import Connection, Executable, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from patrizier.server.names import SOMEBODY
from patrizier.server.store.base import LoginTaken
from patrizier.server.store.database import Database
from patrizier.server.store.models import (
    analysis_requests,
    friends,
    invitations,
    kept_lines,
    members,
    people,
    ratings,
    result_seats,
    sessions,
)
from patrizier.server.store.rows import Person

from .puzzles import forget

_AT_ONCE = 100  # people in one transaction


class SqlPeople:
    """Guests and accounts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, person: Person) -> None:
        """Add a person; raises `LoginTaken`."""
        try:
            await self._database.write(lambda conn: conn.execute(insert(people), asdict(person)))
        except IntegrityError as error:
            if person.login is not None:
                raise LoginTaken from error
            # The same guest in two requests: one row is right.

    async def get(self, person_id: str) -> Person | None:
        """Return a person by id."""
        return await self._one(people.c.id == person_id)

    async def by_friend_code(self, code: str) -> Person | None:
        """Return the person with this friend code."""
        return await self._one(people.c.friend_code == code)

    async def by_login(self, login: str) -> Person | None:
        """Return the account with this folded login."""
        return await self._one(people.c.login == login)

    async def change(self, person_id: str, **fields: object) -> None:
        """Change some fields of an existing person; raises `LoginTaken`."""
        change = update(people).where(people.c.id == person_id).values(**fields)
        try:
            await self._database.write(lambda conn: conn.execute(change))
        except IntegrityError as error:
            raise LoginTaken from error

    async def seen(self, person_id: str, at: float, language: str) -> None:
        """Store a person's visit and language."""
        change = update(people).where(people.c.id == person_id).values(seen=at, language=language)
        await self._database.write(lambda conn: conn.execute(change))

    async def all_seen(self, person_ids: Collection[str], at: float) -> None:
        """Store that these people are connected, in small batches: turns are stored in between."""
        ids = sorted(person_ids)
        for first in range(0, len(ids), _AT_ONCE):
            some = people.c.id.in_(ids[first : first + _AT_ONCE])
            change = update(people).where(some).values(seen=at)
            await self._database.write(partial(_carry_out, change))

    async def last_seen(self, person_ids: Collection[str]) -> dict[str, float]:
        """Return when these people were last seen, as far as known."""
        query = select(people.c.id, people.c.seen).where(people.c.id.in_(person_ids))
        return await self._database.read(lambda conn: dict(conn.execute(query).all()))

    async def erase(self, person_id: str) -> None:
        """Erase name, login, password, address, ratings, friends, and the name in results."""
        nothing = {
            "name": "",
            "login": None,
            "password_hash": None,
            "email": None,
            "language": "",
            "avatar": "",
            "friend_code": None,
        }

        def work(connection: Connection) -> None:
            connection.execute(
                update(people)
                .where(people.c.id == person_id)
                .values(**nothing, mail=False, erased=True)
            )
            connection.execute(delete(sessions).where(sessions.c.person == person_id))
            connection.execute(delete(ratings).where(ratings.c.person == person_id))
            either = (friends.c.person == person_id) | (friends.c.friend == person_id)
            connection.execute(delete(friends).where(either))
            either = (invitations.c.person == person_id) | (invitations.c.host == person_id)
            connection.execute(delete(invitations).where(either))
            asked = analysis_requests.c.person == person_id
            connection.execute(delete(analysis_requests).where(asked))
            connection.execute(delete(kept_lines).where(kept_lines.c.person == person_id))
            forget(connection, [person_id])
            connection.execute(
                update(result_seats)
                .where(result_seats.c.person == person_id)
                .values(person=None, name=SOMEBODY)
            )

        await self._database.write(work)

    async def forget_guests(self, before: float, limit: int = 1000) -> int:
        """Delete guests without a table who were not seen since then; return how many."""
        sitting = select(members.c.person).where(members.c.person == people.c.id)
        old = (
            select(people.c.id)
            .where(people.c.seen < before, people.c.login.is_(None), ~people.c.erased)
            .where(~sitting.exists())
            .limit(limit)
        )

        def work(connection: Connection) -> int:
            gone = list(connection.scalars(old))
            forget(connection, gone)
            return connection.execute(delete(people).where(people.c.id.in_(gone))).rowcount

        return await self._database.write(work)

    async def _one(self, condition: object) -> Person | None:
        query = select(people).where(condition)  # type: ignore[arg-type]

        def work(connection: Connection) -> Person | None:
            row = connection.execute(query).mappings().first()
            return Person(**row) if row else None

        return await self._database.read(work)


def _carry_out(statement: Executable, connection: Connection) -> None:
    connection.execute(statement)
