"""Profile of an iteration of `mcts`: microseconds per part, in early and late positions.

All parts are measured one after the other in every position, so their ratios hold on a busy
machine, too.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np
from rich.console import Console
from rich.table import Table

from patrizier import Game, Options, View
from patrizier.bots.greedy import GreedyBot
from patrizier.bots.learned.value import (
    FeatureBuffer,
    Weights,
    evaluate,
    load_weights,
    new_features,
)
from patrizier.bots.search.ismcts import EXPLORATION, search_uct
from patrizier.bots.search.playout_policy import play_by_policy
from patrizier.bots.search.puct import new_tree, search_puct
from patrizier.bots.search.tree import new_tree as new_plain_tree
from patrizier.rules.jit import kernel
from patrizier.rules.playout import playout
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import Cells, new_cells
from patrizier.rules.view import fill_in


@kernel
def play_randomly(cells: Cells, buffer: ScratchBuffer, count: int) -> None:
    """Sample hidden cards and play out at random."""
    for _ in range(count):
        cells[1] = cells[0]
        fill_in(cells[1], buffer[0])
        playout(cells[1], buffer[0])


@kernel
def play_by_odds(
    cells: Cells, buffer: ScratchBuffer, features: FeatureBuffer, weights: Weights, count: int
) -> None:
    """Sample hidden cards and play out by the policy."""
    for _ in range(count):
        cells[1] = cells[0]
        fill_in(cells[1], buffer[0])
        play_by_policy(cells[1], buffer[0], features[0], weights[0])


@kernel
def evaluate_often(
    cells: Cells, buffer: ScratchBuffer, features: FeatureBuffer, weights: Weights, count: int
) -> None:
    """Sample hidden cards and evaluate."""
    for _ in range(count):
        cells[1] = cells[0]
        fill_in(cells[1], buffer[0])
        evaluate(cells[1], features[0], weights[0])


def positions(players: int, seed: int) -> Iterator[View]:
    """Yield positions of a game of greedy players; the last turns are solved, not searched."""
    game, rng, bot = Game(Options(players), seed=seed), np.random.default_rng(seed), GreedyBot()
    while game.turn < 38:
        view = game.view(game.seat)
        if game.turn % 3 == 0:
            yield view
        game.play(bot.choose(view, rng))


def parts(view: View, count: int) -> dict[str, Callable[[], object]]:
    """Return the parts to measure in a position."""
    players = view.options.players
    cells, buffer, features, weights = (
        new_cells(2),
        new_scratch(1),
        new_features(),
        load_weights(players),
    )
    cells[0] = view.known()[0]
    tree, (nodes, plain) = new_tree(20 * count + 100).search, new_plain_tree(count + 1)
    return {
        "random playout": lambda: play_randomly(cells, buffer, count),
        "playout by odds": lambda: play_by_odds(cells, buffer, features, weights, count),
        "value": lambda: evaluate_often(cells, buffer, features, weights, count),
        "iteration of mcts": lambda: search_puct(cells, buffer, tree, features, weights, count),
        "iteration of ismcts": lambda: search_uct(cells, buffer, nodes, plain, count, EXPLORATION),
    }


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--count", type=int, default=4000, help="of each in a position")
    given = parser.parse_args()
    table = Table("players", "part", "µs", "random playouts")
    for players in given.players:
        spent: dict[str, list[float]] = defaultdict(list)
        for part in parts(next(positions(players, 1)), 10).values():
            part()  # compiles
        for view in positions(players, 1):
            for name, part in parts(view, given.count).items():
                begin = time.perf_counter()
                part()
                spent[name].append((time.perf_counter() - begin) / given.count)
        least = float(np.mean(spent["random playout"]))
        for name, seconds in spent.items():
            mean = float(np.mean(seconds))
            table.add_row(str(players), name, f"{1e6 * mean:.2f}", f"{mean / least:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
