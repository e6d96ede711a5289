"""Timed matches on many cores: one bot among copies of another, in every seat in turn.

    python training/timed.py mcts:100ms ismcts:100ms --players 4 --seconds 200 --jobs 14

`patrizier arena` does the same and more; this needs only NumPy and Numba, and stops after a given
time. A bot may also be a path, such as ``mybot.MyBot:100ms``.
"""

import argparse
import math
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from patrizier.bots.guard import take_turn
from patrizier.bots.registry import make_bot
from patrizier.game import Game
from patrizier.options import Options


def play_deal(
    one: str, other: str, players: int, rules: tuple[str, ...], seed: int
) -> list[tuple[float, float, float]]:
    """Play a deal once from every seat; return share, points and the others' points of each."""
    found = []
    for seat in range(players):
        game = Game(Options(players, rules), seed=seed)
        bots = [make_bot(one if i == seat else other) for i in range(players)]
        rng = np.random.default_rng([seed, seat])
        while not game.is_over:
            assert game.seat is not None
            if incidents := take_turn(game, bots[game.seat], rng):
                raise RuntimeError(f"{incidents[0]}")
        outcome = game.outcome()
        assert outcome is not None
        points = [score.total for score in outcome.scores]
        share = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
        others = (sum(points) - points[seat]) / (players - 1)
        found.append((share, float(points[seat]), others))
    return found


def work(
    one: str, other: str, players: int, rules: tuple[str, ...], seeds: range, end: float
) -> list[list[tuple[float, float, float]]]:
    """Play deals until the time is up; the current deal is finished."""
    deals = []
    for seed in seeds:
        if time.time() >= end:
            break
        deals.append(play_deal(one, other, players, rules, seed))
    return deals


def main() -> None:
    """Play a match and print its result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one", help="the bot that takes every seat in turn")
    parser.add_argument("other", help="the bot in all other seats")
    parser.add_argument("--players", type=int, default=2, help="number of players")
    parser.add_argument("--rules", nargs="*", default=[], help="variants, such as messengers")
    parser.add_argument("--seconds", type=float, default=60, help="seconds after which to stop")
    parser.add_argument(
        "--deals", type=int, default=1_000_000, help="number of deals after which to stop"
    )
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--seed", type=int, default=0, help="number of the first deal")
    given = parser.parse_args()
    rules = tuple(given.rules)
    quick = [spec.partition(":")[0] for spec in (given.one, given.other)]
    for first, second in (quick, quick[::-1]):  # compiles everything once, for all processes
        with_budget = [f"{name}:5ms" if "greedy" not in name else name for name in (first, second)]
        play_deal(with_budget[0], with_budget[1], given.players, rules, 0)
    end = time.time() + given.seconds
    with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
        parts = [
            pool.submit(
                work,
                given.one,
                given.other,
                given.players,
                rules,
                range(given.seed * 10**6 + job, given.seed * 10**6 + given.deals, given.jobs),
                end,
            )
            for job in range(given.jobs)
        ]
        deals = np.array([deal for part in parts for deal in part.result()])
    means = deals.mean(1)  # of every deal
    share, points, others = means.mean(0)
    spread = 1.96 * means[:, 0].std(ddof=1) / math.sqrt(len(means))
    print(
        f"{given.one} among {given.other}, {given.players} players {' '.join(rules)}: "
        f"{100 * share:.1f} ± {100 * spread:.1f} % of {deals.shape[0] * deals.shape[1]} games, "
        f"{points:.1f} points to {others:.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
