"""Jobs, workers, nodes, and what an executor is."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Unit = TypeVar("Unit")
Result = TypeVar("Result")


class ExecutorError(RuntimeError):
    """The run cannot go on: no workers, or workers of another version."""


@dataclass(frozen=True, slots=True)
class Node:
    """A machine that computes units."""

    name: str
    workers: int = 1  # processes at work there
    speed: float = 0.0  # reference games per second on one core; 0: not measured


@dataclass(frozen=True, slots=True)
class Worker:
    """What a job may know about the process it runs in."""

    node: str = ""
    slowness: float = 1.0  # how many times as long this machine needs as the one that started it


@dataclass(frozen=True, slots=True)
class LostUnit:
    """A unit that was left out because it killed its worker every time."""

    unit: Any
    attempts: int
    reason: str


class Job(ABC, Generic[Unit, Result]):
    """The same computation for many units. Jobs, units and results can be pickled.

    The results of a unit must depend on the job and the unit only, so that a unit whose worker
    died can be computed again anywhere else.
    """

    def bots(self) -> Sequence[str]:
        """Return the bots that workers need, as on the command line."""
        return ()

    def modules(self) -> Sequence[str]:
        """Return further modules that workers need and may not have installed."""
        return ()

    def prepare(self, worker: Worker) -> None:
        """Get ready, once per worker: compile what the units need."""

    @abstractmethod
    def run(self, unit: Unit, worker: Worker) -> Iterator[Result]:
        """Compute a unit; yield its results."""


class Executor(ABC):
    """Computes the units of a job somewhere.

    ``lost`` lists the units that were left out.
    """

    def __init__(self) -> None:
        self.lost: list[LostUnit] = []

    @abstractmethod
    def run(
        self, job: Job[Unit, Result], units: Iterable[Unit]
    ) -> Generator[tuple[Unit, list[Result]], None, None]:
        """Yield the units in order, each with some or all of its remaining results.

        A unit left out has no results. Closing the generator stops the run.
        """

    @abstractmethod
    def nodes(self) -> tuple[Node, ...]:
        """Return the machines at work now."""
