import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from patrizier import Game, Options
from patrizier.server.workers.account import Account
from patrizier.server.workers.guest_bots import GuestBot
from patrizier.server.workers.pool import Answer, Busy, SeatKey, WorkerPool
from patrizier.server.workers.question import Question
from patrizier.server.workers.worker import Worker
from patrizier.view import View

pytestmark = pytest.mark.anyio

BOTS = """
import os, time
from patrizier.bots.base import Bot

class Sleeper(Bot):
    name, about = "sleeper", "Never answers."
    def choose(self, view, rng):
        time.sleep(600)

class Dier(Bot):
    name, about = "dier", "Takes its process along."
    def choose(self, view, rng):
        os._exit(1)

class Raiser(Bot):
    name, about = "raiser", "Raises."
    def choose(self, view, rng):
        raise RuntimeError(f"my hand is {view.seats[0].hand}")

class Counter(Bot):
    name, about = "counter", "Plays the first turn, then the second, and so on."
    asked = 0
    def choose(self, view, rng):
        self.asked += 1
        return view.legal[self.asked - 1]

class Dozer(Counter):
    def choose(self, view, rng):
        if self.asked:
            time.sleep(600)
        return super().choose(view, rng)

class Liar(Bot):
    name, about = "liar", "Answers something else."
    def choose(self, view, rng):
        return "BO1:LL"
"""


ANNA, BEN = Account("1.1.1.1", "anna"), Account("2.2.2.2", "ben")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "strange_bots.py").write_text(BOTS)
    monkeypatch.syspath_prepend(tmp_path)  # worker processes take the path over


@asynccontextmanager
async def a_pool(count: int = 1, **choices: Any) -> AsyncIterator[WorkerPool]:
    """Return a pool for bots of any path, not only for levels."""
    pool = WorkerPool(count, limit=30, bot_of=lambda level: level, **choices)
    yield pool
    await pool.close()


@pytest.fixture
async def pool(path: None) -> AsyncIterator[WorkerPool]:
    async with a_pool() as pool:
        yield pool


async def choose(
    pool: WorkerPool, view: View, level: str, seat: SeatKey | None = None, account: Account = ANNA
) -> Answer:
    async with pool.place(account) as place:
        return await place.choose(view, level, seat)


def a_view(seed: int = 1) -> View:
    return Game(Options(players=2, rules={"messengers"}), seed=seed).view(
        Game(Options(players=2, rules={"messengers"}), seed=seed).seat
    )


async def test_bots_answer_and_bad_ones_are_replaced_by_a_legal_move(
    pool: WorkerPool, caplog: pytest.LogCaptureFixture
) -> None:
    view = a_view()
    assert (await choose(pool, view, "greedy")).move in view.legal
    assert pool.failures == 0
    strange = {
        "strange_bots.Raiser": "!RuntimeError",
        "strange_bots.Liar": "!no move",
        "strange_bots.Dier": "!EOFError",
        "no.Bot": "!ValueError",
    }
    for bot, code in strange.items():
        caplog.clear()
        assert (await choose(pool, view, bot)).move in view.legal
        assert [record.__dict__["code"] for record in caplog.records] == [code]
    assert pool.failures == 4
    assert (await choose(pool, view, "greedy")).move in view.legal
    assert pool.failures == 4
    pool.limit = 0.3
    assert (await choose(pool, view, "strange_bots.Sleeper")).move in view.legal
    assert pool.failures == 5
    pool.limit = 30
    assert (await choose(pool, view, "greedy")).move in view.legal
    assert pool.failures == 5


async def test_a_guest_bot_plays_under_its_own_name_and_is_replaced_when_it_hangs(
    path: None, caplog: pytest.LogCaptureFixture
) -> None:
    quick = GuestBot("guest:quick", "strange_bots.Counter", "")
    slow = GuestBot("guest:slow", "strange_bots.Sleeper", "")
    view = a_view()
    async with a_pool(guests=[quick, slow]) as pool:
        assert pool.steps_before("guest:slow", view.options) == {"rules", "deals"}
        assert (await choose(pool, view, "guest:quick")).move == view.legal[0]
        assert pool.failures == 0
        pool.limit = 0.3
        assert (await choose(pool, view, "guest:slow")).move in view.legal
        assert pool.failures == 1
        pool.limit = 30
        assert (await choose(pool, view, "guest:quick")).move == view.legal[0]
    told = [(each.__dict__["kind"], each.__dict__["code"]) for each in caplog.records]
    assert told == [("strange_bots.Sleeper", "!TimeoutError")]


async def test_a_killed_worker_is_replaced(pool: WorkerPool) -> None:
    view = a_view()
    assert (await choose(pool, view, "greedy")).move in view.legal
    (worker,) = pool.workers
    (process,) = (each for each in active_children() if each.pid == worker.pid)
    process.kill()
    process.join(10)
    assert (await choose(pool, view, "greedy")).move in view.legal
    assert pool.failures == 0


async def test_an_interrupted_worker_does_not_start_again() -> None:
    worker = Worker()
    worker.interrupt()
    with pytest.raises(EOFError):
        worker.ask(Question(a_view(), "greedy", 1), limit=1)
    assert worker.pid is None


