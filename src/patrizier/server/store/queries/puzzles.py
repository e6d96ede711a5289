"""Attempts at puzzles in SQL, and the ratings of puzzles and of those who solve them."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select, text, update

from patrizier.server.store.base import RatePuzzle
from patrizier.server.store.database import Database
from patrizier.server.store.models import puzzle_ratings, puzzle_solvers, puzzle_tries
from patrizier.server.store.rows import PuzzleRating, PuzzleSolver, PuzzleTry

_LOCK = 0x5055_5A5A


class SqlPuzzles:
    """Who has tried which puzzle."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, person: str, tries: Sequence[PuzzleTry], rate: RatePuzzle) -> None:
        """Store attempts in their order; those that are known already count once."""

        def work(connection: Connection) -> None:
            if connection.dialect.name == "postgresql":  # serialise rating updates
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            for each in tries:
                _note(connection, person, each, rate)

        await self._database.write(work)

    async def solver(self, person: str) -> PuzzleSolver | None:
        """Return a person's progress; None if they have not begun."""
        return await self._database.read(lambda conn: _solver(conn, person))

    async def done(self, person: str) -> dict[str, int]:
        """Return how often a person has done each puzzle."""
        query = select(puzzle_tries.c.puzzle, puzzle_tries.c.times)
        mine = query.where(puzzle_tries.c.person == person)
        return await self._database.read(lambda conn: dict(conn.execute(mine).all()))

    async def ratings(self) -> dict[str, PuzzleRating]:
        """Return the ratings of all puzzles that somebody has tried."""

        def work(connection: Connection) -> dict[str, PuzzleRating]:
            rows = connection.execute(select(puzzle_ratings)).mappings()
            return {row["puzzle"]: PuzzleRating(**row) for row in rows}

        return await self._database.read(work)

    async def adopt(self, guest: str, person: str) -> None:
        """Give a guest's attempts to an account, where it has none of its own."""
        has = select(puzzle_tries.c.puzzle).where(puzzle_tries.c.person == person)
        theirs = puzzle_tries.c.person == guest

        def work(connection: Connection) -> None:
            own = list(connection.scalars(has))
            moved = update(puzzle_tries).where(theirs, ~puzzle_tries.c.puzzle.in_(own))
            connection.execute(moved.values(person=person))
            if _solver(connection, person) is None:
                his = update(puzzle_solvers).where(puzzle_solvers.c.person == guest)
                connection.execute(his.values(person=person))
            forget(connection, [guest])

        await self._database.write(work)


def forget(connection: Connection, persons: Collection[str]) -> None:
    """Delete all that is known of these people."""
    for table in (puzzle_tries, puzzle_solvers):
        connection.execute(delete(table).where(table.c.person.in_(persons)))


def _note(connection: Connection, person: str, done: PuzzleTry, rate: RatePuzzle) -> None:
    mine = (puzzle_tries.c.person == person) & (puzzle_tries.c.puzzle == done.puzzle)
    before = connection.execute(select(puzzle_tries).where(mine)).first()
    if before is not None and before.at >= done.at:
        return  # sent again
    puzzle, solver = _rating(connection, done.puzzle), _solver(connection, person)
    new_solver, new_puzzle = rate(person, solver, puzzle, done)
    if before is None:
        _put(connection, puzzle_ratings, asdict(new_puzzle), new=puzzle is None)
        row = {"person": person, "puzzle": done.puzzle, "times": 1}
        connection.execute(insert(puzzle_tries), row | {"solved": done.solved, "at": done.at})
    else:  # only the first attempt is rated
        if solver is not None:
            new_solver = replace(new_solver, mu=solver.mu, sigma=solver.sigma, tries=solver.tries)
        again = update(puzzle_tries).where(mine)
        connection.execute(again.values(times=before.times + 1, solved=done.solved, at=done.at))
    _put(connection, puzzle_solvers, asdict(new_solver), new=solver is None)


def _put(connection: Connection, table: Table, row: dict[str, Any], *, new: bool) -> None:
    key = next(iter(table.primary_key))
    if new:
        connection.execute(insert(table), row)
    else:
        connection.execute(update(table).where(key == row[key.name]).values(**row))


def _solver(connection: Connection, person: str) -> PuzzleSolver | None:
    query = select(puzzle_solvers).where(puzzle_solvers.c.person == person)
    row = connection.execute(query).mappings().first()
    return PuzzleSolver(**row) if row else None


def _rating(connection: Connection, puzzle: str) -> PuzzleRating | None:
    query = select(puzzle_ratings).where(puzzle_ratings.c.puzzle == puzzle)
    row = connection.execute(query).mappings().first()
    return PuzzleRating(**row) if row else None
