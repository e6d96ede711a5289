"""Let two sets of weights play each other: one seat has the new ones, all others the old.

Both search with equally many iterations. Every deal is played once from every seat, with the
classic deck, with and without messengers in turn.
"""

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from selfplay import best_child, kernel

from patrizier.bots.learned.value import (
    FeatureBuffer,
    Weights,
    load_weights,
    new_features,
    read_weights,
)
from patrizier.bots.search.puct import new_tree, plant, search_puct
from patrizier.bots.search.tree import Search
from patrizier.options import Options
from patrizier.rules.apply import apply
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.chance import deal_order, seed_game, sort_stars
from patrizier.rules.legal import legal
from patrizier.rules.score import totals, winners
from patrizier.rules.scratch import Desk, new_desk
from patrizier.rules.state import OVER, Cells, new_cells, set_up
from patrizier.rules.view import hide


@kernel
def play_match(
    cells: Cells,
    desk: Desk,
    tree: Search,
    features: FeatureBuffer,
    new: Weights,
    old: Weights,
    iterations: int,
    seat_of_new: int,
    seed: np.uint64,
    number: int,
) -> float:
    """Play one game; return the share of victory of the new weights."""
    state = cells[0]
    players = int(state.players)
    sort_stars(desk[0], state)
    seed_game(desk[0], seed, number)
    deal_order(desk[0], players)
    set_up(state, desk[0], 0)
    while state.phase != OVER:
        if legal(state, desk[0]) == 1:
            apply(state, int(desk[0].codes[0]))
            continue
        cells[1] = state
        hide(cells[1], int(state.seat))
        plant(tree)
        weights = new if state.seat == seat_of_new else old
        search_puct(cells[1:], desk, tree, features, weights, iterations)
        apply(state, int(tree[0].nodes[best_child(tree)].code))
    table = np.zeros((MAX_PLAYERS, 6), np.int64)
    best = np.zeros(MAX_PLAYERS, np.int64)
    totals(state, table)
    count = winners(players, table, best)
    for i in range(count):
        if best[i] == seat_of_new:
            return 1.0 / count
    return 0.0


def match(
    players: int, new: Weights, old: Weights, deals: int, *, iterations: int, jobs: int, seed: int
) -> list[float]:
    """Return the mean share of the new weights in every deal."""

    def work(job: int) -> list[float]:
        tree, features = new_tree(12 * iterations + 100).search, new_features()
        desk, cells = new_desk(job), new_cells(3)
        shares = []
        for number in range(job, deals, jobs):
            rules = ("messengers",) if number % 2 else ()
            won = 0.0
            for seat in range(players):
                cells[0] = Options(players, rules).blank_cells()[0]
                won += play_match(
                    *(cells, desk, tree, features, new, old),
                    *(iterations, seat, np.uint64(seed), number),
                )
            shares.append(won / players)
        return shares

    with ThreadPoolExecutor(jobs) as pool:
        return [share for part in pool.map(work, range(jobs)) for share in part]


def main() -> None:
    """Play a match and print its result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=400)
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
        jobs=given.jobs,
        seed=given.seed,
    )
    spread = 1.96 * float(np.std(shares)) / len(shares) ** 0.5
    print(
        f"{given.players} players, {len(shares)} deals: {100 * float(np.mean(shares)):.1f} ± "
        f"{100 * spread:.1f} % (fair share {100 / given.players:.0f} %)",
        flush=True,
    )


if __name__ == "__main__":
    main()
