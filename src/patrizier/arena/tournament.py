"""Plays a schedule on an executor; an interrupted run can be resumed."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from patrizier.arena.executors import Executor, InProcess, Job, Worker
from patrizier.arena.journal import Journal
from patrizier.arena.match import MatchResult, Observer, play_match
from patrizier.arena.schedule import Plan
from patrizier.bots import warmup
from patrizier.bots.base import Bot
from patrizier.bots.registry import make_bot

BotMaker = Callable[[str], Bot]


def run(
    plan: Plan,
    *,
    executor: Executor | None = None,
    journal: str | Path | None = None,
    observers: Sequence[Observer] = (),
    make: BotMaker = make_bot,
    scale_time: bool = False,
) -> list[MatchResult]:
    """Play a tournament; return all results, in order, without their records.

    Observers get every game with its record, including those read from the journal.
    """
    results: list[MatchResult] = []
    with closing(
        all_games(plan, executor=executor, journal=journal, make=make, scale_time=scale_time)
    ) as games:
        for result in games:
            for observer in observers:
                observer.on_end(result)
            results.append(replace(result, record=""))
    return results


def all_games(
    plan: Plan,
    *,
    executor: Executor | None = None,
    journal: str | Path | None = None,
    make: BotMaker = make_bot,
    scale_time: bool = False,
) -> Generator[MatchResult, None, None]:
    """Yield all games of a plan in order: first those in the journal, then those played now.

    Games of a deal that had to be left out are missing. Whoever has seen enough closes the
    generator: no further game is begun.
    """
    book = Journal(journal, plan) if journal is not None else None
    try:
        for result in book.open() if book else ():
            if result.number < plan.games:
                yield result
        first = min(book.games, plan.games) if book else 0
        units = plan.units(first)
        job = DealJob(plan, make, scale_time)
        with closing((executor or InProcess()).run(job, units)) as parts:
            for unit, results in parts:
                for result in results:
                    if book:
                        book.on_end(result)
                    yield result
                if book and not results:
                    book.leave_out(unit)
    finally:
        if book:
            book.close()


@dataclass(frozen=True)
class DealJob(Job[range, MatchResult]):
    """Plays the games of one deal, in all line-ups and rotations. A unit is their numbers."""

    plan: Plan
    make: BotMaker = make_bot
    scale_time: bool = False  # give slower machines more time

    def bots(self) -> Sequence[str]:
        """Return the entrants."""
        return self.plan.entrants

    def prepare(self, worker: Worker) -> None:
        """Compile what every bot needs."""
        warm_up(self.plan, self.make)

    def run(self, unit: range, worker: Worker) -> Iterator[MatchResult]:
        """Play the games one after the other."""
        slowness = worker.slowness if self.scale_time else 1.0
        for number in unit:
            result = play_game(self.plan, number, self.make, slowness=slowness)
            yield replace(result, node=worker.node)


def play_game(
    plan: Plan,
    number: int,
    make: BotMaker = make_bot,
    observers: Sequence[Observer] = (),
    *,
    slowness: float = 1.0,
) -> MatchResult:
    """Play one game of a plan, in this process, with new bots.

    On a machine that is slower than another by some factor, time budgets are that much longer.
    """
    slot = plan.slot(number)
    bots = [make(name) for name in slot.names]
    for bot in bots:
        bot.scale_time(slowness)
    limit = plan.limit_seconds
    return play_match(
        plan.options,
        bots,
        plan.deal(slot.deal),
        plan.seed_of(slot),
        names=slot.names,
        number=number,
        deal_number=slot.deal,
        limit_seconds=None if limit is None else limit * slowness,
        observers=observers,
        tags={"Seed": f"{plan.seed} {number}"},
    )


def warm_up(plan: Plan, make: BotMaker = make_bot) -> None:
    """Compile what every bot needs, so that it does not count as thinking time."""
    for name in plan.entrants:
        warmup.warm_up(plan.options, name, make, deal=plan.deal(0))
