"""What-if lines in SQL, for links that would be too long for a URL."""

from sqlalchemy import Connection, delete, insert, select

from patrizier.server.store.database import Database
from patrizier.server.store.models import kept_lines

_MOST_KEPT = 200  # per person; the oldest are dropped


class SqlLines:
    """What-if lines stored under a link."""

    def __init__(self, database: Database, most_kept: int = _MOST_KEPT) -> None:
        self._database = database
        self._most_kept = most_kept

    async def keep(self, name: str, study: str, person: str, at: float) -> None:
        """Store lines under a new name."""
        row = {"id": name, "person": person, "at": at, "study": study}
        mine = kept_lines.c.person == person
        newest = (
            select(kept_lines.c.id)
            .where(mine)
            .order_by(kept_lines.c.at.desc(), kept_lines.c.id)
            .limit(self._most_kept)
        )

        def work(connection: Connection) -> None:
            connection.execute(insert(kept_lines), row)
            kept = connection.scalars(newest).all()
            connection.execute(delete(kept_lines).where(mine, kept_lines.c.id.not_in(kept)))

        await self._database.write(work)

    async def get(self, name: str) -> str | None:
        """Return the lines stored under a name."""
        query = select(kept_lines.c.study).where(kept_lines.c.id == name)
        return await self._database.read(lambda connection: connection.scalar(query))
