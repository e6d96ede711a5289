"""Analyses on a server: progress, cancelling, giving way to bots, and restarts."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from analysis.games import random_game
from patrizier.ptr import GameRecord
from patrizier.server.errors import Declined
from patrizier.server.jobs.analyses import Analyses, Progress
from patrizier.server.reasons import Reason
from patrizier.server.store.sql import SqlStore
from patrizier.server.workers.analyst import Analyst, Step

pytestmark = pytest.mark.anyio

_GAMES = [random_game(2, seed, turns=3).record(("Anna", "Ben")) for seed in range(3)]


class Puppet(Analyst):
    """An analyst without a process: every step has to be allowed."""

    def __init__(self, steps: int = 3) -> None:
        super().__init__()
        self.steps = steps
        self.begun: list[str] = []
        self.allowed = asyncio.Semaphore(0)
        self.killed = 0
        self._done = 0
        self._loop = asyncio.get_running_loop()

    def begin(self, record: str, *, deep: bool) -> None:
        self.begun.append(record)
        self._done = 0

    def step(self) -> Step:
        killed = self.killed
        asyncio.run_coroutine_threadsafe(self.allowed.acquire(), self._loop).result(30)
        if self.killed > killed:
            raise EOFError
        self._done += 1
        body = json.dumps({"step": self._done}).encode()
        return Step(self._done, self._done == self.steps, body)

    def kill(self) -> None:
        self.killed += 1
        self._loop.call_soon_threadsafe(self.allowed.release)

    def allow(self, steps: int = 1) -> None:
        for _ in range(steps):
            self.allowed.release()


@asynccontextmanager
async def working(store: SqlStore, puppet: Puppet, **given: Any) -> AsyncIterator[Analyses]:
    analyses = Analyses(store.analyses, lambda: 0.0, analyst=puppet, **given)
    task = asyncio.create_task(analyses.run())
    try:
        yield analyses
    finally:
        task.cancel()
        puppet.allow(10)
        await asyncio.gather(task, return_exceptions=True)


async def until_done(analyses: Analyses, key: str) -> Progress:
    async with asyncio.timeout(30):
        return await analyses.progress(key, after=1000, wait=30)


async def test_two_people_get_one_computation(store: SqlStore) -> None:
    puppet = Puppet()
    puppet.allow(6)
    async with working(store, puppet) as analyses:
        first = await analyses.ask(_GAMES[0], "anna", deep=False)
        second = await analyses.ask(_GAMES[0], "ben", deep=False)
        assert first == second
        assert (await until_done(analyses, first)).state == "done"
        again = await analyses.ask(_GAMES[0], "carla", deep=False)
        assert json.loads((await analyses.progress(again)).body) == {"step": 3}
    assert len(puppet.begun) == analyses.computed == 1


async def test_names_are_not_stored_and_do_not_matter(store: SqlStore) -> None:
    puppet = Puppet()
    puppet.allow(3)
    other = GameRecord({**_GAMES[0].tags, "Names": "Carla/Dan"}, _GAMES[0].moves)
    async with working(store, puppet) as analyses:
        key = await analyses.ask(_GAMES[0], "anna", deep=False)
        assert await analyses.ask(other, "anna", deep=False) == key
        await until_done(analyses, key)
    assert "Anna" not in puppet.begun[0]


async def test_progress_is_told_step_by_step(store: SqlStore) -> None:
    puppet = Puppet()
    async with working(store, puppet) as analyses:
        key = await analyses.ask(_GAMES[0], "anna", deep=False)
        assert (await analyses.progress(key)).body == b""
        for number in (1, 2):
            puppet.allow()
            found = await analyses.progress(key, after=number - 1, wait=30)
            assert (found.state, found.judged) == ("running", number)
            assert json.loads(found.body) == {"step": number}
        puppet.allow()
        assert (await until_done(analyses, key)).judged == 3


async def test_the_curve_is_waited_for(store: SqlStore) -> None:
    class First(Puppet):
        """Its first step judges nothing yet."""

        def step(self) -> Step:
            return super().step()._replace(judged=self._done - 1)

    puppet = First()
    async with working(store, puppet) as analyses:
        key = await analyses.ask(_GAMES[0], "anna", deep=False)
        waiting = asyncio.ensure_future(analyses.progress(key, after=-1, wait=30))
        async with asyncio.timeout(30):
            while not puppet.begun:
                await asyncio.sleep(0)
        assert not waiting.done()
        puppet.allow()
        found = await waiting
        assert (found.judged, json.loads(found.body)) == (0, {"step": 1})


async def test_a_killed_server_finishes_after_its_restart(store: SqlStore) -> None:
    puppet = Puppet()
    async with working(store, puppet) as analyses:
        key = await analyses.ask(_GAMES[0], "anna", deep=False)
        puppet.allow()
        await analyses.progress(key, after=0, wait=30)
    again = Puppet()
    again.allow(3)
    async with working(store, again) as analyses:
        assert (await until_done(analyses, key)).state == "done"
    assert again.begun == puppet.begun


async def test_cancelling_stops_the_work_and_the_next_is_taken(store: SqlStore) -> None:
    puppet = Puppet()
    async with working(store, puppet) as analyses:
        first = await analyses.ask(_GAMES[0], "anna", deep=False)
        puppet.allow()
        await analyses.progress(first, after=0, wait=30)
        waiting = asyncio.ensure_future(analyses.progress(first, after=10, wait=600))
        await asyncio.sleep(0)
        await analyses.cancel("anna", first)
        with pytest.raises(Declined) as refused:
            await waiting
        assert refused.value.reason is Reason.NO_ANALYSIS
        puppet.allow(5)
        second = await analyses.ask(_GAMES[1], "anna", deep=False)
        assert (await until_done(analyses, second)).state == "done"
    assert puppet.killed >= 1


async def test_who_has_an_analysis_hears_of_the_deep_one(store: SqlStore) -> None:
    puppet = Puppet()
    puppet.allow(3)
    async with working(store, puppet) as analyses:
        key = await analyses.ask(_GAMES[0], "anna", deep=False)
        assert (await until_done(analyses, key)).deeper is None
        deep = await analyses.ask(_GAMES[0], "ben", deep=True)
        assert deep != key
        puppet.allow()
        await analyses.progress(deep, after=0, wait=30)
        assert (await analyses.progress(key)).deeper == "running"
        puppet.allow(2)
        await until_done(analyses, deep)
        assert (await analyses.progress(key)).deeper == "done"
    assert len(puppet.begun) == 2


async def test_bots_go_first(store: SqlStore) -> None:
    puppet, busy = Puppet(), [True]
    puppet.allow(3)
    async with working(store, puppet, busy=lambda: busy[0]) as analyses:
        key = await analyses.ask(_GAMES[0], "anna", deep=False)
        async with asyncio.timeout(30):
            while not puppet.begun:
                await asyncio.sleep(0)
        assert (await analyses.progress(key)).judged == 0
        busy[0] = False
        assert (await until_done(analyses, key)).state == "done"


async def test_limits_are_told_as_refusals(store: SqlStore) -> None:
    puppet = Puppet()
    async with working(store, puppet, most_a_day=1) as analyses:
        key = await analyses.ask(_GAMES[0], "anna", deep=False)
        with pytest.raises(Declined) as refused:
            await analyses.ask(_GAMES[1], "anna", deep=False)
        assert refused.value.reason is Reason.ANALYSIS_RUNNING
        assert refused.value.values == {"key": key}
        puppet.allow(3)
        await until_done(analyses, key)
        with pytest.raises(Declined) as refused:
            await analyses.ask(_GAMES[1], "anna", deep=False)
        assert refused.value.reason is Reason.ANALYSES_TODAY


async def test_a_process_that_dies_is_tried_again(store: SqlStore) -> None:
    puppet = Puppet()
    async with working(store, puppet) as analyses:
        key = await analyses.ask(_GAMES[0], "anna", deep=False)
        async with asyncio.timeout(30):
            while not puppet.begun:
                await asyncio.sleep(0)
        puppet.kill()
        async with asyncio.timeout(30):
            while (await store.analyses.get(key, 1e9)) is None:
                await asyncio.sleep(0)
    again = Puppet()
    again.allow(3)
    later = Analyses(store.analyses, lambda: 1e6, analyst=again)
    task = asyncio.create_task(later.run())
    try:
        assert (await until_done(later, key)).state == "done"
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
