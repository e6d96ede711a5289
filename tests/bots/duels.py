"""Games of two between bots, to see which of them is stronger."""

from collections.abc import Callable

import numpy as np

from patrizier import Game, Options
from patrizier.bots.base import Bot
from patrizier.bots.guard import take_turn


def won(better: Callable[[], Bot], worse: Callable[[], Bot], games: int) -> float:
    """Return how many games the first bot wins: every deal from both seats."""
    wins = 0.0
    for number in range(games):
        game, own = Game(Options(2), seed=number // 2), number % 2
        chance = np.random.default_rng(number)
        bots = [better() if seat == own else worse() for seat in range(2)]
        while not game.is_over:
            assert game.seat is not None
            assert take_turn(game, bots[game.seat], chance) == []
        outcome = game.outcome()
        assert outcome is not None
        wins += (own in outcome.winners) / len(outcome.winners)
    return wins
