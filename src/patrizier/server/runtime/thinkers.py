"""Bots think in processes of their own, and get nothing but a view."""

import asyncio
import json
import multiprocessing
import os
import secrets
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Lock

import numpy as np

from patrizier.bots.base import Candidate
from patrizier.bots.endgame.solver import turns_left
from patrizier.bots.registry import bot_names, make_bot
from patrizier.game import Game
from patrizier.move import Move
from patrizier.options import Options
from patrizier.server.logs import log
from patrizier.view import View

from .turnstile import Turnstile

LIMIT = 20.0  # seconds for one answer; then the worker is replaced
_STARTING = 120.0  # seconds more for a new worker's first answer: it may have to compile
_NICE = 10  # bots leave the processor to people
_LONGEST = 100  # bytes of an answer
_LONGEST_ADVICE = 4000  # bytes of an answer with several turns
MOST_ADVICE = 3  # turns in one
ADVICE_WITHIN = 8.0  # seconds to wait for a free worker; bots go first
_MOST_ASKING = 8  # people for each worker who wait for advice
_ADVISER = "doge"
_SUBSTITUTE = "greedy"  # for levels that are not installed
_LAST_TURNS = 4  # few enough to be looked at completely
_LONGEST_WAIT = 10.0  # seconds for a bot's answer, as far as thinking less can help


@dataclass(frozen=True, slots=True)
class Question:
    """What a worker process is asked: everything it gets to know."""

    view: View
    bot: str  # as in `make_bot`
    seed: int
    advice: bool = False  # whether it is to tell of several turns


def first_questions() -> Iterator[Question]:
    """Yield questions whose answers need everything there is to compile."""
    game = Game(Options(players=2), seed=1)
    view = game.view(game.seat)
    yield Question(view, "merchant", 1)
    yield Question(view, "mcts:1", 1)
    while turns_left(view) > _LAST_TURNS:
        game.play(view.legal[0])
        view = game.view(game.seat)
    yield Question(view, "mcts:2000", 1, advice=True)  # all its turns are computed exactly


class Busy(Exception):
    """The workers have too much to do to give advice."""


class Thinkers:
    """A fixed number of worker processes; whoever asks waits for a free one."""

    def __init__(self, count: int = 0, *, limit: float = LIMIT) -> None:
        self.count = count or max(1, (os.cpu_count() or 2) - 1)
        self._limit = limit
        self._workers = tuple(Worker() for _ in range(self.count))
        self._free = list(self._workers)
        self._turnstile = Turnstile(self.count)
        self._threads = ThreadPoolExecutor(self.count, "patrizier-think")
        self.waiting = 0  # questions without an answer
        self._asking = 0  # people who wait for advice
        self.failures = 0  # answers that were none

    async def choose(self, view: View, level: str, seed: int | None = None) -> Move:
        """Return a legal turn: the bot's, or any if the bot fails."""
        seed = secrets.randbits(64) if seed is None else seed
        self.waiting += 1
        question = Question(view, bot_of(level, self.waiting / self.count), seed)
        try:
            async with self._turnstile.passed():
                answer = await self._ask(question, self._limit)
        finally:
            self.waiting -= 1
        for move in view.legal:
            if str(move) == answer:
                return move
        self.failures += 1
        # What it answered stays untold: that may be a card of its hand.
        code = answer if answer.startswith("!") else "illegal"
        log.warning("a bot gave no legal move", extra={"kind": question.bot, "code": code})
        return view.legal[seed % len(view.legal)]

    async def advise(self, view: View) -> tuple[Candidate, ...]:
        """Return the best bot's turns for a view, the best first; bots at tables go first.

        Raises `Busy` when there is too much to do.
        """
        if self._asking >= _MOST_ASKING * self.count:
            raise Busy
        self._asking += 1
        question = Question(view, bot_of(_ADVISER, self.waiting), secrets.randbits(64), advice=True)
        try:
            async with (
                asyncio.timeout(ADVICE_WITHIN) as patience,
                self._turnstile.passed(urgent=False),
            ):
                patience.reschedule(None)
                answer = await self._ask(question, self._limit)
        except TimeoutError:
            raise Busy from None
        finally:
            self._asking -= 1
        return _read_advice(answer, view)

    async def warm_up(self) -> None:
        """Start all workers and let them compile, so that the first game does not wait for it."""
        for question in first_questions():
            await asyncio.gather(*(self._warm_up(question) for _ in self._workers))

    async def _warm_up(self, question: Question) -> None:
        async with self._turnstile.passed():
            await self._ask(question, _STARTING)

    async def close(self) -> None:
        """End all workers, whatever they are doing."""
        for worker in self._workers:
            worker.interrupt()
        await asyncio.to_thread(self._threads.shutdown)
        for worker in self._workers:
            worker.kill()

    async def _ask(self, question: Question, limit: float) -> str:
        worker = self._free.pop()
        job = asyncio.get_running_loop().run_in_executor(self._threads, worker.ask, question, limit)
        try:
            return await job
        except (OSError, EOFError) as error:
            return f"!{type(error).__name__}"
        finally:
            self._free.append(worker)


