"""The mail queue in SQL, and pending "your turn" e-mails."""

from dataclasses import asdict

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from patrizier.server.store.database import Database
from patrizier.server.store.models import mail_queue, people, tables
from patrizier.server.store.rows import MailJob, YourTurn

_JOB = [mail_queue.c[name] for name in MailJob.__dataclass_fields__]


class SqlMail:
    """The mail queue, shared by all servers of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def your_turns(self, limit: int = 100) -> list[YourTurn]:
        """Return turns in correspondence games for which no mail was queued yet."""
        queued = (
            select(mail_queue.c.key)
            .where(mail_queue.c.table_id == tables.c.id)
            .where(mail_queue.c.turn == tables.c.turn, mail_queue.c.person == people.c.id)
        )
        query = (
            select(tables.c.id, tables.c.turn, people.c.id, people.c.name, people.c.email)
            .join(people, people.c.id == tables.c.to_move)
            .where(tables.c.phase == "playing", tables.c.pace.startswith("correspondence"))
            .where(people.c.email.is_not(None), people.c.mail, ~queued.exists())
            .order_by(tables.c.updated)
            .limit(limit)
        )
        return await self._database.read(
            lambda conn: [YourTurn(*row) for row in conn.execute(query)]
        )

    async def put(self, job: MailJob, at: float) -> bool:
        """Add a job; False if the key is known."""
        return await self._add(asdict(job) | {"created": at, "due": at})

    async def claim(self, key: str, by: str, at: float) -> bool:
        """Store a key without a mail; False if somebody else has it."""
        if await self._add(asdict(MailJob(key, by, "")) | {"created": at, "due": None}):
            return True
        holder = select(mail_queue.c.person).where(mail_queue.c.key == key)
        return await self._database.read(lambda conn: conn.scalar(holder)) == by

    async def take(self, now: float, until: float, limit: int) -> list[MailJob]:
        """Take due jobs, and lock them for others until ``until``."""
        due = (
            select(*_JOB)
            .where(mail_queue.c.due <= now)
            .order_by(mail_queue.c.due, mail_queue.c.key)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )

        def work(connection: Connection) -> list[MailJob]:
            jobs = [MailJob(**row) for row in connection.execute(due).mappings()]
            keys = [job.key for job in jobs]
            taken = update(mail_queue).where(mail_queue.c.key.in_(keys)).values(due=until)
            connection.execute(taken)
            return jobs

        return await self._database.write(work)

    async def finish(self, key: str) -> None:
        """Delete a job but for its key."""
        done = update(mail_queue).where(mail_queue.c.key == key).values(due=None, address="")
        await self._database.write(lambda conn: conn.execute(done))

    async def delay(self, key: str, until: float) -> None:
        """Store a failure and the time of the next try."""
        later = (
            update(mail_queue)
            .where(mail_queue.c.key == key)
            .values(due=until, tries=mail_queue.c.tries + 1)
        )
        await self._database.write(lambda conn: conn.execute(later))

    async def clean(self, before: float) -> None:
        """Delete finished jobs older than this."""
        old = delete(mail_queue).where(mail_queue.c.due.is_(None), mail_queue.c.created < before)
        await self._database.write(lambda conn: conn.execute(old))

    async def _add(self, row: dict[str, object]) -> bool:
        try:
            await self._database.write(lambda conn: conn.execute(insert(mail_queue), row))
        except IntegrityError:
            return False
        return True
