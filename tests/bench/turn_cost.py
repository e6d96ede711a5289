"""Processor time per turn of two bots in the same games: what makes a match fair.

    python tests/bench/turn_cost.py zero:1000 mcts:2900 --rules messengers

One seat has the first bot, all others the second, in every seat in turn. Turns without a choice do
not count. Processor time hardly depends on what else a machine does; time on a clock does.
"""

import argparse
import time
from collections import defaultdict

import numpy as np

from patrizier import Game, Options
from patrizier.bots.guard import take_turn
from patrizier.bots.registry import make_bot
from patrizier.bots.warmup import warm_up


def spend(names: list[str], options: Options, seed: int) -> dict[str, list[float]]:
    """Play a game; return the seconds of every turn, by bot."""
    game, rng = Game(options, seed=seed), np.random.default_rng(seed)
    bots = [make_bot(name) for name in names]
    spent: dict[str, list[float]] = defaultdict(list)
    while not game.is_over:
        assert game.seat is not None
        name, bot = names[game.seat], bots[game.seat]
        has_choice = len(game.legal_moves) > 1
        begin = time.process_time()
        take_turn(game, bot, rng)
        if has_choice:
            spent[name].append(time.process_time() - begin)
    return spent


def main() -> None:
    """Play games, and print what a turn costs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--rules", nargs="*", default=[])
    parser.add_argument("--deals", type=int, default=8)
    given = parser.parse_args()
    options = Options(given.players, given.rules)
    for name in (given.one, given.other):
        warm_up(options, name)
    spent: dict[str, list[float]] = defaultdict(list)
    for seed in range(1, given.deals + 1):
        for seat in range(given.players):
            names = [given.other] * given.players
            names[seat] = given.one
            for name, seconds in spend(names, options, seed).items():
                spent[name] += seconds
    one, other = (1000 * float(np.mean(spent[name])) for name in (given.one, given.other))
    print(f"{given.one} {one:.2f} ms, {given.other} {other:.2f} ms per turn: {one / other:.2f}")


if __name__ == "__main__":
    main()
