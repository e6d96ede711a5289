"""Compiling ahead of need: what is urgent first, on all cores, and how far it is."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from patrizier.bots.warmup import DEALS, EVALUATION, RULES, SEARCH
from patrizier.kernels.__main__ import prepare_kernels
from patrizier.kernels.preparation import (
    Marks,
    OnStep,
    Preparation,
    Step,
    all_steps,
    missing_steps,
    run_in_processes,
)

pytestmark = pytest.mark.anyio

STEPS = (Step("one", 6.0, lambda: None), Step("two", 2.0, lambda: None))


class ByHand:
    """Runs steps when the test says so."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.finish: OnStep = lambda _name: None
        self.end = asyncio.Event()

    async def __call__(self, names: Sequence[str], on_step: OnStep) -> None:
        self.asked += names
        self.finish = on_step
        await self.end.wait()


def test_rules_and_the_levels_come_first_and_every_step_has_a_name_of_its_own() -> None:
    names = [step.name for step in all_steps()]
    assert set(names[:4]) == {RULES, DEALS, EVALUATION, SEARCH}
    assert len(set(names)) == len(names)


async def test_whoever_waits_goes_on_as_soon_as_theirs_is_done() -> None:
    hand, time = ByHand(), [0.0]
    told: list[str] = []
    work = Preparation(
        STEPS,
        is_done=lambda _: False,
        run=hand,
        now=lambda: time[0],
        cores=2,
        on_step=lambda _, step: told.append(step),
    )
    running = asyncio.create_task(work.run())
    await asyncio.sleep(0)
    assert hand.asked == ["one", "two"]
    waiting = asyncio.create_task(work.wait({"two"}))
    await asyncio.sleep(0)
    assert not waiting.done()
    assert (work.seconds_left({"two"}), work.seconds_left()) == (2, 6)
    time[0] = 1.0
    assert (work.progress({"two"}), work.progress()) == (0.5, 0.17)
    time[0] = 12.0  # slower than expected: it may take some time yet
    assert (work.seconds_left({"two"}), work.seconds_left()) == (5, 3)
    time[0] = 1.0
    hand.finish("two")
    await waiting
    assert told == ["two"]
    assert (work.seconds_left({"two"}), work.progress({"two"})) == (0, 1.0)
    assert (work.seconds_left(), work.progress()) == (2, 0.33)  # twice as fast as expected
    assert not work.is_done
    hand.finish("one")
    assert work.is_done
    assert (work.seconds_left(), work.progress()) == (0, 1.0)
    hand.end.set()
    await running


async def test_steps_are_waited_for_before_anything_of_them_has_run() -> None:
    """The task that runs them starts later: nobody may compile them meanwhile."""
    work = Preparation(STEPS, is_done=lambda _: False, run=ByHand())
    running = asyncio.create_task(work.run())
    waiting = asyncio.create_task(work.wait({"one"}))
    await asyncio.wait((waiting,), timeout=0)
    assert not waiting.done()
    for task in (waiting, running):
        task.cancel()


async def test_nobody_waits_for_what_is_done_or_not_being_run() -> None:
    hand = ByHand()
    await Preparation(STEPS, is_done=lambda _: False, run=hand).wait({"one", "two"})
    done = Preparation(STEPS, is_done=lambda _: True, run=hand)
    assert done.is_done
    hand.end.set()
    await done.run()
    assert hand.asked == []


async def test_a_step_that_fails_is_named_and_does_not_stop_the_others() -> None:
    told: list[str] = []
    failed = await run_in_processes(["nothing", "nothing else"], told.append, quiet=True)
    assert sorted(told) == sorted(failed) == ["nothing", "nothing else"]


async def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    deadly = "import sys; name = input(); name == 'deadly' and sys.exit(1); print('done')"
    python = tmp_path / "python"
    python.write_text(f"#!{sys.executable}\n{deadly}\n")
    python.chmod(0o755)
    told: list[str] = []
    names = ["deadly", "harmless"]
    failed = await run_in_processes(names, told.append, cores=1, python=str(python))
    assert failed == ("deadly",)
    assert told == ["deadly", "harmless"]


def test_a_mark_says_that_a_step_is_done_on_a_processor(tmp_path: Path) -> None:
    marks = Marks(tmp_path, "a processor")
    assert "one" not in marks
    marks.add("one")
    assert "one" in Marks(tmp_path, "a processor")
    assert "two" not in marks
    assert "one" not in Marks(tmp_path, "another processor")


def test_without_a_cache_there_is_nothing_to_prepare() -> None:
    marks = Marks(None, "a processor")
    marks.add("one")
    assert "two" in marks


def test_what_is_done_is_not_missing() -> None:
    assert missing_steps(STEPS, lambda name: name == "two") == ("one",)


def test_the_command_names_what_it_compiled_and_what_it_could_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert prepare_kernels(()) == 0
    assert capsys.readouterr().out == ""
    assert prepare_kernels(["nothing"]) == 1
    told = capsys.readouterr()
    assert told.out == "nothing\n"
    assert told.err.endswith("Not compiled: nothing\n")
