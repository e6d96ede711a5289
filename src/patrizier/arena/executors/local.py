"""Executors on this machine: the process itself, or several worker processes."""

import multiprocessing
import platform
import signal
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, Generic

from pebble import ProcessExpired, ProcessPool

from patrizier.arena.executors.base import Executor, Job, Node, Result, Unit, Worker
from patrizier.arena.executors.scheduler import Backend, Died, Done, compute

_QUEUED = 2  # units per worker: the next one waits beside the one under way


def on_this_machine(jobs: int = 1) -> Executor:
    """Return the executor for so many processes."""
    return InProcess() if jobs == 1 else Processes(jobs)


class InProcess(Executor):
    """Computes units one after the other in this process; results come one by one."""

    def run(
        self, job: Job[Unit, Result], units: Iterable[Unit]
    ) -> Generator[tuple[Unit, list[Result]], None, None]:
        """Yield each result as soon as it is there."""
        worker = Worker(platform.node())
        prepared = False
        for unit in units:
            if not prepared:
                job.prepare(worker)
                prepared = True
            for result in job.run(unit, worker):
                yield unit, [result]

    def nodes(self) -> tuple[Node, ...]:
        """Return this machine."""
        return (Node(platform.node()),)


class Processes(Executor):
    """Computes units in worker processes; one that dies is replaced."""

    def __init__(self, jobs: int) -> None:
        super().__init__()
        if jobs < 1:
            raise ValueError("at least one process must compute")
        self.jobs = jobs

    def run(
        self, job: Job[Unit, Result], units: Iterable[Unit]
    ) -> Generator[tuple[Unit, list[Result]], None, None]:
        """Yield the units in order."""
        return compute(job, units, _Pool(self.jobs), self.lost)

    def nodes(self) -> tuple[Node, ...]:
        """Return this machine."""
        return (Node(platform.node(), self.jobs),)


class _Pool(Backend[Unit, Result], Generic[Unit, Result]):
    """Independent worker processes: the death of one does not end the others."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: ProcessPool | None = None
        self._futures: dict[Future[list[Result]], int] = {}

    def start(self, job: Job[Unit, Result]) -> None:
        """Compile here first, so that the workers find everything in the cache."""
        job.prepare(Worker(platform.node()))
        spawn = multiprocessing.get_context("spawn")
        self._pool = ProcessPool(
            self._jobs, initializer=_start_worker, initargs=(job,), context=spawn
        )

    def capacity(self) -> int:
        """Return how many units may be under way."""
        return _QUEUED * self._jobs

    def submit(self, number: int, unit: Unit) -> None:
        """Queue a unit."""
        assert self._pool is not None
        self._futures[self._pool.schedule(_run_in_worker, (unit,))] = number

    def wait(self) -> list[Done[Result] | Died]:
        """Wait until a unit has ended."""
        ended, _ = wait(self._futures, return_when=FIRST_COMPLETED)
        return [self._event(self._futures.pop(future), future) for future in ended]

    def _event(self, number: int, future: Future[list[Result]]) -> Done[Result] | Died:
        try:
            return Done(number, future.result())
        except ProcessExpired as error:
            return Died(number, f"the worker process ended ({_cause(error.exitcode)})")

    def stop(self) -> None:
        """End the workers, whatever they are computing."""
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            self._pool.join()


def _cause(status: int | None) -> str:
    if status is not None and status < 0:
        return f"signal {signal.Signals(-status).name}"
    return f"status {status}"


# -- in the worker processes

_worker: tuple[Job[Any, Any], Worker] | None = None


def _start_worker(job: Job[Any, Any]) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent
    worker = Worker(platform.node())
    job.prepare(worker)
    _worker = job, worker


def _run_in_worker(unit: Any) -> list[Any]:
    assert _worker is not None, "the worker was not started"
    job, worker = _worker
    return list(job.run(unit, worker))
