"""A fixed number of worker processes, shared fairly."""

import asyncio
import os
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from time import monotonic
from typing import NamedTuple

from patrizier.bots.base import Candidate
from patrizier.bots.warmup import RULES, steps_before
from patrizier.kernels.preparation import Preparation
from patrizier.move import Move
from patrizier.options import Options
from patrizier.server.logs import log
from patrizier.view import View

from .account import NOWHERE, Account
from .fair_semaphore import FairSemaphore
from .guest_bots import GuestBot
from .levels import ADVISER, bot_of, seconds_for
from .question import Question, first_questions, read_advice, read_move
from .worker import STARTING, Worker

LIMIT = 20.0  # seconds for one answer; then the worker is replaced
ADVICE_WITHIN = 8.0  # seconds to wait for a free worker; bots go first
_MOST_ASKING = 8  # waiting requests for advice, per worker
_MOST_ALIKE = 3  # of these, from one network
_HOMES = 64  # seats per worker whose bots are assumed to be cached there

SeatKey = tuple[str, int]  # a table and a seat


class Busy(Exception):
    """The workers are too busy for advice."""


class Answer(NamedTuple):
    """A bot's turn."""

    move: Move
    seconds: float | None  # time limit, if any


class _Home(NamedTuple):
    """The worker that has a seat's bot."""

    worker: Worker
    bot_id: int
    level: str


