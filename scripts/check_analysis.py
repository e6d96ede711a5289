"""Checks that verdicts are stable: the same games, analysed with another seed.

    python scripts/check_analysis.py --games 2

Prints for two to five players how many turns get the same verdict, how verdicts are spread, and how
long an analysis takes.
Games are played by bots of unequal strength, so that all verdicts occur.
"""

import argparse
import time
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


def verdicts(game: Game, seed: int) -> tuple[list[str], tuple[float, float]]:
    """Return the verdicts of all turns, and the seconds of a core for the curve and for all."""
    begin = time.process_time()
    steps = analyse(game, seed=seed)
    next(steps)
    curve = time.process_time() - begin
    *_, last = steps
    found = [turn.judgement.verdict.value for turn in last.turns if turn.judgement]
    return found, (curve, time.process_time() - begin)


def main() -> None:
    """Analyse every game twice, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2, help="for each number of players")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4, 5])
    given = parser.parse_args()
    verdicts(play(2, (), 0), 0)  # compiles what is not compiled yet
    kinds = ("best", "fine", "inaccuracy", "mistake", "blunder")
    print(f"| players | turns | same verdict | {' | '.join(kinds)} | curve | all, mean | longest |")
    print(f"|{'---|' * 11}")
    for players in given.players:
        same, spread, times = 0, Counter[str](), []
        for number in range(given.first, given.first + given.games):
            rules = ("messengers",) if number % 2 else ()
            game = play(players, rules, 100 * players + number)
            (one, first), (two, second) = verdicts(game, 1), verdicts(game, 2)
            same += sum(a == b for a, b in zip(one, two, strict=True))
            spread.update(one)
            times += [first, second]
        turns = spread.total()
        shares = " | ".join(f"{spread[kind] / turns:.0%}" for kind in kinds)
        curve, whole = np.max(times, axis=0)
        mean = np.mean(times, axis=0)[1]
        print(
            f"| {players} | {turns} | {same / turns:.1%} | {shares} | "
            f"{curve:.1f} s | {mean:.1f} s | {whole:.1f} s |",
            flush=True,
        )


if __name__ == "__main__":
    main()
