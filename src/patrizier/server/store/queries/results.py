"""Finished games and ratings in SQL."""

from collections.abc import Collection, Iterable
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, delete, func, insert, select, text, update

from patrizier.server.store.base import Rate
from patrizier.server.store.database import Database
from patrizier.server.store.models import people, ratings, result_seats, results, tables
from patrizier.server.store.rows import RankedRating, Rating, Result, ResultSeat

_LOCK = 0x5241_5445
_careful = ratings.c.mu - 3 * ratings.c.sigma  # a lower bound
_HEAD = [column for column in results.columns if column.name != "record"]


class SqlResults:
    """Finished games and ratings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def unsettled(self, limit: int = 100) -> list[str]:
        """Return the ids of finished tables whose result is not stored yet."""
        query = select(tables.c.id).where(tables.c.phase == "finished", ~tables.c.settled)
        return await self._database.read(lambda conn: list(conn.scalars(query.limit(limit))))

    async def settle(self, result: Result, rate: Rate | None = None) -> bool:
        """Store a result and, with ``rate``, the new ratings; False if it exists."""

        def work(connection: Connection) -> bool:
            if connection.dialect.name == "postgresql":  # serialise rating updates
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            first = (
                update(tables)
                .where(tables.c.id == result.table_id, ~tables.c.settled)
                .values(settled=True)
            )
            if connection.execute(first).rowcount == 0:
                return False
            row = asdict(result)
            seats = [
                seat | {"table_id": result.table_id, "finished": result.finished}
                for seat in row.pop("seats")
            ]
            connection.execute(insert(results), row)
            connection.execute(insert(result_seats), seats)
            if rate is not None:
                _rate(connection, result, rate)
            return True

        return await self._database.write(work)

    async def result(self, table_id: str) -> Result | None:
        """Return a finished game."""

        def work(connection: Connection) -> Result | None:
            row = connection.execute(
                select(results).where(results.c.table_id == table_id)
            ).mappings().first()  # fmt: skip
            if row is None:
                return None
            return Result(**row, seats=_seats(connection, [table_id])[table_id])

        return await self._database.read(work)

    async def set_record(self, table_id: str, record: str) -> None:
        """Replace the record of a finished game: only to delete a person's data."""
        change = update(results).where(results.c.table_id == table_id).values(record=record)
        await self._database.write(lambda conn: conn.execute(change))

    async def adopt(self, table_id: str, guest: str, person: str) -> None:
        """Give a guest's seat in a finished game to the account they have signed in to."""
        theirs = (result_seats.c.table_id == table_id) & (result_seats.c.person == guest)
        change = update(result_seats).where(theirs).values(person=person)
        await self._database.write(lambda conn: conn.execute(change))

    async def adopt_ratings(self, guest: str, person: str) -> None:
        """Give a guest's ratings to an account, where it has none."""
        has = select(ratings.c.players).where(ratings.c.person == person)
        theirs = ratings.c.person == guest

        def work(connection: Connection) -> None:
            own = [row.players for row in connection.execute(has)]
            connection.execute(delete(ratings).where(theirs, ratings.c.players.in_(own)))
            connection.execute(update(ratings).where(theirs).values(person=person))

        await self._database.write(work)

    async def results_of(
        self, person: str, limit: int = 50, before: float | None = None
    ) -> list[Result]:
        """Return a person's finished games, the newest first, without their records."""
        mine = select(result_seats.c.table_id, result_seats.c.finished).distinct()
        mine = mine.where(result_seats.c.person == person)
        if before is not None:
            mine = mine.where(result_seats.c.finished < before)
        mine = mine.order_by(result_seats.c.finished.desc(), result_seats.c.table_id).limit(limit)

        def work(connection: Connection) -> list[Result]:
            ids = [row.table_id for row in connection.execute(mine)]
            seats = _seats(connection, ids)
            heads = connection.execute(select(*_HEAD).where(results.c.table_id.in_(ids)))
            found = {
                row["table_id"]: Result(**row, record="", seats=seats[row["table_id"]])
                for row in heads.mappings()
            }
            return [found[table_id] for table_id in ids]

        return await self._database.read(work)

    async def ratings(self, persons: Collection[str], players: int) -> dict[str, Rating]:
        """Return these people's ratings for a player count."""
        found = await self._ratings(_ratings_among(persons, players))
        return {rating.person: rating for rating in found}

    async def ratings_of(self, person: str) -> list[Rating]:
        """Return all ratings of a person."""
        query = select(ratings).where(ratings.c.person == person)
        return await self._ratings(query.order_by(ratings.c.players))

    async def best(self, players: int, limit: int = 50, after: int = 0) -> list[RankedRating]:
        """Return the highest ratings (mu - 3 sigma) for a player count, after so many others."""
        query = _leaderboard(players).order_by(_careful.desc(), ratings.c.person)
        query = query.offset(after).limit(limit)

        def work(connection: Connection) -> list[RankedRating]:
            rows = connection.execute(query).mappings()
            return [_ranked(row, place) for place, row in enumerate(rows, after + 1)]

        return await self._database.read(work)

    async def rank_of(self, person: str, players: int) -> RankedRating | None:
        """Return a person's place in a leaderboard; None if they are not in it."""
        mine = _leaderboard(players).where(ratings.c.person == person)

        def work(connection: Connection) -> RankedRating | None:
            row = connection.execute(mine).mappings().first()
            if row is None:
                return None
            careful = row["mu"] - 3 * row["sigma"]
            first = (_careful == careful) & (ratings.c.person < person)
            better = _leaderboard(players).where((_careful > careful) | first).subquery()
            count = connection.scalar(select(func.count()).select_from(better)) or 0
            return _ranked(row, count + 1)

        return await self._database.read(work)

    async def _ratings(self, query: Select[Any]) -> list[Rating]:
        return await self._database.read(lambda conn: _read_ratings(conn, query))


