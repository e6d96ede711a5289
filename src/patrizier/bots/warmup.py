"""Warm-up: compiles everything before anyone waits for it.

`STEPS` is all there is to compile for bots and the rules; `kernels.preparation` finds it. No two
steps spend their time on the same kernels, so that they can run side by side.
"""

from collections.abc import Callable, Iterator

import numpy as np

from patrizier.bots.base import Bot
from patrizier.bots.endgame import solver
from patrizier.bots.endgame.search import search_end
from patrizier.bots.evaluation import impression
from patrizier.bots.guard import take_turn
from patrizier.bots.intuition import judge_turns
from patrizier.bots.learned.network import load_network, new_activations, new_inputs
from patrizier.bots.learned.value import load_weights, new_features
from patrizier.bots.levels import Doge, is_for_zero
from patrizier.bots.registry import is_built_in, make_bot
from patrizier.bots.search import guided, ismcts, puct, tree
from patrizier.deal import Deal
from patrizier.game import Game
from patrizier.kernels.preparation import Step
from patrizier.options import Options
from patrizier.prospects import prospects
from patrizier.rules import boundary, playout
from patrizier.rules.board import MAX_CITIES, MAX_PLAYERS, SITES
from patrizier.rules.jit import direct
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import new_cells
from patrizier.rules.turns import TURN_COLUMNS, list_turns
from patrizier.standing import standings_of
from patrizier.view import View

_LAST_TURNS = 4  # few enough for endings to be solved exactly

RULES, EVALUATION, SEARCH, GUIDED = "rules", "evaluation", "search", "guided search"
DEALS = "deals"
ENDINGS = "endings"
_LOOK_AHEAD = {"random", "greedy", "apprentice", "merchant"}  # bots that do not search


def steps_before(bot: str, options: Options) -> frozenset[str]:
    """Return the steps that a bot's first turn of such a game needs.

    Of a bot from elsewhere only views and samples are known to be needed.

    >>> sorted(steps_before("merchant", Options(2))), sorted(steps_before("mcts:50ms", Options(2)))
    (['evaluation', 'rules'], ['rules', 'search'])
    >>> sorted(steps_before("mybot.MyBot", Options(2)))
    ['deals', 'rules']
    """
    name = bot.partition(":")[0]
    if not is_built_in(name):
        return frozenset({RULES, DEALS})
    if name == "zero" or (name == Doge.name and is_for_zero(options)):
        return frozenset({RULES, GUIDED})
    return frozenset({RULES, EVALUATION if name in _LOOK_AHEAD else SEARCH})


def warm_up(
    options: Options,
    name: str,
    make: Callable[[str], Bot] = make_bot,
    *,
    deal: Deal | None = None,
) -> None:
    """Let a bot take two throw-away turns: the first of a game, and one near its end.

    A bot with a budget gets the smallest of its kind.
    """
    for game in first_games(options, deal):
        take_turn(game, make(least_budget(name)), np.random.default_rng(0))


def first_games(options: Options, deal: Deal | None = None) -> Iterator[Game]:
    """Yield a game at its start, and one so near its end that bots solve it exactly."""
    deal = deal or Deal.random(options, seed=1)
    yield Game(options, deal=deal)
    game, rng = Game(options, deal=deal), np.random.default_rng(0)
    while solver.turns_left(game.view(game.seat)) > _LAST_TURNS:
        game.play(game.legal_moves[int(rng.integers(len(game.legal_moves)))])
    yield game


def least_budget(spec: str) -> str:
    """Return a bot's name with the smallest budget of the same kind, if it has one.

    >>> least_budget("mcts:100ms*4"), least_budget("ismcts:2000"), least_budget("greedy")
    ('mcts:1ms', 'ismcts:1', 'greedy')
    """
    name, colon, budget = spec.partition(":")
    if not colon:
        return name
    return f"{name}:1ms" if budget.partition("*")[0].endswith("s") else f"{name}:1"


def _compile_rules() -> None:
    """Play a turn, which calls all that a table does.

    What deals need comes last, and is compiled by then.
    """
    boundary.steps()
    direct(list_turns, new_cells(2), new_scratch(), np.zeros((1, TURN_COLUMNS), np.int8))
    game = Game(Options(players=2), seed=1)
    view = View.from_json(game.view(game.seat).to_json())
    view.sample(0)
    standings_of(game.state, game.legal_decisions()[:1])
    prospects(view)
    game.play(view.legal[0])
    game.scores()


def _compile_deals() -> None:
    """Compile dealing, views and points beside the other rules, on another core."""
    cells, buffer = new_cells(), new_scratch()
    direct(boundary.deal_randomly, cells, buffer)
    direct(boundary.lay_out, cells, buffer, 0)
    direct(boundary.hide_from, cells, 0)
    direct(boundary.sample_hidden, cells, buffer)
    direct(boundary.leaders, cells, np.zeros((MAX_CITIES, len(SITES)), np.int64))
    direct(boundary.tally, cells, np.zeros((MAX_PLAYERS, 6), np.int64))


def _compile_evaluation() -> None:
    direct(impression, new_cells(), 0, True, True)


def _compile_search() -> None:
    search, seed = np.zeros(1, puct.SEARCH), np.uint64(0)
    room = new_cells(2), new_scratch(), search, new_features(), load_weights(2)
    direct(puct.search_worlds, *room, puct.NOTHING, seed, 0, 1)
    direct(puct.reset_tree, search)


def _compile_guided_search() -> None:
    search = np.zeros(1, guided.GUIDED)
    room = new_cells(2), new_scratch(), search, new_inputs(), new_activations(), load_network()
    direct(guided.search_guided, *room, new_features(), load_weights(2), 1)
    direct(guided.replant, search)


def _compile_endings() -> None:
    direct(search_end, *solver.new_room(depth=1, bits=1), 0, 0)


def _compile_plain_search() -> None:
    nodes, search = np.zeros(1, tree.NODE), np.zeros(1, tree.SEARCH)
    direct(ismcts.search_uct, new_cells(2), new_scratch(), nodes, search, 1, ismcts.EXPLORATION)
    direct(tree.clear, nodes, search)


def _compile_intuition() -> None:
    room, codes = (new_cells(3), new_scratch(), new_features(), load_weights(2)), np.zeros((1, 4))
    direct(judge_turns, *room, codes.astype(np.int64), 1, np.zeros(1))


def _compile_random_games() -> None:
    cells, buffer, seed = new_cells(), new_scratch(), np.uint64(0)
    tables, shares, starts = np.zeros((1, 5, 6), np.int64), np.zeros((1, 5)), np.zeros(1, np.int64)
    direct(playout.play_games, cells, buffer, seed, 0, tables, shares, starts)
    direct(playout.play_game, cells, buffer, seed, 0, np.zeros(1, np.int64))


# In the order of need; times were measured in this order on one slow core.
STEPS = (
    Step(RULES, 4.5, _compile_rules),
    Step(DEALS, 3.5, _compile_deals),
    Step(SEARCH, 19.0, _compile_search),
    Step(EVALUATION, 1.5, _compile_evaluation),
    Step(ENDINGS, 9.0, _compile_endings),
    Step(GUIDED, 25.0, _compile_guided_search),
    Step("plain search", 2.5, _compile_plain_search),
    Step("intuition", 2.5, _compile_intuition),
    Step("random games", 1.0, _compile_random_games),
)
