"""OpenSpiel's MCTS against our bots.

    pip install "patrizier[openspiel]"
    python examples/learning/spiel_mcts.py --games 10 --simulations 50 --opponents greedy mcts:50

Its MCTS looks at the true position, hidden cards included, as it does in every game; ours see only
their seat's view. With simulations and iterations instead of times, the figures are the same on
every machine, however busy.
"""

import argparse
from random import Random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from patrizier.arena.intervals import Clustered, Estimate
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


def share(opponent: str, games: int, simulations: int) -> Estimate:
    """Return MCTS's share of victories; it plays every deal from both seats."""
    game, won = pyspiel.load_game("patrizier(players=2)"), Clustered()
    for number in range(games):
        random = np.random.RandomState(number)
        theirs = mcts.MCTSBot(
            game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, random), random_state=random
        )
        deal, seat = divmod(number, 2)
        bots: list[Any] = [theirs, theirs]
        bots[1 - seat] = SpielBot(opponent, 1 - seat, seed=number)
        won.add(deal, (play(game, bots, Random(deal))[seat] + 1) / 2)
    return won.share()


def main() -> None:
    """Play, and print shares of victories with their 95 % intervals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="against each opponent")
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--opponents", nargs="+", default=["greedy"], help="our bots")
    chosen = parser.parse_args()
    for opponent in chosen.opponents:
        won = share(opponent, chosen.games, chosen.simulations)
        figures = f"{won.value:.1%} ({won.low:.0%} to {won.high:.0%})"
        print(f"MCTS won {figures} of {chosen.games} games against {opponent}", flush=True)


if __name__ == "__main__":
    main()