def _leaderboard(players: int) -> Select[Any]:
    """Select the ratings of everybody who wants to be listed."""
    return (
        select(ratings, people.c.name, people.c.avatar)
        .join(people, people.c.id == ratings.c.person)
        .where(ratings.c.players == players, people.c.listed, ~people.c.erased)
    )


def _ranked(row: RowMapping, place: int) -> RankedRating:
    rating = Rating(**{name: row[name] for name in Rating.__dataclass_fields__})
    return RankedRating(place, row["name"], row["avatar"], rating)


def _rate(connection: Connection, result: Result, rate: Rate) -> None:
    persons = {seat.person for seat in result.seats if seat.person is not None}
    before = _read_ratings(connection, _ratings_among(persons, result.players))
    for rating in rate(result, {rating.person: rating for rating in before}):
        same = (ratings.c.person == rating.person) & (ratings.c.players == rating.players)
        connection.execute(delete(ratings).where(same))
        connection.execute(insert(ratings), asdict(rating))


def _ratings_among(persons: Collection[str], players: int) -> Select[Any]:
    return select(ratings).where(ratings.c.person.in_(persons), ratings.c.players == players)


def _read_ratings(connection: Connection, query: Select[Any]) -> list[Rating]:
    return [Rating(**row) for row in connection.execute(query).mappings()]


def _seats(connection: Connection, ids: Iterable[str]) -> dict[str, tuple[ResultSeat, ...]]:
    """Return the seats of some results."""
    query = (
        select(result_seats)
        .where(result_seats.c.table_id.in_(list(ids)))
        .order_by(result_seats.c.table_id, result_seats.c.seat)
    )
    seats: dict[str, tuple[ResultSeat, ...]] = {}
    for row in connection.execute(query).mappings():
        fields = {name: row[name] for name in ResultSeat.__dataclass_fields__}
        seats[row["table_id"]] = (*seats.get(row["table_id"], ()), ResultSeat(**fields))
    return seats
