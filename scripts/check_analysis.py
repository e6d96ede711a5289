"""Checks that verdicts are stable: the same games, analysed with another seed.

    python scripts/check_analysis.py --games 2

Prints for two to five players how many turns get the same verdict, and how verdicts are spread.
Games are played by bots of unequal strength, so that all verdicts occur.
"""

import argparse
from collections import Counter

import numpy as np

from patrizier.analysis.analyser import analyse
from patrizier.bots.registry import make_bot
from patrizier.game import Game
from patrizier.options import Options


def play(players: int, rules: tuple[str, ...], seed: int) -> Game:
    """Return a game in which strong and weak bots take turns at the table."""
    game, rng = Game(Options(players, rules), seed=seed), np.random.default_rng(seed)
    bots = [make_bot(("mcts:200", "greedy", "mcts:20")[seat % 3]) for seat in range(players)]
    while not game.is_over:
        assert game.seat is not None
        game.play(bots[game.seat].choose(game.view(game.seat), rng))
    return game


def verdicts(game: Game, seed: int) -> list[str]:
    """Return the verdicts of all turns."""
    *_, last = analyse(game, seed=seed)
    return [turn.judgement.verdict.value for turn in last.turns if turn.judgement]


def main() -> None:
    """Analyse every game twice, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2, help="for each number of players")
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4, 5])
    given = parser.parse_args()
    print("| players | turns | same verdict | " + "best | fine | inaccuracy | mistake | blunder |")
    print("|---|---|---|---|---|---|---|---|")
    for players in given.players:
        same, spread = 0, Counter[str]()
        for number in range(given.games):
            rules = ("messengers",) if number % 2 else ()
            game = play(players, rules, 100 * players + number)
            one, two = verdicts(game, 1), verdicts(game, 2)
            same += sum(a == b for a, b in zip(one, two, strict=True))
            spread.update(one)
        turns = spread.total()
        kinds = ("best", "fine", "inaccuracy", "mistake", "blunder")
        shares = " | ".join(f"{spread[kind] / turns:.0%}" for kind in kinds)
        print(f"| {players} | {turns} | {same / turns:.1%} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
