"""Games and a light effort for the tests of the analyser."""

import numpy as np

from patrizier.analysis.judgement import Effort, Round
from patrizier.game import Game
from patrizier.options import Options

LIGHT = Effort((Round(1000, 8), Round(3, 24)), nodes=3000, appraisal=6, searches=2, most=3)


def random_game(
    players: int, seed: int, rules: tuple[str, ...] = (), turns: int | None = None
) -> Game:
    """Return a game of random turns, finished unless ``turns`` are given."""
    game, rng = Game(Options(players, rules), seed=seed), np.random.default_rng(seed)
    while not game.is_over and (turns is None or game.turn < turns):
        moves = game.legal_moves
        game.play(moves[rng.integers(len(moves))])
    return game
