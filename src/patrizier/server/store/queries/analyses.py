"""Analyses of games in SQL: a queue shared by all servers, and its results."""

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from patrizier.server.store.base import EnoughToday, OneAtATime
from patrizier.server.store.database import Database
from patrizier.server.store.models import analyses, analysis_requests
from patrizier.server.store.rows import AnalysisJob, StoredAnalysis

MOST_TRIES = 3  # of one job: a game that kills its worker must not block others
_DAY = 24 * 3600.0
_JOB = [analyses.c[name] for name in AnalysisJob.__dataclass_fields__]


class SqlAnalyses:
    """The queue of analyses."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ask(self, job: AnalysisJob, turns: int, person: str, at: float, most: int) -> None:
        """Note that a person wants an analysis; it is queued unless it is known already."""
        await self._database.write(lambda conn: _ask(conn, job, turns, person, at, most))

    async def cancel(self, person: str, key: str) -> bool:
        """Note that a person no longer waits; True if nobody does, and it was removed."""
        mine = (analysis_requests.c.person == person) & (analysis_requests.c.key == key)
        closed = update(analysis_requests).where(mine).values(open=False)

        def work(connection: Connection) -> bool:
            if connection.execute(closed).rowcount == 0:
                return False
            return _drop_unwanted(connection, key)

        return await self._database.write(work)

    async def forget(self, before: float) -> None:
        """Delete requests made before then, but for those still worked on; analyses stay."""
        awaited = select(analyses.c.key).where(
            analyses.c.key == analysis_requests.c.key, ~analyses.c.done, ~_given_up(before)
        )
        old = delete(analysis_requests).where(
            analysis_requests.c.at < before, ~(analysis_requests.c.open & awaited.exists())
        )
        await self._database.write(lambda conn: conn.execute(old))

    async def take(self, now: float, until: float) -> AnalysisJob | None:
        """Take the next job, and lock it for others until ``until``."""
        free = analyses.c.taken.is_(None) | (analyses.c.taken < now)
        query = (
            select(*_JOB)
            .where(~analyses.c.done, free, analyses.c.tries < MOST_TRIES)
            .order_by(analyses.c.created, analyses.c.key)
            .limit(1)
            .with_for_update(skip_locked=True)
        )

        def work(connection: Connection) -> AnalysisJob | None:
            row = connection.execute(query).mappings().first()
            if row is None:
                return None
            taken = update(analyses).where(analyses.c.key == row["key"])
            connection.execute(taken.values(taken=until, tries=analyses.c.tries + 1))
            return AnalysisJob(**row)

        return await self._database.write(work)

    async def store(self, key: str, judged: int, body: str, until: float | None) -> bool:
        """Store an analysis so far; ``until`` None: it is done. False if nobody wants it."""
        done = until is None
        so_far = (
            update(analyses)
            .where(analyses.c.key == key)
            .values(judged=judged, body=body, taken=until, done=done)
        )
        closed = update(analysis_requests).where(analysis_requests.c.key == key).values(open=False)

        def work(connection: Connection) -> bool:
            found = connection.execute(so_far).rowcount > 0
            if done:
                connection.execute(closed)
            return found

        return await self._database.write(work)

    async def extend(self, key: str, until: float) -> None:
        """Keep a job locked for longer."""
        longer = update(analyses).where(analyses.c.key == key, ~analyses.c.done)
        await self._database.write(lambda conn: conn.execute(longer.values(taken=until)))

    async def release(self, key: str, *, failed: bool = False) -> None:
        """Release a job; unless it failed, the attempt does not count."""
        given_back = (
            update(analyses)
            .where(analyses.c.key == key, ~analyses.c.done)
            .values(taken=None, tries=analyses.c.tries - (0 if failed else 1))
        )
        await self._database.write(lambda conn: conn.execute(given_back))

    async def get(self, key: str, now: float) -> StoredAnalysis | None:
        """Return an analysis."""

        def work(connection: Connection) -> StoredAnalysis | None:
            row = connection.execute(select(analyses).where(analyses.c.key == key)).first()
            if row is None:
                return None
            before = (
                select(func.count())
                .select_from(analyses)
                .where(~analyses.c.done, analyses.c.tries < MOST_TRIES)
                .where(analyses.c.created < row.created)
            )
            taken = row.taken is not None and row.taken >= now
            return StoredAnalysis(
                key=key,
                turns=row.turns,
                judged=row.judged,
                done=row.done,
                failed=not row.done and not taken and row.tries >= MOST_TRIES,  # as in _given_up
                taken=taken,
                ahead=0 if row.done else connection.scalar(before) or 0,
                body=row.body,
            )

        return await self._database.read(work)


def _given_up(now: float) -> ColumnElement[bool]:
    """Whether an analysis has failed: all its tries are spent, and nobody is at work on the last.

    A server that died could not report the failure, so it is detected when somebody asks.
    """
    free = analyses.c.taken.is_(None) | (analyses.c.taken < now)
    return ~analyses.c.done & free & (analyses.c.tries >= MOST_TRIES)


def _ask(
    connection: Connection, job: AnalysisJob, turns: int, person: str, at: float, most: int
) -> None:
    requests = analysis_requests
    mine = requests.c.person == person
    known = connection.execute(
        select(analyses.c.done, _given_up(at).label("failed")).where(analyses.c.key == job.key)
    ).first()
    asked = connection.execute(
        select(requests.c.counts).where(mine, requests.c.key == job.key)
    ).first()
    is_done = known is not None and known.done
    again = known is not None and known.failed
    if not is_done:
        running = (
            select(requests.c.key)
            .join(analyses, analyses.c.key == requests.c.key)
            .where(mine, requests.c.open, requests.c.key != job.key)
            .where(~analyses.c.done, ~_given_up(at))
        )
        other = connection.scalar(running.limit(1))
        if other is not None:
            raise OneAtATime(other)
        if asked is None or again:
            today = select(func.count()).select_from(requests)
            today = today.where(mine, requests.c.counts, requests.c.at > at - _DAY)
            if (connection.scalar(today) or 0) >= most:
                raise EnoughToday
    if known is None:
        row = {"key": job.key, "record": job.record, "deep": job.deep, "created": at}
        row |= {"taken": None, "tries": 0, "turns": turns, "judged": 0, "done": False, "body": ""}
        connection.execute(insert(analyses), row)
    elif again:
        anew = update(analyses).where(analyses.c.key == job.key, _given_up(at))
        connection.execute(anew.values(taken=None, tries=0, created=at))
    if asked is None:
        request = {"person": person, "key": job.key, "at": at}
        request |= {"open": not is_done, "counts": not is_done}
        connection.execute(insert(requests), request)
    elif not is_done:
        open_again = update(requests).where(mine, requests.c.key == job.key).values(open=True)
        connection.execute(open_again.values(at=at, counts=True) if again else open_again)


def _drop_unwanted(connection: Connection, key: str) -> bool:
    """Remove an analysis that is not done and that nobody waits for; return whether it was."""
    wanted = select(analysis_requests.c.key).where(
        analysis_requests.c.key == key, analysis_requests.c.open
    )
    unwanted = delete(analyses).where(analyses.c.key == key, ~analyses.c.done, ~wanted.exists())
    return connection.execute(unwanted).rowcount > 0
