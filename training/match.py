"""Plays two sets of weights against each other: one seat has the new ones, all others the old.

Both use the same number of iterations by default. Every deal is played once from every seat, with
the classic deck, alternately with and without messengers.
"""

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
from selfplay import deal, play_game, write_result

from patrizier.bots.learned.value import Weights, load_weights, new_features, read_weights
from patrizier.bots.search.puct import new_tree
from patrizier.options import Options
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import Cells, new_cells


def classic_games(players: int) -> Cells:
    """Return states with the classic deck, without and with messengers."""
    cells = new_cells(2)
    for i, rules in enumerate(((), ("messengers",))):
        cells[i] = Options(players, rules).blank_cells()[0]
    return cells


def match(
    players: int,
    new: Weights,
    old: Weights,
    deals: int,
    *,
    iterations: int,
    others_iterations: int,
    seed: int,
    jobs: int = 1,
    first: int = 0,
) -> npt.NDArray[np.float32]:
    """Return the share of the new weights in every deal, by seat."""
    blanks, both = classic_games(players), np.concatenate([old, new])
    efforts = np.array([others_iterations, iterations])
    shares = np.zeros((deals, players), np.float32)

    def work(job: int) -> None:
        tree, features = new_tree(12 * int(efforts.max()) + 100).search, new_features()
        buffer, cells = new_scratch(job), new_cells(3)
        codes, tried = np.zeros(0, np.uint8), np.zeros((0, MOST_DECISIONS), np.uint8)
        share, points = np.zeros(players, np.float32), np.zeros(players, np.float32)
        for number in range(job, deals, jobs):
            for seat in range(players):
                cells[0] = blanks[(first + number) % len(blanks)]
                deal(cells, buffer, np.uint64(seed), first + number)
                play_game(cells, buffer, tree, features, both, efforts, seat, False, codes, tried)
                write_result(cells, tree, share, points)
                shares[number, seat] = share[seat]

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, range(jobs)))
    return shares


def in_words(shares: npt.NDArray[np.float32]) -> str:
    """Return the mean share with its interval; the games of one deal are one observation."""
    means = shares.mean(1)
    spread = 1.96 * float(means.std(ddof=1)) / len(means) ** 0.5
    return f"{100 * float(means.mean()):.1f} ± {100 * spread:.1f} % of {shares.size} games"


def main() -> None:
    """Play a match and print its result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--others-iterations", type=int, help="if not the same")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--old", type=Path, help="instead of those in the package")
    parser.add_argument("new", type=Path)
    given = parser.parse_args()
    shares = match(
        given.players,
        read_weights(given.new),
        read_weights(given.old) if given.old else load_weights(given.players),
        given.deals,
        iterations=given.iterations,
        others_iterations=given.others_iterations or given.iterations,
        jobs=given.jobs,
        seed=given.seed,
    )
    print(f"{given.players} players: {in_words(shares)} (fair share {100 / given.players:.0f} %)")


if __name__ == "__main__":
    main()
