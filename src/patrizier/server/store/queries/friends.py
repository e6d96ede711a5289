"""Friends in SQL: a row for each direction."""

from contextlib import suppress

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from patrizier.server.store.database import Database
from patrizier.server.store.models import friends, people
from patrizier.server.store.rows import Friend


class SqlFriends:
    """Who is whose friend."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, person: str) -> list[Friend]:
        """Return a person's friends and those who would like to be, by name."""
        asked = select(friends.c.friend).where(friends.c.person == person)
        wants = select(friends.c.person).where(friends.c.friend == person)

        def work(connection: Connection) -> list[Friend]:
            mine, theirs = set(connection.scalars(asked)), set(connection.scalars(wants))
            query = select(people).where(people.c.id.in_(mine | theirs), ~people.c.erased)
            return [
                Friend(
                    row["id"],
                    row["name"],
                    row["avatar"],
                    row["seen"],
                    asked=row["id"] in mine,
                    wants=row["id"] in theirs,
                )
                for row in connection.execute(query.order_by(people.c.name, people.c.id)).mappings()
            ]

        return await self._database.read(work)

    async def add(self, person: str, friend: str, at: float) -> None:
        """Add a friend; nothing happens if they are on the list."""
        row = {"person": person, "friend": friend, "since": at}
        known = select(friends.c.since).where(
            friends.c.person == person, friends.c.friend == friend
        )

        def work(connection: Connection) -> None:
            if connection.execute(known).first() is None:
                connection.execute(insert(friends), row)

        with suppress(IntegrityError):  # at the same time in another request, or somebody is gone
            await self._database.write(work)

    async def remove(self, person: str, friend: str) -> None:
        """Remove two people from each other's list."""
        pair = (person, friend)
        both = friends.c.person.in_(pair) & friends.c.friend.in_(pair)
        await self._database.write(lambda conn: conn.execute(delete(friends).where(both)))

    async def adopt(self, guest: str, person: str) -> None:
        """Give a guest's friends to the account they have signed in to."""

        def work(connection: Connection) -> None:
            for mine, other in (
                (friends.c.person, friends.c.friend),
                (friends.c.friend, friends.c.person),
            ):
                has = list(connection.scalars(select(other).where(mine == person)))
                twice = other.in_([*has, person])
                connection.execute(delete(friends).where(mine == guest, twice))
                change = update(friends).where(mine == guest).values({mine.name: person})
                connection.execute(change)

        await self._database.write(work)
