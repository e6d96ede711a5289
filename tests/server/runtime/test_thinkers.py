import asyncio
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from kinds import RULES, STARRY, for_every
from patrizier import Game, Options
from patrizier.server.runtime.thinkers import Busy, Question, Thinkers, bot_of, think
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

class Liar(Bot):
    name, about = "liar", "Answers something else."
    def choose(self, view, rng):
        return "BO1:LL"
"""


# Bots answer the first questions, then all that is asked in whole games; tells what had to be
# compiled, or read from the cache, only for these.
WARM = """
import gc
from numba.core.dispatcher import Dispatcher
from patrizier import Game, Options
from patrizier.server.runtime.thinkers import Question, first_questions, think

def ready():
    found = {each for each in gc.get_objects() if isinstance(each, Dispatcher)}
    return {(each.py_func.__name__, str(sign)) for each in found for sign in each.signatures}

for question in first_questions():
    think(question)
before = ready()
for players, rules in ((2, ()), (4, ("messengers",))):
    game = Game(Options(players, rules), seed=2)
    while not game.is_over:
        view = game.view(game.seat)
        for bot in ("apprentice", "merchant", "banker", "mcts:20ms"):
            think(Question(view, bot, 1))
        think(Question(view, "mcts:20ms", 1, advice=True))
        game.play(view.legal[0])
print(sorted({name for name, _ in ready() - before}))
"""


@pytest.fixture
async def thinkers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Thinkers]:
    (tmp_path / "strange_bots.py").write_text(BOTS)
    monkeypatch.syspath_prepend(tmp_path)  # worker processes take the path over
    # Levels come from a fixed list; here any path will do.
    monkeypatch.setattr("patrizier.server.runtime.thinkers.bot_of", lambda level, load: level)
    thinkers = Thinkers(1, limit=30)
    yield thinkers
    await thinkers.close()


def a_view(seed: int = 1) -> View:
    return Game(Options(players=2, rules={"messengers"}), seed=seed).view(
        Game(Options(players=2, rules={"messengers"}), seed=seed).seat
    )


async def test_bots_answer_and_bad_ones_are_replaced_by_a_legal_move(
    thinkers: Thinkers, caplog: pytest.LogCaptureFixture
) -> None:
    view = a_view()
    assert await thinkers.choose(view, "greedy") in view.legal
    assert thinkers.failures == 0
    strange = {
        "strange_bots.Raiser": "!RuntimeError",
        "strange_bots.Liar": "!no move",
        "strange_bots.Dier": "!EOFError",
        "no.Bot": "!ValueError",
    }
    for bot, code in strange.items():
        caplog.clear()
        assert await thinkers.choose(view, bot, seed=5) == view.legal[5 % len(view.legal)]
        assert [record.__dict__["code"] for record in caplog.records] == [code]
    assert thinkers.failures == 4
    assert await thinkers.choose(view, "greedy") in view.legal
    assert thinkers.failures == 4
    thinkers._limit = 0.3
    begin = time.monotonic()
    assert await thinkers.choose(view, "strange_bots.Sleeper") in view.legal
    assert time.monotonic() - begin < 5
    assert thinkers.failures == 5
    thinkers._limit = 30
    assert await thinkers.choose(view, "greedy") in view.legal
    assert thinkers.failures == 5


def test_no_game_waits_for_the_compiler_after_the_first_questions() -> None:
    done = subprocess.run([sys.executable, "-c", WARM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


async def test_a_killed_worker_is_replaced(thinkers: Thinkers) -> None:
    view = a_view()
    await thinkers.warm_up()
    (worker,) = thinkers._workers
    assert worker._process is not None
    assert worker._process.pid is not None
    os.kill(worker._process.pid, signal.SIGKILL)
    worker._process.join(10)
    assert await thinkers.choose(view, "greedy") in view.legal
    assert thinkers.failures == 0


async def test_who_gives_up_waiting_harms_nobody(thinkers: Thinkers) -> None:
    views = [a_view(seed) for seed in range(4)]
    questions = [asyncio.create_task(thinkers.choose(view, "greedy")) for view in views]
    await asyncio.sleep(0.05)
    assert thinkers.waiting == 4
    questions[0].cancel()
    questions[2].cancel()
    for number in (1, 3):
        assert await questions[number] in views[number].legal
    assert thinkers.waiting == 0
    assert thinkers.failures == 0


async def test_closing_does_not_wait_for_a_bot(thinkers: Thinkers) -> None:
    question = asyncio.create_task(thinkers.choose(a_view(), "strange_bots.Sleeper"))
    await asyncio.sleep(1)
    begin = time.monotonic()
    await thinkers.close()
    assert time.monotonic() - begin < 5
    await question


def test_the_same_seed_gives_the_same_answer() -> None:
    view = a_view()
    question = Question(view, "ismcts:50", seed=3)
    assert think(question) == think(question)


def test_levels_that_are_not_installed_have_a_substitute() -> None:
    assert bot_of("greedy") == "greedy"
    assert bot_of("os.system") == "greedy"
    assert bot_of("mcts:1000000") == "greedy"


@for_every([Options(3, rules, STARRY) for rules in RULES], ())
def test_what_a_worker_gets_does_not_depend_on_hidden_cards(options: Options) -> None:
    game = Game(options, seed=11)
    rng = np.random.default_rng(4)
    while not game.is_over:
        assert game.seat is not None
        view = game.view(game.seat)
        sent = pickle.dumps(Question(view, "greedy", 1))
        other = View.of(view.sample(rng), view.viewer, game.records)
        assert pickle.dumps(Question(other, "greedy", 1)) == sent
        for _ in range(3):
            if not game.is_over:
                game.play(game.legal_moves[int(rng.integers(len(game.legal_moves)))])


async def test_a_bot_that_fails_has_no_advice(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("patrizier.server.runtime.thinkers._ADVISER", "strange_bots.Dier")
    assert await thinkers.advise(a_view()) == ()  # it explains nothing
    monkeypatch.setattr("patrizier.server.runtime.thinkers._ADVISER", "no.Bot")
    assert await thinkers.advise(a_view()) == ()


async def test_only_so_many_wait_for_advice(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("patrizier.server.runtime.thinkers.ADVICE_WITHIN", 0.5)
    busy = asyncio.create_task(thinkers.choose(a_view(), "strange_bots.Sleeper"))
    await asyncio.sleep(0.1)
    begin = time.monotonic()
    answers = await asyncio.gather(
        *(thinkers.advise(a_view()) for _ in range(20)), return_exceptions=True
    )
    assert all(isinstance(answer, Busy) for answer in answers)
    assert 0.4 < time.monotonic() - begin < 5
    await thinkers.close()
    await busy


async def test_advice_is_legal_and_waits_for_bots(thinkers: Thinkers) -> None:
    view = a_view()
    await thinkers.warm_up()
    found = await thinkers.advise(view)
    assert 2 <= len(found) <= 3
    assert {candidate.move for candidate in found} <= set(view.legal)
    order = list[str]()

    async def ask(name: str) -> None:
        if name == "advice":
            await thinkers.advise(view)
        else:
            await thinkers.choose(view, "greedy")
        order.append(name)

    async with asyncio.TaskGroup() as group:
        for name in ("bot 1", "advice", "bot 2", "bot 3"):
            group.create_task(ask(name))
    assert order == ["bot 1", "bot 2", "bot 3", "advice"]