class Worker:
    """One process. It is started when it is needed, and again when it has died."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None
        self._is_new = True  # nothing has been asked yet
        self._lock = Lock()  # who gives up waiting leaves a question behind

    def start(self) -> None:
        """Start the process if it is not running."""
        if self._process is not None and self._process.is_alive():
            return
        self.kill()
        context = multiprocessing.get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        self._is_new = True
        theirs.close()  # so that the line ends when the process does

    def ask(self, question: Question, limit: float) -> str:
        """Return the text of a move, or ``!`` and what went wrong.

        Raises OSError (TimeoutError is one) or EOFError, and then the process is gone.
        """
        with self._lock:
            self.start()
            assert self._line is not None
            patience = limit + (_STARTING if self._is_new else 0.0)
            try:
                self._line.send((question, patience))
                if not self._line.poll(patience):
                    raise TimeoutError
                longest = _LONGEST_ADVICE if question.advice else _LONGEST
                answer = self._line.recv_bytes(longest).decode("ascii", "replace")
            except (OSError, EOFError):
                self.kill()
                raise
            self._is_new = False
            return answer

    def interrupt(self) -> None:
        """Make the process end; whoever waits for its answer gets an EOFError."""
        if self._process is not None and self._process.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGTERM)

    def kill(self) -> None:
        """End the process at once."""
        process, line = self._process, self._line
        self._process = self._line = None
        if process is not None:
            process.kill()
            process.join()
            process.close()
        if line is not None:
            line.close()


def bot_of(level: str, load: float = 1) -> str:
    """Return what `make_bot` calls a level, given how many questions wait for each worker.

    The one who thinks for a time thinks less when many wait, so that nobody waits for long.

    >>> bot_of("merchant"), bot_of("doge"), bot_of("doge", load=50)
    ('merchant', 'doge', 'mcts:200ms')
    """
    if level == "doge" and load > _LONGEST_WAIT:
        return f"mcts:{max(20, round(1000 * _LONGEST_WAIT / load))}ms"
    return level if level in _installed() else _SUBSTITUTE


@cache
def _installed() -> frozenset[str]:
    return frozenset(bot_names())


def _serve(line: Connection) -> None:
    """Answer questions until nobody asks any more: the life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    while True:
        try:
            question, patience = line.recv()
            _set_alarm(2 * patience)  # also if the server is gone by then
            longest = _LONGEST_ADVICE if question.advice else _LONGEST
            line.send_bytes(think(question).encode()[:longest])
            _set_alarm(0)
        except (EOFError, OSError):
            return


def think(question: Question) -> str:
    """Return the text of the bot's move, or ``!`` and what went wrong."""
    try:
        bot, rng = make_bot(question.bot), np.random.default_rng(question.seed)
        if question.advice:
            return _advice(bot.explain(question.view, rng), question.view)
        answer: object = bot.choose(question.view, rng)
    except Exception as error:
        return f"!{type(error).__name__}"  # not what it says: that may tell of a hand
    return str(answer) if isinstance(answer, Move) else "!no move"


def _advice(found: Sequence[Candidate], view: View) -> str:
    """Return the best of a bot's candidates as text, no two of them for the same turn.

    Before the refill turns that differ only in the messenger are the same: who lays one decides
    that later, with a new card in sight.
    """
    best: dict[str, Candidate] = {}
    for candidate in found:
        turn = candidate.move.text
        best.setdefault(turn.partition("@")[0] if view.phase != "messenger" else turn, candidate)
    told = [
        [
            each.move.text,
            [round(share, 4) for share in each.shares],
            [round(points, 2) for points in each.points],
            each.exact,
        ]
        for each in list(best.values())[:MOST_ADVICE]
    ]
    return json.dumps(told)


def _read_advice(answer: str, view: View) -> tuple[Candidate, ...]:
    """Read what `_advice` wrote, as far as it is of use; a bot that failed has none."""
    legal = {move.text: move for move in view.legal}
    if answer.startswith("!"):
        log.warning("a bot gave no advice", extra={"code": answer})
        return ()
    return tuple(
        Candidate(legal[move], tuple(shares), tuple(points), 0.0, exact)
        for move, shares, points, exact in json.loads(answer)
        if move in legal
    )


def _set_alarm(seconds: float) -> None:
    """Let the system end this process then, even within compiled code."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
