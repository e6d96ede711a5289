"""Compiles all kernels ahead of need: the steps, whether they are done, and running them.

A room with kernels has a module `warmup` with `STEPS`; this is the only list of what there is to
compile. Steps run in a process for each core, and leave their code in the cache.
"""

import asyncio
import hashlib
import importlib
import os
import sys
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

from patrizier.kernels import cache as kernel_cache
from patrizier.kernels import shipped

_PACKAGE = Path(__file__).parent.parent
_OVERDUE = 0.5  # seconds still expected for each second that a step is late
DONE = "done"  # a process's answer after a step that worked
OnStep = Callable[[str], None]  # called with the name of a step that has just been done
Runner = Callable[[Sequence[str], OnStep], Coroutine[Any, Any, None]]


@dataclass(frozen=True)
class Step:
    """Kernels that are compiled together, by a process that needs no others."""

    name: str
    seconds: float  # on one core, roughly
    run: Callable[[], None] = field(compare=False)
    for_servers: bool = True  # False: only shipped, as no server, level or command needs it


@cache
def all_steps() -> tuple[Step, ...]:
    """Return the steps of all rooms, the most urgent first: those of the bots."""
    rooms = sorted(_PACKAGE.glob("*/warmup.py"), key=lambda file: file.parent.name != "bots")
    modules = [importlib.import_module(f"patrizier.{file.parent.name}.warmup") for file in rooms]
    return tuple(step for module in modules for step in module.STEPS)


def run_step(name: str) -> None:
    """Compile the kernels of one step in this process, and mark it as done."""
    next(step for step in all_steps() if step.name == name).run()
    if not shipped.is_being_built():
        Marks.here().add(name)


class Marks:
    """Says which steps are done on a processor: an empty file for each, in the cache folder.

    Without a folder nothing can be kept, so that there is nothing to prepare.
    """

    def __init__(self, folder: Path | None, processor: str) -> None:
        self._folder = folder and folder / "done"
        self._processor = processor

    @classmethod
    def here(cls) -> "Marks":
        """Return those of this processor in the user's cache folder."""
        return cls(kernel_cache.cache_folder(_PACKAGE / "bots"), shipped.host())

    def __contains__(self, name: str) -> bool:
        return self._folder is None or (self._folder / self._file_name(name)).is_file()

    def add(self, name: str) -> None:
        """Note that a step is done."""
        if self._folder is not None:
            self._folder.mkdir(exist_ok=True)
            (self._folder / self._file_name(name)).touch()

    def _file_name(self, name: str) -> str:
        fit = repr(sorted(asdict(shipped.present_fit(self._processor)).items()))
        return f"{name}-{hashlib.sha256(fit.encode()).hexdigest()[:16]}"


def is_done(name: str) -> bool:
    """Whether the code of a step is there; shipped code is complete."""
    return _is_shipped_of_these_sources() or name in Marks.here()


def _is_shipped_of_these_sources() -> bool:
    shipped_folder = shipped.fitting_folder()
    name = kernel_cache.folder_name(_PACKAGE / "bots")
    return shipped_folder is not None and (shipped_folder / name).is_dir()


def missing_steps(
    steps: Iterable[Step], is_done: Callable[[str], bool] = is_done
) -> tuple[str, ...]:
    """Return the names of the steps that are not done."""
    return tuple(step.name for step in steps if not is_done(step.name))


