"""Ctrl-C in the middle of a run."""

from collections.abc import Generator, Iterable

from patrizier.arena.executors import InProcess, Job
from patrizier.arena.executors.base import Result, Unit


class Interrupted(InProcess):
    """Computes in this process, until Ctrl-C after so many results."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self._after = after

    def run(
        self, job: Job[Unit, Result], units: Iterable[Unit]
    ) -> Generator[tuple[Unit, list[Result]], None, None]:
        parts = super().run(job, units)
        for _ in range(self._after):
            yield next(parts)
        raise KeyboardInterrupt
