"""The heuristic value of every decision: that of the best turn that begins with it.

The bot `greedy` plays by the same values; here they are compiled, for many games at once. They do
not depend on anything that the seat to move does not know.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.bots.evaluation import worth
from patrizier.rules.apply import apply
from patrizier.rules.codes import DECISIONS
from patrizier.rules.jit import kernel
from patrizier.rules.legal import legal
from patrizier.rules.scratch import SCRATCH, ScratchBuffer
from patrizier.rules.state import OVER, Cells, new_cells
from patrizier.rules.turns import MOST_STEPS

WORST = -1e9  # of a code that is not legal


@kernel
def _best(stack: Cells, buffers: ScratchBuffer, seat: int) -> float:
    """Return the best evaluation at the end of the turn that stack[0] is in."""
    counts = np.zeros(len(stack), np.int64)
    done = np.zeros(len(stack), np.int64)
    turn = int(stack[0].turn)
    best = WORST
    depth = 0
    counts[0] = legal(stack[0], buffers[0])
    while depth >= 0:
        if done[depth] == counts[depth]:
            depth -= 1
            continue
        stack[depth + 1] = stack[depth]
        apply(stack[depth + 1], buffers[depth].codes[done[depth]])
        done[depth] += 1
        if stack[depth + 1].turn != turn:
            best = max(best, worth(stack[depth + 1 :], seat))
            continue
        depth += 1
        counts[depth] = legal(stack[depth], buffers[depth])
        done[depth] = 0
    return best


@kernel
def _judge(
    cells: Cells,
    asked: npt.NDArray[np.bool_],
    stack: Cells,
    buffers: ScratchBuffer,
    values: npt.NDArray[np.float64],
    leads: npt.NDArray[np.float64],
) -> None:
    codes = np.zeros(values.shape[1], np.int64)
    for game in range(len(cells)):
        if not asked[game] or cells[game].phase == OVER:
            continue
        seat = int(cells[game].seat)
        turn = int(cells[game].turn)
        leads[game] = worth(cells[game:], seat)
        values[game] = WORST
        count = legal(cells[game], buffers[0])
        for i in range(count):
            codes[i] = buffers[0].codes[i]
        for i in range(count):
            stack[0] = cells[game]
            apply(stack[0], codes[i])
            over = stack[0].turn != turn
            values[game, codes[i]] = worth(stack, seat) if over else _best(stack, buffers, seat)


class Foresight:
    """Values of all codes, and the lead that the seat to move may expect, for each game."""

    def __init__(self, games: int) -> None:
        self.values = np.full((games, DECISIONS), WORST)
        self.leads = np.zeros(games)
        self._stack, self._buffers = new_cells(MOST_STEPS + 2), np.zeros(MOST_STEPS + 2, SCRATCH)

    def look(self, cells: Cells, asked: Any = None) -> None:
        """Evaluate all games, or only these."""
        asked = np.ones(len(cells), np.bool_) if asked is None else asked
        _judge(cells, asked, self._stack, self._buffers, self.values, self.leads)