class Preparation:
    """Runs the missing steps, the most urgent first, and reports progress."""

    def __init__(
        self,
        steps: Sequence[Step] | None = None,
        *,
        is_done: Callable[[str], bool] = is_done,
        run: Runner | None = None,
        now: Callable[[], float] = monotonic,
        cores: int | None = None,
        on_step: "Callable[[Preparation, str], None] | None" = None,  # called when one is done
    ) -> None:
        steps = all_steps() if steps is None else steps
        self._steps = {step.name: step for step in steps if step.for_servers}
        self._missing = [*missing_steps(self._steps.values(), is_done)]
        self._run = run or run_quietly
        self._events = {name: asyncio.Event() for name in self._missing}
        self._ends = self._expected_ends(cores or count_cores())
        self._slowness = 1.0  # actual over expected time, from the last step
        self._now = now
        self._begin: float | None = None  # when `run` was called
        self._on_step = on_step

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return not self._missing

    def seconds_left(self, names: Iterable[str] | None = None) -> int:
        """The estimated time until these steps, or all, are done."""
        wanted = set(self._missing if names is None else names)
        ends = [self._ends[name] for name in self._missing if name in wanted]
        if not ends:
            return 0
        left = max(ends) * self._slowness - self._took()
        return max(1, round(left if left > 0 else -left * _OVERDUE))

    def progress(self, names: Iterable[str] | None = None) -> float:
        """The progress of these steps, or of all, from 0 to 1, by time."""
        left, took = self.seconds_left(names), self._took()
        return round(min(0.99, took / (took + left)), 2) if left else 1.0

    async def wait(self, names: Iterable[str]) -> None:
        """Wait until these steps are done, if they are being run at all."""
        for name in names:
            if name in self._missing and self._begin is not None:
                await self._events[name].wait()

    def run(self) -> Coroutine[Any, Any, None]:
        """Run all steps that are not done; if one fails, its kernels are compiled at first use.

        `wait` waits from this call on, even before the coroutine starts.
        """
        self._begin = self._now()
        return self._run(tuple(self._missing), self._finish)

    def _finish(self, name: str) -> None:
        self._slowness = self._took() / self._ends[name]
        self._missing.remove(name)
        self._events[name].set()
        if self._on_step is not None:
            self._on_step(self, name)

    def _took(self) -> float:
        return 0.0 if self._begin is None else self._now() - self._begin

    def _expected_ends(self, cores: int) -> dict[str, float]:
        """Return when each step should be done, in seconds after `run`."""
        free, ends = [0.0] * cores, dict[str, float]()
        for name in self._missing:
            core = free.index(min(free))
            free[core] += self._steps[name].seconds
            ends[name] = free[core]
        return ends


def count_cores() -> int:
    """Return the number of usable cores."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


async def run_quietly(names: Sequence[str], on_step: OnStep) -> None:
    """Run steps without output: errors show when the code of a failed step is needed."""
    await run_in_processes(names, on_step, quiet=True)


async def run_in_processes(
    names: Sequence[str],
    on_step: OnStep,
    *,
    quiet: bool = False,
    cores: int | None = None,
    python: str | None = None,
) -> tuple[str, ...]:
    """Run steps on all cores, in this order; return those failed.

    A process runs one step after the other, so code that kernels share is compiled once per
    process. ``python`` is the interpreter, this one by default.
    """
    queue, failed = iter(names), list[str]()

    async def work() -> None:
        async with _Process(python or sys.executable, quiet) as process:
            for name in queue:
                if not await process.run(name):
                    failed.append(name)
                on_step(name)

    async with asyncio.TaskGroup() as workers:
        for _ in range(min(cores or count_cores(), len(names))):
            workers.create_task(work())
    return tuple(failed)


class _Process:
    """Runs steps in a process of their own; one that dies is replaced."""

    def __init__(self, python: str, quiet: bool) -> None:
        self._python = python
        self._errors = asyncio.subprocess.DEVNULL if quiet else None
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> "_Process":
        return self

    async def __aexit__(self, *error: object) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def run(self, name: str) -> bool:
        """Run a step; return whether that worked."""
        process = self._process = self._process or await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{name}\n".encode())
        answer = await process.stdout.readline()
        if not answer:
            await self.__aexit__()
        return answer.decode().strip() == DONE

    async def _start(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(self._python, "-W", "ignore", "-m", "patrizier.kernels", "steps"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._errors,
        )
