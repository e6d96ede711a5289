"""Who is to be told "your turn" by e-mail, in SQL."""

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from .database import Database
from .models import mails, people, tables
from .rows import YourTurn


class SqlMail:
    """Who is to be told "your turn" by e-mail, at most once a turn."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def your_turns(self, limit: int = 100) -> list[YourTurn]:
        """Return whom no mail has been claimed for, in correspondence games."""
        claimed = (
            select(mails.c.table_id)
            .where(mails.c.table_id == tables.c.id)
            .where(mails.c.turn == tables.c.turn, mails.c.person == people.c.id)
        )
        query = (
            select(tables.c.id, tables.c.turn, people.c.id, people.c.name, people.c.email)
            .join(people, people.c.id == tables.c.to_move)
            .where(tables.c.phase == "playing", tables.c.pace.startswith("correspondence"))
            .where(people.c.email.is_not(None), people.c.mail, ~claimed.exists())
            .order_by(tables.c.updated)
            .limit(limit)
        )
        return await self._database.read(
            lambda conn: [YourTurn(*row) for row in conn.execute(query)]
        )

    async def claim(self, mail: YourTurn, at: float) -> bool:
        """Take it upon oneself to send this mail; False if somebody did already."""
        row = {"table_id": mail.table_id, "turn": mail.turn, "person": mail.person, "at": at}
        try:
            await self._database.write(lambda conn: conn.execute(insert(mails), row))
        except IntegrityError:
            return False
        return True
