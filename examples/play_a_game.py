"""Let bots play one game from Python, and print its result and its record.

    python examples/play_a_game.py greedy ismcts:200 random

Takes any bot that `patrizier bots` lists, or a class in the current folder: `mybot.MyBot`.
"""

import sys

import numpy as np

from patrizier import Game, Options
from patrizier.bots.guard import take_turn
from patrizier.bots.registry import make_bot


def main(names: list[str]) -> None:
    """Play the game that seed 7 deals."""
    game = Game(Options(players=len(names)), seed=7)
    bots = [make_bot(name) for name in names]
    rng = np.random.default_rng(7)  # the bots' randomness: reproducible

    while game.seat is not None:
        for incident in take_turn(game, bots[game.seat], rng):
            print(f"{names[incident.seat]}, turn {incident.turn}: {incident.message}")

    outcome = game.outcome()
    assert outcome is not None
    for seat, (name, score) in enumerate(zip(names, outcome.scores, strict=True)):
        crown = "  wins" if seat in outcome.winners else ""
        print(f"{name:12} {score.tokens:3} + {score.sets:2} = {score.total:3} points{crown}")
    print()
    print(game.record(names), end="")


if __name__ == "__main__":
    main(sys.argv[1:] or ["greedy", "random"])