class WorkerPool:
    """Worker processes; requests wait for a free one.

    A seat's bot stays in one worker and keeps its state. If only another worker is free, the seat
    gets a new bot there: not waiting is worth more than the state.
    """

    def __init__(
        self,
        count: int = 0,
        *,
        limit: float = LIMIT,
        advice_within: float = ADVICE_WITHIN,
        adviser: str = ADVISER,
        bot_of: Callable[[str], str] = bot_of,
        guests: Sequence[GuestBot] = (),
        now: Callable[[], float] = monotonic,
        preparation: Preparation | None = None,
    ) -> None:
        self.preparation = preparation or Preparation()
        self.count = count or max(1, (os.cpu_count() or 2) - 1)
        self.limit = limit
        self._advice_within = advice_within
        self._adviser = adviser
        self._bot_of = bot_of
        self.guests = {guest.level: guest for guest in guests}
        self.workers = tuple(Worker() for _ in range(self.count))
        self._free = list(self.workers)  # the most recently used last
        self._semaphore = FairSemaphore(self.count, now)
        self._threads = ThreadPoolExecutor(self.count, "patrizier-think")
        self._homes: OrderedDict[SeatKey, _Home] = OrderedDict()
        self._bots_given = 0  # bots given to seats so far
        self._asking = 0  # waiting requests for advice
        self.failures = 0  # invalid answers

    @property
    def free(self) -> Sequence[Worker]:
        """The workers that nobody holds, the most recently used last."""
        return tuple(self._free)

    @asynccontextmanager
    async def place(self, account: Account) -> AsyncIterator["Place"]:
        """Hold a worker while the block lasts; bots queue for it by account."""
        async with self._semaphore.passed(account) as crowd:
            yield Place(self, crowd)

    def steps_before(self, level: str, options: Options) -> frozenset[str]:
        """Return the steps of the preparation that a level needs in such a game."""
        return steps_before(self._bot(level), options)

    async def prepared(self, level: str, options: Options) -> None:
        """Wait until what a level needs is compiled, rather than let a worker compile it alone."""
        await self.preparation.wait(self.steps_before(level, options))

    def waiting(self, address: str) -> int:
        """Return the number of waiting bots of a network."""
        return self._semaphore.waiting(address)

    async def _choose(self, view: View, level: str, crowd: float, seat: SeatKey | None) -> Answer:
        """Return a legal turn: the bot's, or a random one if the bot fails."""
        seed, seconds = secrets.randbits(64), seconds_for(level, crowd)
        home = self._home(seat, level)
        bot_id = home.bot_id if home else None
        question = Question(view, self._bot(level), seed, bot_id, seconds)
        text = await self._ask(question, self.limit, home)
        move = read_move(text, view)
        if move is None:
            self.failures += 1
            # The answer is not logged: it may name a card in hand.
            code = text if text.startswith("!") else "illegal"
            log.warning("a bot gave no legal move", extra={"kind": question.bot, "code": code})
            move = view.legal[seed % len(view.legal)]
        return Answer(move, seconds)

    async def advise(
        self, view: View, account: Account, about: Move | None = None
    ) -> tuple[Candidate, ...]:
        """Return the best bot's turns for a view, the best first, and a turn asked about.

        Bots at tables have priority. Raises `Busy`.
        """
        async with self._at_leisure(self._adviser, view.options, account) as crowd:
            seconds = seconds_for(self._adviser, crowd)
            bot, seed = self._bot(self._adviser), secrets.randbits(64)
            asked = about.text if about else ""
            question = Question(view, bot, seed, seconds=seconds, advice=True, about=asked)
            text = await self._ask(question, self.limit)
        return read_advice(text, view)

    async def reply(self, view: View, level: str, account: Account) -> Move:
        """Return a level's turn for a view outside any table; bots at tables have priority.

        Raises `Busy`.
        """
        async with self._at_leisure(level, view.options, account) as crowd:
            return (await self._choose(view, level, crowd, None)).move

    @asynccontextmanager
    async def _at_leisure(
        self, level: str, options: Options, account: Account
    ) -> AsyncIterator[float]:
        """Hold a worker when no bot at a table needs it; yields the load. Raises `Busy`."""
        alike = self._semaphore.waiting(account.address, urgent=False)
        if self._asking >= _MOST_ASKING * self.count or alike >= _MOST_ALIKE * self.count:
            raise Busy
        self._asking += 1
        try:
            async with asyncio.timeout(self._advice_within) as patience:
                await self.prepared(level, options)
                async with self._semaphore.passed(account, urgent=False) as crowd:
                    patience.reschedule(None)
                    yield crowd
        except TimeoutError:
            raise Busy from None
        finally:
            self._asking -= 1

    async def warm_up(self) -> None:
        """Compile what is missing, and let all workers load it, before the first game."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.preparation.run())
            await self.preparation.wait({RULES})
            for steps, question in first_questions([guest.bot for guest in self.guests.values()]):
                await self.preparation.wait(steps)
                await asyncio.gather(*(self._warm_up(question) for _ in self.workers))

    async def _warm_up(self, question: Question) -> None:
        async with self._semaphore.passed(Account(NOWHERE, "")):
            await self._ask(question, STARTING)

    async def close(self) -> None:
        """Stop all workers."""
        for worker in self.workers:
            worker.interrupt()
        await asyncio.to_thread(self._threads.shutdown)
        for worker in self.workers:
            worker.kill()

    def _bot(self, level: str) -> str:
        """Return the bot of a level, or a guest bot, for `make_bot`."""
        guest = self.guests.get(level)
        return guest.bot if guest else self._bot_of(level)

    def _home(self, seat: SeatKey | None, level: str) -> _Home | None:
        """Return the worker for a seat's bot: the one it had, if that is free."""
        if seat is None:
            return None
        home = self._homes.pop(seat, None)
        if home is None or home.level != level or home.worker not in self._free:
            self._bots_given += 1
            home = _Home(self._free[0], self._bots_given, level)
        self._homes[seat] = home
        if len(self._homes) > _HOMES * self.count:
            self._homes.popitem(last=False)
        return home

    async def _ask(self, question: Question, limit: float, home: _Home | None = None) -> str:
        worker = home.worker if home else self._free[0]
        self._free.remove(worker)
        job = asyncio.get_running_loop().run_in_executor(self._threads, worker.ask, question, limit)
        try:
            return await job
        except (OSError, EOFError) as error:
            return f"!{type(error).__name__}"
        finally:
            self._free.append(worker)


class Place:
    """A worker, while it is held."""

    def __init__(self, pool: WorkerPool, crowd: float) -> None:
        self._pool = pool
        self._crowd = crowd

    async def choose(self, view: View, level: str, seat: SeatKey | None = None) -> Answer:
        """Return a level's turn for a view; a seat's bot keeps its state."""
        return await self._pool._choose(view, level, self._crowd, seat)
