import pickle
import subprocess
import sys

import numpy as np
import pytest

from patrizier import Game, Options
from patrizier.server.workers.question import Question, read_advice, read_move
from patrizier.view import View
from support.kinds import RULES, STARRY, for_every

# Bots answer the first questions, then all that is asked in whole games; tells what had to be
# compiled, or read from the cache, only for these.
WARM = """
import gc
from numba.core.dispatcher import Dispatcher
from patrizier import Game, Options
from patrizier.kernels.preparation import all_steps
from patrizier.server.workers.question import Question, first_questions
from patrizier.server.workers.seat_bots import SeatBots

def ready():
    found = {each for each in gc.get_objects() if isinstance(each, Dispatcher)}
    return {(each.py_func.__name__, str(sign)) for each in found for sign in each.signatures}

bots = SeatBots()
if {by_steps}:
    for step in all_steps():
        step.run()
else:
    for _, question in first_questions():
        bots.think(question)
before = ready()
for players, rules in ((2, ()), (4, ("messengers",))):
    game = Game(Options(players, rules), seed=2)
    while not game.is_over:
        view = game.view(game.seat)
        for bot_id, bot in enumerate(("apprentice", "merchant", "banker", "senator", "doge")):
            bots.think(Question(view, bot, 1, bot_id=10 * players + bot_id, seconds=0.02))
        bots.think(Question(view, "mcts:20ms", 1, advice=True))
        game.play(view.legal[0])
print(sorted({name for name, _ in ready() - before}))
"""


@pytest.mark.parametrize("by_steps", [False, True])
def test_no_game_waits_for_the_compiler_after_the_first_questions_or_after_all_steps(
    by_steps: bool,
) -> None:
    program = WARM.replace("{by_steps}", str(by_steps))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


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


def test_only_legal_turns_are_read() -> None:
    game = Game(Options(players=2), seed=1)
    view = game.view(game.seat)
    assert read_move(str(view.legal[3]), view) == view.legal[3]
    assert read_move("!RuntimeError", view) is None
    assert (
        read_advice(f'[["{view.legal[1]}", [1, 0], [9, 8], false], ["XX", [], [], true]]', view)[
            0
        ].move
        == (view.legal[1])
    )
