"""Analyses of games: one queue, one process per server, with lower priority than bots.

A request is stored before it is acknowledged, so a killed server resumes its queue. Two people who
ask for the same game wait for the same job.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from patrizier.analysis.analyser import record_hash
from patrizier.analysis.shelf import deep_key, key_of
from patrizier.ptr import GameRecord
from patrizier.server.errors import Declined
from patrizier.server.logs import log
from patrizier.server.reasons import Reason
from patrizier.server.store.base import AnalysisStore, EnoughToday, OneAtATime
from patrizier.server.store.rows import AnalysisJob, StoredAnalysis
from patrizier.server.workers.analyst import Analyst, Step, packed, unpacked

LEASE = 30.0  # seconds for which a job is locked, renewed while the server lives
_LOOK_EVERY = 20.0  # seconds between looks for jobs of servers that died
_STORE_EVERY = 2.0  # seconds between steps that are stored
_GIVE_WAY = 0.05  # seconds between looks whether bots still think
_MOST_PATIENT = 5.0  # seconds to wait for them before each step
_NAMELESS = ("Game", "Version", "Players", "Rules", "Deck", "Cards", "Start", "Deal")


@dataclass(frozen=True, slots=True)
class Progress:
    """An analysis, and its progress."""

    key: str
    state: str  # waiting, running, done or failed
    judged: int
    turns: int
    ahead: int  # analyses before it in the queue
    body: bytes  # JSON of the analysis so far; empty: nothing yet
    deeper: str | None = None  # state of the deep analysis of the same game; None: nobody has asked


class Analyses:
    """Queues analyses, works on them, and reports progress."""

    def __init__(
        self,
        store: AnalysisStore,
        now: Callable[[], float],
        *,
        busy: Callable[[], bool] = lambda: False,
        most_a_day: int = 20,
        analyst: Analyst | None = None,
    ) -> None:
        self._store = store
        self._now = now
        self._busy = busy  # whether bots are thinking
        self._most_a_day = most_a_day
        self._analyst = analyst or Analyst()
        self._news = asyncio.Event()  # something was asked for
        self._moved = asyncio.Event()  # an analysis has made progress
        self._key = ""  # of the analysis that this server is working on
        self._step: Step | None = None  # of that analysis, the last one
        self.computed = 0  # games begun by this server

    async def ask(self, record: GameRecord, person: str, *, deep: bool) -> str:
        """Ask for an analysis; return its key. Raises Declined."""
        game = record.game()
        key = self.key_of(record, deep=deep)
        tags = {name: record.tags[name] for name in _NAMELESS if name in record.tags}
        job = AnalysisJob(key, str(GameRecord(tags, record.moves)), deep)
        try:
            await self._store.ask(job, game.turn, person, self._now(), self._most_a_day)
        except OneAtATime as other:
            raise Declined(429, Reason.ANALYSIS_RUNNING, key=other.key) from None
        except EnoughToday:
            raise Declined(429, Reason.ANALYSES_TODAY, most=self._most_a_day) from None
        self._news.set()
        return key

    @staticmethod
    def key_of(record: GameRecord, *, deep: bool = False) -> str:
        """Return the key under which the analysis of a game is stored."""
        return key_of(record_hash(record.game()), deep=deep)

    async def cancel(self, person: str, key: str) -> None:
        """Stop waiting for an analysis; if nobody else waits for it, it is stopped."""
        if await self._store.cancel(person, key) and key == self._key:
            self._analyst.kill()  # its step fails, and the next job is taken
        self._tell()  # wake those who wait for its progress

    async def progress(self, key: str, after: int = -1, wait: float = 0.0) -> Progress:
        """Return an analysis and its progress; wait until more than ``after`` turns are judged.

        With -1, wait for the curve, which comes before all judgements.
        Raises Declined if nobody has asked for it.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(wait):
                while True:
                    moved = self._moved
                    found = await self._progress(key)
                    news = bool(found.body) and found.judged > after
                    if wait <= 0.0 or news or found.state in ("done", "failed"):
                        return found
                    await moved.wait()
        return await self._progress(key)

    async def _progress(self, key: str) -> Progress:
        found = await self._store.get(key, self._now())
        if found is None:
            raise Declined(404, Reason.NO_ANALYSIS)
        step = self._step if key == self._key else None
        if step is not None and not found.done:
            return Progress(key, "running", step.judged, found.turns, found.ahead, step.body)
        body = unpacked(found.body) if found.body else b""
        state = _state(found)
        deep = await self._store.get(deep_key(key), self._now()) if found.done else None
        deeper = _state(deep) if deep else None
        return Progress(key, state, found.judged, found.turns, found.ahead, body, deeper)

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            self._news.clear()
            job = None
            try:
                job = await self._store.take(self._now(), self._now() + LEASE)
                if job is not None:
                    await self._work(job)
            except asyncio.CancelledError:
                await asyncio.to_thread(self._analyst.kill)
                if job is not None:
                    await asyncio.shield(self._store.release(job.key))
                raise
            except Exception:
                log.exception("an analysis failed")
                await asyncio.to_thread(self._analyst.kill)
                if job is not None:
                    await self._store.release(job.key, failed=True)
            finally:
                self._key, self._step = "", None
            if job is None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_EVERY):
                        await self._news.wait()

    async def _work(self, job: AnalysisJob) -> None:
        """Analyse a game, step by step."""
        self._key, self.computed = job.key, self.computed + 1
        await asyncio.to_thread(self._analyst.begin, job.record, deep=job.deep)
        stored = -_STORE_EVERY
        while True:
            await self._give_way()
            try:
                step = await self._next_step(job.key)
            except (OSError, EOFError):
                if await self._store.get(job.key, self._now()) is not None:
                    log.warning("an analysis was not finished", extra={"code": job.key})
                    raise
                return  # cancelled: nobody waits for it any more
            self._step = step
            if step.done or self._now() - stored >= _STORE_EVERY:
                until = None if step.done else self._now() + LEASE
                if not await self._store.store(job.key, step.judged, packed(step.body), until):
                    await asyncio.to_thread(self._analyst.kill)
                    return
                stored = self._now()
            self._tell()
            if step.done:
                return

    async def _next_step(self, key: str) -> Step:
        """Wait for a step, which may take long, and keep the job locked meanwhile."""
        step = asyncio.ensure_future(asyncio.to_thread(self._analyst.step))
        try:
            while not (await asyncio.wait({step}, timeout=LEASE / 3))[0]:
                await self._store.extend(key, self._now() + LEASE)
        except asyncio.CancelledError:
            step.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise
        return step.result()

    async def _give_way(self) -> None:
        """Wait while bots think, but not forever: on a busy server some always do."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_MOST_PATIENT):
                while self._busy():
                    await asyncio.sleep(_GIVE_WAY)

    def _tell(self) -> None:
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()


def _state(found: StoredAnalysis) -> str:
    if found.done:
        return "done"
    if found.failed:
        return "failed"
    return "running" if found.taken else "waiting"
