"""Plays two sets of weights against each other: one seat has the new ones, all others the old.

Both use the same number of iterations by default. Every deal is played once from every seat, with
the classic deck, alternately with and without messengers.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from selfplay import deal, play_game, write_result

from patrizier.arena.executors import Executor, InProcess, Job, Worker, choose_executor
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


@dataclass(frozen=True)
class Match(Job[int, npt.NDArray[np.float32]]):
    """Plays one deal from every seat; the result is the share of the new weights, by seat."""

    players: int
    new: Weights
    old: Weights
    iterations: int
    others_iterations: int
    seed: int

    def modules(self) -> Sequence[str]:
        """Return what is not in the package."""
        return ("match", "selfplay")

    def prepare(self, worker: Worker) -> None:
        """Compile the kernels."""
        for _ in replace(self, iterations=1, others_iterations=1).run(0, worker):
            pass

    def run(self, unit: int, worker: Worker) -> Iterator[npt.NDArray[np.float32]]:
        """Play a deal."""
        blanks, both = classic_games(self.players), np.concatenate([self.old, self.new])
        efforts = np.array([self.others_iterations, self.iterations])
        tree, features = new_tree(12 * int(efforts.max()) + 100).search, new_features()
        buffer, cells = new_scratch(), new_cells(3)
        codes, tried = np.zeros(0, np.uint8), np.zeros((0, MOST_DECISIONS), np.uint8)
        share, points = np.zeros(self.players, np.float32), np.zeros(self.players, np.float32)
        shares = np.zeros(self.players, np.float32)
        for seat in range(self.players):
            cells[0] = blanks[unit % len(blanks)]
            deal(cells, buffer, np.uint64(self.seed), unit)
            play_game(cells, buffer, tree, features, both, efforts, seat, False, codes, tried)
            write_result(cells, tree, share, points)
            shares[seat] = share[seat]
        yield shares


def match(
    players: int,
    new: Weights,
    old: Weights,
    deals: int,
    *,
    iterations: int,
    others_iterations: int,
    seed: int,
    executor: Executor | None = None,
    first: int = 0,
) -> npt.NDArray[np.float32]:
    """Return the share of the new weights in every deal, by seat."""
    job = Match(players, new, old, iterations, others_iterations, seed)
    units = range(first, first + deals)
    parts = [shares for _, found in (executor or InProcess()).run(job, units) for shares in found]
    return np.stack(parts)


def in_words(shares: npt.NDArray[np.float32]) -> str:
    """Return the mean share with its interval; the games of one deal are one observation."""
    means = shares.mean(1)
    spread = 1.96 * float(means.std(ddof=1)) / len(means) ** 0.5
    return f"{100 * float(means.mean()):.1f} ± {100 * spread:.1f} % of {shares.size} games"


def main() -> None:
    """Play a match and print its result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, required=True, help="number of players")
    parser.add_argument("--deals", type=int, default=100, help="number of deals to play")
    parser.add_argument(
        "--iterations", type=int, default=400, help="search iterations of the new weights"
    )
    parser.add_argument(
        "--others-iterations", type=int, help="those of the old weights, if not the same"
    )
    parser.add_argument("--jobs", type=int, help="number of processes")
    parser.add_argument("--on", default="here", help="executor: here or ray")
    parser.add_argument("--seed", type=int, default=1000, help="seed of the deals")
    parser.add_argument("--old", type=Path, help="file of the old weights, if not the package's")
    parser.add_argument("new", type=Path, help="file of the new weights")
    given = parser.parse_args()
    shares = match(
        given.players,
        read_weights(given.new),
        read_weights(given.old) if given.old else load_weights(given.players),
        given.deals,
        iterations=given.iterations,
        others_iterations=given.others_iterations or given.iterations,
        executor=choose_executor(given.on, given.jobs),
        seed=given.seed,
    )
    print(f"{given.players} players: {in_words(shares)} (fair share {100 / given.players:.0f} %)")


if __name__ == "__main__":
    main()
