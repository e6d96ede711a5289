"""The one schedule of all executors with workers: order, bounds, and units whose worker died."""

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any, Generic

from patrizier.arena.executors.base import Job, LostUnit, Result, Unit

MOST_ATTEMPTS = 3  # of a unit that kills its worker
_WINDOW = 16  # units begun ahead of the oldest unfinished one, per worker: bounds what waits


@dataclass(frozen=True, slots=True)
class Done(Generic[Result]):
    """A unit is computed."""

    number: int
    results: list[Result]


@dataclass(frozen=True, slots=True)
class Died:
    """A worker died while it computed a unit."""

    number: int
    reason: str
    blameless: bool = False  # the unit was not the cause: its node died, for example


class Backend(ABC, Generic[Unit, Result]):
    """Workers that compute units one at a time, in any order."""

    @abstractmethod
    def start(self, job: Job[Unit, Result]) -> None:
        """Start workers for a job."""

    @abstractmethod
    def capacity(self) -> int:
        """Return how many units may be under way."""

    @abstractmethod
    def submit(self, number: int, unit: Unit) -> None:
        """Begin a unit."""

    @abstractmethod
    def wait(self) -> "list[Done[Result] | Died]":
        """Wait a little for units to end; errors of the job itself are raised."""

    @abstractmethod
    def stop(self) -> None:
        """Stop all workers, and what they are computing."""


def compute(
    job: Job[Unit, Result],
    units: Iterable[Unit],
    backend: Backend[Unit, Result],
    lost: list[LostUnit],
) -> Generator[tuple[Unit, list[Result]], None, None]:
    """Yield all units in order with their results, whatever the order in which they end.

    A unit whose worker dies is computed again, at most `MOST_ATTEMPTS` times; then it is added to
    ``lost`` and yielded without results.
    """
    upcoming = enumerate(units)
    again: deque[int] = deque()
    running: dict[int, Unit] = {}
    finished: dict[int, list[Result]] = {}
    begun: dict[int, Unit] = {}  # not yet yielded
    attempts: Counter[int] = Counter()
    oldest = 0
    exhausted = False
    try:
        backend.start(job)
        while True:
            capacity = max(1, backend.capacity())
            while len(running) < capacity:
                if again:
                    number = again.popleft()
                elif not exhausted and len(begun) < _WINDOW * capacity:
                    following: tuple[int, Unit] | None = next(upcoming, None)
                    if following is None:
                        exhausted = True
                        break
                    number, begun[following[0]] = following
                else:
                    break
                running[number] = begun[number]
                backend.submit(number, begun[number])
            if not running:
                return
            for event in backend.wait():
                unit: Any = running.pop(event.number)
                if isinstance(event, Done):
                    finished[event.number] = event.results
                    continue
                attempts[event.number] += not event.blameless
                if attempts[event.number] < MOST_ATTEMPTS:
                    again.append(event.number)
                else:
                    lost.append(LostUnit(unit, attempts[event.number], event.reason))
                    finished[event.number] = []
            while oldest in finished:
                yield begun.pop(oldest), finished.pop(oldest)
                oldest += 1
    finally:
        backend.stop()
