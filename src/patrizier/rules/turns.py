"""Whole turns: the legal ones, and counts of their sequences (perft)."""

import numpy as np
import numpy.typing as npt

from patrizier.rules.apply import pass_turn, take
from patrizier.rules.jit import kernel
from patrizier.rules.legal import legal
from patrizier.rules.scratch import ScratchBuffer
from patrizier.rules.state import NONE, OVER, TURN_DONE, Cells, StateRecord

TURN_COLUMNS = 5  # card, way, tower moved from, city of a free draw, edge of a messenger
MOST_STEPS = 4  # decisions in a turn: build, move, draw, messenger


@kernel
def write_turn(state: StateRecord, row: npt.NDArray[np.int8]) -> None:
    """Write the finished turn as in the game record: a draw only if it was free."""
    row[0] = state.card
    row[1] = state.way
    row[2] = state.moved
    row[3] = state.source if state.free == 1 else NONE
    row[4] = state.edge


@kernel
def list_turns(stack: Cells, buffers: ScratchBuffer, rows: npt.NDArray[np.int8]) -> int:
    """Write all legal turns from stack[0], or all completions of its turn; return how many.

    The count is right even if there are more turns than rows.
    """
    return _walk(stack, buffers, 1, rows)


@kernel
def count_sequences(stack: Cells, buffers: ScratchBuffer, turns: int) -> int:
    """Return how many sequences of this many legal turns start in stack[0] ("perft")."""
    return _walk(stack, buffers, turns, np.empty((0, TURN_COLUMNS), np.int8))


@kernel
def _walk(stack: Cells, buffers: ScratchBuffer, turns: int, rows: npt.NDArray[np.int8]) -> int:
    """Visit all sequences of turns, depth first; write the last turn of each.

    The stack needs ``MOST_STEPS * turns + 1`` states, with a scratch record for each.
    """
    counts = np.zeros(len(stack), np.int64)
    done = np.zeros(len(stack), np.int64)
    last = int(stack[0].turn) + turns
    found = 0
    depth = 0
    counts[0] = legal(stack[0], buffers[0])
    while depth >= 0:
        if done[depth] == counts[depth]:
            depth -= 1
            continue
        stack[depth + 1] = stack[depth]
        state = stack[depth + 1]
        take(state, buffers[depth].codes[done[depth]])
        done[depth] += 1
        if state.phase == TURN_DONE:
            if found < len(rows):
                write_turn(state, rows[found])
            pass_turn(state)
            if state.turn == last or state.phase == OVER:
                found += 1
                continue
        depth += 1
        counts[depth] = legal(state, buffers[depth])
        done[depth] = 0
    return found
