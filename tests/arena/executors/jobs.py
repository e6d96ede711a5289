"""Jobs for the tests of executors. Workers import this module, too."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from patrizier.arena.executors import Job, Worker
from patrizier.arena.match import MatchResult
from patrizier.arena.tournament import DealJob


@dataclass(frozen=True)
class Squares(Job[int, int]):
    """The square of every unit, once plain and once negative."""

    def run(self, unit: int, worker: Worker) -> Iterator[int]:
        yield unit * unit
        yield -unit * unit


@dataclass(frozen=True)
class Deadly(Job[int, int]):
    """Some units kill their worker, a few times or always; attempts are counted in files."""

    folder: Path
    deaths: tuple[tuple[int, int], ...]  # unit and how often it kills

    def run(self, unit: int, worker: Worker) -> Iterator[int]:
        attempt = len(list(self.folder.glob(f"{unit}-*")))
        (self.folder / f"{unit}-{attempt}").touch()
        if attempt < dict(self.deaths).get(unit, 0):
            os.kill(os.getpid(), signal.SIGKILL)
        yield unit


@dataclass(frozen=True)
class Faulty(Job[int, int]):
    """Unit 3 raises an error."""

    def run(self, unit: int, worker: Worker) -> Iterator[int]:
        if unit == 3:
            raise ZeroDivisionError("unit 3 cannot be computed")
        yield unit


@dataclass(frozen=True)
class Prepared(Job[int, tuple[int, int]]):
    """Counts how often its worker was prepared."""

    folder: Path

    def prepare(self, worker: Worker) -> None:
        (self.folder / f"{os.getpid()}-{time.monotonic_ns()}").touch()

    def run(self, unit: int, worker: Worker) -> Iterator[tuple[int, int]]:
        yield os.getpid(), len(list(self.folder.glob(f"{os.getpid()}-*")))


@dataclass(frozen=True)
class Waiting(Job[int, int]):
    """Later units end first: each waits for the file that the next one writes."""

    folder: Path
    units: int

    def run(self, unit: int, worker: Worker) -> Iterator[int]:
        while unit % 2 == 0 and unit + 1 < self.units:
            if (self.folder / str(unit + 1)).exists():
                break
            time.sleep(0.01)
        (self.folder / str(unit)).touch()
        yield unit


@dataclass(frozen=True)
class Together(DealJob):
    """Plays deals; the first is not begun before another worker is at work, too."""

    folder: Path = Path()

    def run(self, unit: range, worker: Worker) -> Iterator[MatchResult]:
        (self.folder / str(unit.start)).touch()
        while unit.start == 0 and len(list(self.folder.iterdir())) < 2:
            time.sleep(0.01)
        yield from super().run(unit, worker)
