"""The load test itself: seat everybody, play at a steady rate, measure memory."""

import asyncio
import gc
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from random import Random
from time import perf_counter
from typing import Any

from .client import Guest, new_id
from .pairs import Notes, Pair, in_groups
from .process import memory_of, processor_time_of

_WARM_UP = 3.0  # seconds before measuring
_SETTLE = 2.0  # seconds before the memory is read
_TAIL = 0.5  # seconds for the last turns to arrive
_STEP = 0.002  # seconds between checks of the clock

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """The load."""

    tables: int
    rate: float  # turns per second, over all tables
    seconds: float
    idle: int = 500  # tables made to measure memory; 0: none


@dataclass(frozen=True, slots=True)
class Report:
    """The results."""

    tables: int
    sockets: int
    seconds: float
    turns: int
    turns_per_second: float
    wait_ms: dict[str, float]  # from sending a turn to the opponent's view of it
    answer_ms: dict[str, float]  # from sending a turn to one's own view of it
    processor_ms_per_turn: float | None  # of the server's own process
    games_finished: int
    messages: int
    refused: int
    sockets_lost: int
    memory_start: int | None  # bytes of the server's own process
    memory_end: int | None
    memory_per_idle_table: int | None

    def to_json(self) -> dict[str, Any]:
        """Return the results as JSON."""
        return asdict(self)


async def run(url: str, plan: Plan, pid: int | None, say: Say, seed: int = 1) -> Report:
    """Put a server under load; memory is measured if its process is known."""
    rng, notes = Random(seed), Notes()
    first = await _pair(url, rng, notes)  # so that everything is loaded
    await _play(deque([first]), Plan(1, 100, 0.5), notes)
    memory_start = _memory(pid)
    idle = await _idle_memory(url, pid, plan.idle, say) if pid and plan.idle else None
    say(f"{2 * plan.tables} people take seats at {plan.tables} tables")
    pairs = await in_groups([lambda: _pair(url, rng, notes)] * plan.tables)
    try:
        say(f"They play {plan.rate:g} turns a second for {plan.seconds:g} seconds")
        await _play(deque(pairs), Plan(plan.tables, plan.rate, _WARM_UP), notes)
        notes.clear()
        gc.freeze()
        gc.disable()  # our own pauses would count as the server's
        began, used = perf_counter(), _processor_time(pid)
        finished = await _play(deque(pairs), plan, notes)
        seconds = perf_counter() - began - _TAIL
        used, memory_end = _processor_time(pid) - used, _memory(pid)
    finally:
        gc.enable()
        gc.unfreeze()
        await in_groups([pair.close for pair in (first, *pairs)])
    return Report(
        tables=plan.tables,
        sockets=2 * plan.tables,
        seconds=round(seconds, 2),
        turns=len(notes.waits),
        turns_per_second=round(len(notes.waits) / seconds, 1),
        wait_ms=quantiles(notes.waits),
        answer_ms=quantiles(notes.answers),
        processor_ms_per_turn=round(1000 * used / len(notes.waits), 2) if used else None,
        games_finished=finished,
        messages=notes.messages,
        refused=notes.refused,
        sockets_lost=notes.lost,
        memory_start=memory_start,
        memory_end=memory_end,
        memory_per_idle_table=idle,
    )


async def _pair(url: str, rng: Random, notes: Notes) -> Pair:
    pair = Pair((await Guest.come(url), await Guest.come(url)), rng, notes)
    await pair.sit_down()
    return pair


async def _play(pairs: "deque[Pair]", plan: Plan, notes: Notes) -> int:
    """Send turns at a steady rate, regardless of answers; return the number of finished games."""
    began = perf_counter()
    sent = finished = 0
    replacing: set[asyncio.Task[None]] = set()
    while (elapsed := perf_counter() - began) < plan.seconds:
        owed = int(elapsed * plan.rate) - sent
        for _ in range(min(owed, len(pairs))):
            pair = pairs[0]
            pairs.rotate(-1)
            if pair.can_play:
                await pair.play()
                sent += 1
            elif pair.is_over:  # start another game, at another table
                pair.is_over = False
                finished += 1
                task = asyncio.create_task(pair.sit_down())
                replacing.add(task)
                task.add_done_callback(replacing.discard)
        await asyncio.sleep(_STEP)
    await asyncio.gather(*replacing)
    await asyncio.sleep(_TAIL)
    return finished


async def _idle_memory(url: str, pid: int, count: int, say: Say) -> int | None:
    """Return the memory per started but idle table, in bytes."""
    say(f"{count} tables are started and left idle")
    one, two = await Guest.come(url), await Guest.come(url)
    await in_groups([lambda: _started_table(one, two)] * (count // 10))
    before = _memory(pid)
    await in_groups([lambda: _started_table(one, two)] * count)
    await asyncio.sleep(_SETTLE)
    after = _memory(pid)
    return None if before is None or after is None else max(0, after - before) // count


async def _started_table(one: Guest, two: Guest) -> None:
    table = await one.create_table(players=2)
    commands = f"/api/tables/{table}/commands"
    for guest, kind, seat in ((two, "join", 1), (one, "contribute", 0)):
        body = {"kind": kind, "id": new_id(), "seat": seat, "contribution": "00" * 32}
        await guest.request("POST", commands, body)


def _memory(pid: int | None) -> int | None:
    return None if pid is None else memory_of(pid)


def _processor_time(pid: int | None) -> float:
    return 0.0 if pid is None else processor_time_of(pid) or 0.0


def quantiles(seconds: list[float]) -> dict[str, float]:
    """Return quantiles in milliseconds.

    >>> quantiles([0.001, 0.002, 0.003, 0.004])
    {'p50': 2.0, 'p95': 4.0, 'p99': 4.0, 'max': 4.0}
    """
    if not seconds:
        return {}
    order = sorted(seconds)
    points = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    last = len(order) - 1
    ranks = {name: min(last, max(0, -(-int(q * 1000 * len(order)) // 1000) - 1))
             for name, q in points.items()}  # fmt: skip
    return {name: round(1000 * order[rank], 2) for name, rank in ranks.items()}
