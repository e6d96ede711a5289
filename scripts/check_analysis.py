"""Checks that verdicts are stable: the same games, analysed with another seed.

    python scripts/check_analysis.py --games 2
    python scripts/check_analysis.py --games 20 --jobs 16
    python scripts/check_analysis.py --games 2 --deep

Prints for two to five players how many turns get the same verdict, how verdicts are spread, and how
much time of one core an analysis takes: the curve, the whole game, and the longest step (one turn,
or all solved endings of the curve).
Games are played by bots of unequal strength, so that all verdicts occur.
"""

import argparse
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

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


def verdicts(game: Game, seed: int, *, deep: bool) -> tuple[list[str], tuple[float, ...]]:
    """Return all verdicts, and the seconds of a core for curve, whole, and longest step."""
    times = [time.process_time()]
    found = list[str]()
    for analysis in analyse(game, seed=seed, deep=deep):
        times.append(time.process_time())
        found = [turn.judgement.verdict.value for turn in analysis.turns if turn.judgement]
    steps = np.diff(times)
    return found, (steps[0], times[-1] - times[0], steps.max())


def twice(number: int, players: int, *, deep: bool) -> list[tuple[list[str], tuple[float, ...]]]:
    """Return what `verdicts` finds in a game with two seeds."""
    game = play(players, ("messengers",) if number % 2 else (), 100 * players + number)
    return [verdicts(game, seed, deep=deep) for seed in (1, 2)]


def main() -> None:
    """Analyse every game twice, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2, help="for each number of players")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4, 5])
    parser.add_argument("--deep", action="store_true", help="use the deep analysis")
    parser.add_argument("--jobs", type=int, default=1, help="processes, of one core each")
    given = parser.parse_args()
    for players in given.players:  # compiles what is not compiled yet
        verdicts(play(players, (), 0), 0, deep=False)
    kinds = ("best", "fine", "inaccuracy", "mistake", "blunder")
    times = "curve | all, mean | longest | longest step"
    print(f"| players | turns | same verdict | {' | '.join(kinds)} | {times} |")
    print(f"|{'---|' * 12}")
    numbers = range(given.first, given.first + given.games)
    with ProcessPoolExecutor(given.jobs, get_context("spawn")) as pool:
        for players in given.players:
            look = partial(twice, players=players, deep=given.deep)
            tell(players, list(pool.map(look, numbers)), kinds)


def tell(
    players: int, found: list[list[tuple[list[str], tuple[float, ...]]]], kinds: tuple[str, ...]
) -> None:
    """Print a row of the table."""
    spread = Counter(verdict for (one, _), _ in found for verdict in one)
    same = sum(a == b for (one, _), (two, _) in found for a, b in zip(one, two, strict=True))
    spent = [times for pair in found for _, times in pair]
    turns = spread.total()
    shares = " | ".join(f"{spread[kind] / turns:.0%}" for kind in kinds)
    curve, whole, step = np.max(spent, axis=0)
    mean = np.mean(spent, axis=0)[1]
    print(
        f"| {players} | {turns} | {same / turns:.1%} | {shares} | "
        f"{curve:.1f} s | {mean:.1f} s | {whole:.1f} s | {step:.1f} s |",
        flush=True,
    )


if __name__ == "__main__":
    main()