async def test_who_gives_up_waiting_harms_nobody(pool: WorkerPool) -> None:
    views = [a_view(seed) for seed in range(4)]
    questions = [asyncio.create_task(choose(pool, view, "greedy")) for view in views]
    while pool.waiting("1.1.1.1") < 3:
        await asyncio.sleep(0)
    questions[0].cancel()
    questions[2].cancel()
    for number in (1, 3):
        assert (await questions[number]).move in views[number].legal
    assert pool.waiting("1.1.1.1") == 0
    assert pool.failures == 0


async def test_closing_does_not_wait_for_a_bot(pool: WorkerPool) -> None:
    question = asyncio.create_task(choose(pool, a_view(), "strange_bots.Sleeper"))
    while pool.workers[0].pid is None:
        await asyncio.sleep(0.01)
    await pool.close()  # it would sleep for ten minutes
    await question


async def test_a_bot_that_fails_has_no_advice(path: None) -> None:
    for adviser in ("strange_bots.Dier", "no.Bot"):
        async with a_pool(adviser=adviser) as pool:
            assert await pool.advise(a_view(), ANNA) == ()  # it explains nothing


async def test_only_so_many_wait_for_advice(path: None) -> None:
    async with a_pool(advice_within=0.2) as pool:
        busy = asyncio.create_task(choose(pool, a_view(), "strange_bots.Sleeper"))
        while pool.workers[0].pid is None:
            await asyncio.sleep(0.01)
        answers = await asyncio.gather(
            *(pool.advise(a_view(), ANNA) for _ in range(20)), return_exceptions=True
        )
        assert all(isinstance(answer, Busy) for answer in answers)
        await pool.close()
        await busy


async def test_who_asks_for_advice_too_often_leaves_room_for_others(path: None) -> None:
    async with a_pool(advice_within=600, adviser="greedy") as pool:
        async with pool.place(ANNA):
            many = [asyncio.create_task(pool.advise(a_view(), ANNA)) for _ in range(20)]
            await asyncio.sleep(0)
            one = asyncio.create_task(pool.advise(a_view(), BEN))
            await asyncio.sleep(0)
            assert not one.done()  # others are refused, not he
        assert await one == ()  # greedy explains nothing
        found = await asyncio.gather(*many, return_exceptions=True)
        assert sum(isinstance(each, Busy) for each in found) >= 15


async def test_advice_is_legal_and_waits_for_bots(path: None) -> None:
    async with a_pool(advice_within=600) as pool:
        view = a_view()
        found = await pool.advise(view, ANNA)
        assert 2 <= len(found) <= 3
        assert {candidate.move for candidate in found} <= set(view.legal)
        order = list[str]()

        async def ask(name: str) -> None:
            if name == "advice":
                await pool.advise(view, ANNA)
            else:
                await choose(pool, view, "greedy")
            order.append(name)

        async with asyncio.TaskGroup() as group:
            for name in ("bot 1", "advice", "bot 2", "bot 3"):
                group.create_task(ask(name))
        assert order == ["bot 1", "bot 2", "bot 3", "advice"]


async def test_a_seats_bot_remembers_what_it_was_asked_before(path: None) -> None:
    async with a_pool(2) as pool:
        view, answers = a_view(), list[str]()
        for _ in range(3):
            answer = await choose(pool, view, "strange_bots.Counter", ("table", 0))
            answers.append(str(answer.move))
        assert answers == [str(move) for move in view.legal[:3]]
        others = [
            await choose(pool, view, "strange_bots.Counter", ("table", 1)),  # another seat
            await choose(pool, view, "strange_bots.Counter", ("other table", 0)),
            await choose(pool, view, "strange_bots.Counter"),  # nobody's
        ]
        assert {str(answer.move) for answer in others} == {str(view.legal[0])}


async def test_nobody_waits_for_the_worker_of_their_seat(path: None) -> None:
    async with a_pool(2) as pool:
        view, seat = a_view(), ("table", 0)
        await choose(pool, view, "strange_bots.Dozer", seat)
        home = pool.free[-1]
        busy = asyncio.create_task(choose(pool, view, "strange_bots.Dozer", seat))
        await asyncio.sleep(0)
        assert home not in pool.free
        answer = await choose(pool, view, "strange_bots.Dozer", seat)
        assert answer.move == view.legal[0], "it is a new bot, which is awake"
        assert not busy.done()
        await pool.close()
        await busy


class Quick(WorkerPool):
    """Answers at once, without a process."""

    questions: list[Question]

    async def _ask(self, question: Question, limit: float, home: object = None) -> str:
        await asyncio.sleep(0)
        self.questions.append(question)
        return str(question.view.legal[0])


async def test_the_longest_thinker_thinks_less_when_many_wait() -> None:
    pool, view = Quick(1), a_view()
    pool.questions = []
    many = [asyncio.create_task(choose(pool, view, "doge")) for _ in range(60)]
    await asyncio.sleep(0)
    other = await choose(pool, view, "doge", account=BEN)
    assert other.seconds is None  # who does not ask for much has all the time
    given = [answer.seconds for answer in await asyncio.gather(*many)]
    assert given[-1] is None  # nobody waited any more
    assert given[30] is not None
    assert all(each is None or 0.02 <= each < 1 for each in given)
    asked = [question.seconds for question in pool.questions]
    assert sorted(asked, key=str) == sorted([*given, other.seconds], key=str)
    quick = [asyncio.create_task(choose(pool, view, "banker")) for _ in range(60)]
    assert {answer.seconds for answer in await asyncio.gather(*quick)} == {None}
