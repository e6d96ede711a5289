from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from arena.executors.jobs import Deadly, Faulty, Prepared, Squares, Waiting
from patrizier.arena.executors import Executor, InProcess, LostUnit, Processes, on_this_machine
from patrizier.arena.executors.base import Job


def flat(executor: Executor, job: Job[int, Any], units: range) -> list[Any]:
    return [result for _, results in executor.run(job, units) for result in results]


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_order(jobs: int) -> None:
    expected = [value for unit in range(40) for value in (unit * unit, -unit * unit)]
    assert flat(on_this_machine(jobs), Squares(), range(40)) == expected


def test_a_late_unit_does_not_change_the_order(tmp_path: Path) -> None:
    assert flat(Processes(2), Waiting(tmp_path, 20), range(20)) == list(range(20))


def test_the_process_itself_gives_every_result_at_once() -> None:
    units = InProcess().run(Squares(), count())
    assert [next(units) for _ in range(3)] == [(0, [0]), (0, [0]), (1, [1])]
    units.close()


def test_a_unit_whose_worker_dies_is_computed_again(tmp_path: Path) -> None:
    executor = Processes(2)
    assert flat(executor, Deadly(tmp_path, ((2, 1), (5, 2))), range(9)) == list(range(9))
    assert executor.lost == []
    assert len(list(tmp_path.glob("5-*"))) == 3


def test_a_unit_that_always_kills_is_left_out(tmp_path: Path) -> None:
    executor = Processes(2)
    assert flat(executor, Deadly(tmp_path, ((4, 99),)), range(8)) == [0, 1, 2, 3, 5, 6, 7]
    assert executor.lost == [LostUnit(4, 3, "the worker process ended (signal SIGKILL)")]
    assert len(list(tmp_path.glob("4-*"))) == 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_job_ends_the_run(jobs: int) -> None:
    with pytest.raises(ZeroDivisionError, match="unit 3"):
        flat(on_this_machine(jobs), Faulty(), range(6))


def test_every_worker_prepares_once(tmp_path: Path) -> None:
    found = flat(Processes(2), Prepared(tmp_path), range(30))
    assert {times for _, times in found} == {1}


def test_units_are_begun_only_as_far_ahead_as_needed() -> None:
    begun: list[int] = []

    def units() -> Iterator[int]:
        for number in count():
            begun.append(number)
            yield number

    run = Processes(2).run(Squares(), units())
    next(run)
    run.close()
    assert len(begun) <= 16 * 2 * 2


def test_no_process_is_no_executor() -> None:
    with pytest.raises(ValueError, match="at least one process"):
        Processes(0)
