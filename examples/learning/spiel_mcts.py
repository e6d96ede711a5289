"""OpenSpiel's MCTS against one of our bots.

    pip install "patrizier[openspiel]"
    python examples/learning/spiel_mcts.py --games 10 --simulations 50

Its MCTS looks at the true position, hidden cards included, as it does in every game; ours sees
only its seat's view.
"""

import argparse
from random import Random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from patrizier.bridges.open_spiel import SpielBot


def play(game: Any, bots: list[Any], rng: Random) -> list[float]:
    """Play one game in OpenSpiel's loop; return everybody's result."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    returns: list[float] = state.returns()
    return returns


def main() -> None:
    """Play from alternating seats and print the share of victories."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--opponent", default="greedy", help="one of our bots")
    chosen = parser.parse_args()
    game, rng, won = pyspiel.load_game("patrizier(players=2)"), Random(1), 0.0
    for number in range(chosen.games):
        random = np.random.RandomState(number)
        theirs = mcts.MCTSBot(
            game, 1.4, chosen.simulations, mcts.RandomRolloutEvaluator(1, random),
            random_state=random,
        )  # fmt: skip
        seat = number % 2
        bots: list[Any] = [theirs, theirs]
        bots[1 - seat] = SpielBot(chosen.opponent, 1 - seat, seed=number)
        won += (play(game, bots, rng)[seat] + 1) / 2
    print(f"MCTS won {won / chosen.games:.0%} of {chosen.games} games against {chosen.opponent}")


if __name__ == "__main__":
    main()
