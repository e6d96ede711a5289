"""Many games analysed on an executor."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from patrizier.analysis.analyser import analyse
from patrizier.analysis.judgement import Effort
from patrizier.arena.executors import Executor, Job, Worker
from patrizier.ptr import GameRecord, read_games


@dataclass(frozen=True)
class AnalysisJob(Job[str, dict[str, Any]]):
    """Analyses one game. A unit is its record as text, a result the analysis as JSON."""

    deep: bool = False
    seed: int = 0
    effort: Effort | None = None  # instead of the usual one

    def run(self, unit: str, worker: Worker) -> Iterator[dict[str, Any]]:
        """Analyse a game to the end."""
        (record,) = read_games(unit)
        *_, last = analyse(record, deep=self.deep, seed=self.seed, effort=self.effort)
        yield last.to_json()


def analyse_all(
    records: Sequence[GameRecord],
    executor: Executor,
    *,
    deep: bool = False,
    seed: int = 0,
    effort: Effort | None = None,
) -> Generator[dict[str, Any] | None, None, None]:
    """Yield the analyses in the order of the records; None for one that had to be left out."""
    units = (str(record) for record in records)
    with closing(executor.run(AnalysisJob(deep, seed, effort), units)) as parts:
        for _, found in parts:
            yield found[0] if found else None
