"""Attempts at puzzles: checked here, rated, and counted in streaks."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from patrizier.errors import InvalidMove
from patrizier.puzzles.collection import shipped
from patrizier.puzzles.rating import Strength, hardness, newcomer, rated
from patrizier.puzzles.selection import of_the_day
from patrizier.server.protocol.messages import PuzzleAttempt, PuzzleProgress
from patrizier.server.store.base import PuzzleStore
from patrizier.server.store.rows import PuzzleRating, PuzzleSolver, PuzzleTry

DAY = 24 * 3600.0
_LATE = 30 * DAY  # attempts reported as older count as this old


class Progress:
    """People's progress with puzzles."""

    def __init__(self, store: PuzzleStore, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now

    async def of(self, person: str) -> PuzzleProgress:
        """Return a person's progress."""
        found = await self._store.solver(person)
        return told(found or _beginner(person), await self._store.done(person) if found else {})

    async def note(self, person: str, attempts: Sequence[PuzzleAttempt]) -> PuzzleProgress:
        """Check and count attempts; those at puzzles that no longer exist are ignored."""
        now = self._now()
        tries = [self._try(each, now) for each in attempts if each.puzzle in shipped()]
        await self._store.note(person, tries, after)
        return await self.of(person)

    def _try(self, attempt: PuzzleAttempt, now: float) -> PuzzleTry:
        puzzle, at = shipped()[attempt.puzzle], min(now, max(now - _LATE, attempt.at))
        try:
            solved = attempt.turn is not None and puzzle.is_solved_by(attempt.turn)
        except InvalidMove:
            solved = False
        day = int(at // DAY)
        is_todays = of_the_day(shipped().values(), day) is puzzle
        return PuzzleTry(puzzle.id, solved, at, day if is_todays else None)


def nobody() -> PuzzleProgress:
    """Return the progress of a new person."""
    return told(_beginner(""), {})


def told(solver: PuzzleSolver, done: dict[str, int]) -> PuzzleProgress:
    """Return progress as a message."""
    strength = Strength(solver.mu, solver.sigma)
    return PuzzleProgress(
        rating=strength.points,
        deviation=strength.deviation,
        tries=solver.tries,
        streak=solver.streak,
        best=solver.best,
        day=solver.day,
        days=solver.days,
        done=done,
    )


def after(
    person: str, solver: PuzzleSolver | None, puzzle: PuzzleRating | None, done: PuzzleTry
) -> tuple[PuzzleSolver, PuzzleRating]:
    """Return a person and a puzzle after an attempt."""
    solver = solver or _beginner(person)
    if puzzle is None:
        start = hardness(shipped()[done.puzzle].rating)
        puzzle = PuzzleRating(done.puzzle, start.mu, start.sigma)
    one, two = rated(
        Strength(solver.mu, solver.sigma), Strength(puzzle.mu, puzzle.sigma), solved=done.solved
    )
    streak = solver.streak + 1 if done.solved else 0
    day, days = solver.day, solver.days
    if done.solved and done.day is not None and done.day > day:
        days = days + 1 if done.day == day + 1 else 1
        day = done.day
    solver = replace(
        solver,
        mu=one.mu,
        sigma=one.sigma,
        tries=solver.tries + 1,
        streak=streak,
        best=max(solver.best, streak),
        day=day,
        days=days,
    )
    return solver, PuzzleRating(puzzle.puzzle, two.mu, two.sigma, puzzle.tries + 1)


def _beginner(person: str) -> PuzzleSolver:
    start = newcomer()
    return PuzzleSolver(person, start.mu, start.sigma)
