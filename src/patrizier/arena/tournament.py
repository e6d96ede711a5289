"""Plays a schedule in one or more processes; an interrupted run can be resumed."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from multiprocessing.synchronize import Event
from pathlib import Path

from patrizier.arena.journal import Journal
from patrizier.arena.match import MatchResult, play_match
from patrizier.arena.observers import Observer
from patrizier.arena.schedule import Plan
from patrizier.bots import warmup
from patrizier.bots.base import Bot
from patrizier.bots.guard import Incident
from patrizier.bots.registry import make_bot
from patrizier.game import Game

BotMaker = Callable[[str], Bot]

_AHEAD = 4  # games in flight per worker; bounds the queue, as results come in order


def run(
    plan: Plan,
    *,
    jobs: int = 1,
    journal: str | Path | None = None,
    observers: Sequence[Observer] = (),
    make: BotMaker = make_bot,
) -> list[MatchResult]:
    """Play a tournament; return all results, in order, without their records.

    Observers get every game with its record, including those read from the journal.
    """
    results: list[MatchResult] = []
    with closing(all_games(plan, jobs=jobs, journal=journal, make=make)) as games:
        for result in games:
            for observer in observers:
                observer.on_end(result)
            results.append(replace(result, record=""))
    return results


def all_games(
    plan: Plan,
    *,
    jobs: int = 1,
    journal: str | Path | None = None,
    make: BotMaker = make_bot,
) -> Generator[MatchResult, None, None]:
    """Yield all games of a plan in order: first those in the journal, then those played now.

    Closing the generator stops early: no further game is started.
    """
    book = Journal(journal, plan) if journal is not None else None
    first = 0
    try:
        for result in book.open() if book else ():
            if first < plan.games:
                first += 1
                yield result
        with closing(play_games(plan, first, jobs=jobs, make=make)) as games:
            for result in games:
                if book:
                    book.on_end(result)
                yield result
    finally:
        if book:
            book.close()


def play_games(
    plan: Plan, first: int = 0, *, jobs: int = 1, make: BotMaker = make_bot
) -> Generator[MatchResult, None, None]:
    """Play the games of a plan from ``first`` on; yield their results in order."""
    if first >= plan.games:
        return
    warm_up(plan, make)
    if jobs == 1 or first == plan.games - 1:
        for number in range(first, plan.games):
            yield play_game(plan, number, make)
        return
    spawn = multiprocessing.get_context("spawn")
    stop = spawn.Event()
    pool = ProcessPoolExecutor(jobs, spawn, _start_worker, (plan, make, stop))
    waiting: deque[Future[MatchResult]] = deque()
    upcoming = iter(range(first, plan.games))
    try:
        for number in upcoming:
            waiting.append(pool.submit(_play_in_worker, number))
            if len(waiting) >= _AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def play_game(
    plan: Plan, number: int, make: BotMaker = make_bot, observers: Sequence[Observer] = ()
) -> MatchResult:
    """Play one game of a plan, in this process, with new bots."""
    slot = plan.slot(number)
    return play_match(
        plan.options,
        [make(name) for name in slot.names],
        plan.deal(slot.deal),
        plan.seed_of(slot),
        names=slot.names,
        deal_number=slot.deal,
        limit_seconds=plan.limit_seconds,
        observers=observers,
        tags={"Seed": f"{plan.seed} {number}"},
    )


def warm_up(plan: Plan, make: BotMaker = make_bot) -> None:
    """Compile what every bot needs, so that it does not count as thinking time."""
    for name in plan.entrants:
        warmup.warm_up(plan.options, name, make, deal=plan.deal(0))


# -- in the worker processes

_worker: tuple[Plan, BotMaker, Event] | None = None


class Stopped(Exception):
    """A game was aborted because the tournament stops."""


class _Stopper(Observer):
    """Aborts a game at the next turn once the tournament stops."""

    def __init__(self, stop: Event) -> None:
        self.stop = stop

    def on_turn(self, game: Game, incidents: Sequence[Incident]) -> None:
        if self.stop.is_set():
            raise Stopped


def _start_worker(plan: Plan, make: BotMaker, stop: Event) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent
    _worker = plan, make, stop
    warm_up(plan, make)


def _play_in_worker(number: int) -> MatchResult:
    assert _worker is not None
    plan, make, stop = _worker
    return play_game(plan, number, make, [_Stopper(stop)])
