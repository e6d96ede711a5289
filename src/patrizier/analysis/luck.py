"""The luck of all cards turned up in a game: a control variate for comparing players.

Whatever the players do, its mean is exactly zero, because every card left in the pile is equally
likely to be on top. Subtracting it from results removes noise and adds no bias.
"""

from functools import lru_cache

import numpy as np

from patrizier.analysis.options import ends_stage
from patrizier.analysis.outlook import Appraiser, Numbers
from patrizier.game import Game
from patrizier.options import Options
from patrizier.state import State

ITERATIONS = 100  # of one appraisal: with fewer, noise hides a third of the luck
CARDS = 8  # of the pile, compared with its top card; all of them would be no better


@lru_cache(maxsize=4)
def _appraiser(options: Options, iterations: int) -> Appraiser:
    return Appraiser(options, iterations=iterations)


def luck_of_cards(game: Game, iterations: int = ITERATIONS, cards: int = CARDS) -> Numbers:
    """Return by seat what the cards turned up added to its share of the victory."""
    result: Numbers = luck_by_turn(game, iterations, cards).sum(axis=0)
    return result


def luck_by_turn(game: Game, iterations: int = ITERATIONS, cards: int = CARDS) -> Numbers:
    """Return by turn and seat what the card turned up added to the share of the victory."""
    appraiser = _appraiser(game.options, iterations)
    luck = np.zeros((game.turn, game.options.players))
    state = State.start(game.options, game.deal)
    begun, taken, turned = state, list[int](), False
    for code in game.decisions:
        later = state.apply(code)
        ended = later.turn > state.turn
        if not turned:
            taken.append(code)
            if ended or ends_stage(later._cells):
                luck[begun.turn] = _luck_of_card(appraiser, begun, tuple(taken), cards)
                turned = True
        if ended:
            begun, taken, turned = later, [], False
        state = later
    return luck


def _luck_of_card(
    appraiser: Appraiser, state: State, codes: tuple[int, ...], cards: int
) -> Numbers:
    """Compare the top card of the pile with some others, all equally likely."""
    left = int(state.record["pile_left"])
    if left < 2:
        return np.zeros(state.options.players)
    places = np.unique(np.linspace(0, left - 2, min(cards, left - 1)).astype(int)).tolist()
    expected, seen = appraiser.after(state._cells, codes, [*places, left - 1])
    result: Numbers = seen.shares - expected.shares
    return result
