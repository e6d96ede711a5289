"""Cost of solving endgames exactly: nodes and seconds, in positions reached by play.

Half of the games are played by the greedy bot, half at random. Nodes are the same on every
machine; seconds are those of the processor, so other work beside it hardly counts.
"""

import argparse
import statistics
import time
from collections import defaultdict

import numpy as np
from rich.console import Console
from rich.table import Table

from patrizier import Game, Options, View
from patrizier.bots.base import Bot
from patrizier.bots.endgame.solver import settled, solve, turns_left
from patrizier.bots.greedy import GreedyBot
from patrizier.bots.random_bot import RandomBot

KINDS = {
    "base": (),
    "messengers": ("messengers",),
    "at built city": ("messengers", "messenger-at-built-city"),
}


def reached(options: Options, games: int, lefts: list[int]) -> dict[int, list[View]]:
    """Return the views of the seat to move with this many turns left."""
    views = defaultdict(list)
    for seed in range(games):
        game, rng = Game(options, seed=seed), np.random.default_rng(seed)
        bot: Bot = GreedyBot() if seed % 2 else RandomBot()
        while not game.is_over:
            view = game.view(game.seat)
            if turns_left(view) in lefts:
                views[turns_left(view)].append(view)
            game.play(bot.choose(view, rng))
    return views


def measure(views: list[View], most_nodes: int) -> tuple[int, list[int], list[float]]:
    """Return how many positions were solved, and nodes and seconds of each."""
    solved, nodes, seconds = 0, [], []
    for view in views:
        begin = time.process_time()
        solution = solve(view, most_nodes, most_turns=99)
        seconds.append(time.process_time() - begin)
        nodes.append(solution.nodes if solution else most_nodes)
        solved += solution is not None
    return solved, nodes, seconds


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--turns", type=int, nargs="+", default=[6, 8, 10, 12])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=2_000_000)
    wanted = parser.parse_args()
    table = Table(title=f"Endgames, {wanted.nodes:,} nodes at most", title_justify="left", box=None)
    for name in ("players", "rules", "turns left", "open", "solved"):
        table.add_column(name, justify="right")
    for name in ("nodes", "9 of 10", "most", "ms", "9 of 10", "most"):
        table.add_column(name, justify="right")
    for players in wanted.players:
        for name, rules in KINDS.items():
            views = reached(Options(players, rules), wanted.games, wanted.turns)
            solve(views[min(views)][0])  # compile before measuring
            for left in wanted.turns:
                known = [view for view in views[left] if settled(view)]
                solved, nodes, seconds = measure(known, wanted.nodes)
                row = [players, name, left, len(known), f"{100 * solved / len(known):.0f} %"]
                for values in (nodes, [1000 * second for second in seconds]):
                    row += [
                        f"{value:,.0f}" if values is nodes else f"{value:,.1f}"
                        for value in spread(values)
                    ]
                table.add_row(*map(str, row))
    Console(width=110).print(table)


def spread(values: list[int] | list[float]) -> tuple[float, float, float]:
    """Return median, 90th percentile and maximum."""
    return statistics.median(values), float(np.quantile(values, 0.9)), max(values)


if __name__ == "__main__":
    main()
