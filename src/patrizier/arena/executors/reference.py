"""How fast a machine is: random games per second on one core, by the compiled rules."""

import time

import numpy as np

from patrizier.options import Options
from patrizier.rules.playout import play_games
from patrizier.rules.scratch import new_scratch

_GAMES = 2000  # some ten milliseconds
_ROUNDS = 15  # the fastest counts: whatever else runs there can only slow a round down


def measure_speed() -> float:
    """Return the reference speed of this machine."""
    cells, buffer = Options(players=2).blank_cells(), new_scratch()
    tables, shares = np.zeros((_GAMES, 5, 6), np.int64), np.zeros((_GAMES, 5))
    starts = np.zeros(_GAMES, np.int64)
    seconds = []
    for number in range(_ROUNDS + 1):
        begin = time.perf_counter()
        play_games(cells, buffer, np.uint64(1), number * _GAMES, tables, shares, starts)
        seconds.append(time.perf_counter() - begin)
    return _GAMES / min(seconds[1:])  # the first round may compile
