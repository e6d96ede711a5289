"""Whole games in compiled code: random play to the end, many games in a row."""

import numpy as np
import numpy.typing as npt

from patrizier.rules.apply import apply, pass_turn, take_in_phase
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.chance import below, deal_order, seed_game, sort_stars
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.legal import legal, legal_in_phase
from patrizier.rules.score import totals, winners
from patrizier.rules.scratch import Scratch, ScratchBuffer
from patrizier.rules.state import (
    BUILDING,
    DRAWING,
    MOVING,
    OVER,
    POSTING,
    Cells,
    StateRecord,
    set_up,
)


@inner_kernel
def playout(state: StateRecord, scratch: Scratch) -> int:
    """Play uniformly random decisions to the end; return how many."""
    decisions = 0
    while state.phase != OVER:
        # Phase by phase, not in a loop: compiled for each one, a decision needs no jump by phase.
        decisions += _decide(state, scratch, BUILDING)
        decisions += _decide(state, scratch, MOVING)
        decisions += _decide(state, scratch, DRAWING)
        decisions += _decide(state, scratch, POSTING)
        pass_turn(state)
    return decisions


@inner_kernel
def _decide(state: StateRecord, scratch: Scratch, phase: int) -> int:
    """Decide at random if the turn is in this phase; return how many decisions that took."""
    if state.phase != phase:
        return 0
    code = scratch.codes[below(scratch, legal_in_phase(state, scratch, phase))]
    take_in_phase(state, code, phase)
    return 1


@inner_kernel
def _begin(state: StateRecord, scratch: Scratch, seed: np.uint64, game: int) -> int:
    """Deal and set up one game of a series; return the seat that starts."""
    players = int(state.players)
    seed_game(scratch, seed, game)
    deal_order(scratch, players)
    start = below(scratch, players)
    set_up(state, scratch, start)
    return start


@kernel
def play_games(
    cells: Cells,
    buffer: ScratchBuffer,
    seed: np.uint64,
    first: int,
    tables: npt.NDArray[np.int64],
    shares: npt.NDArray[np.float64],
    starts: npt.NDArray[np.int64],
) -> int:
    """Play random games number ``first`` onwards; return how many decisions they took.

    ``cells[0]`` holds players, rules and deck. Each game's points go to ``tables[game]``, the
    shares of victory to ``shares[game]``, the first seat to ``starts[game]``.
    """
    state = cells[0]
    scratch = buffer[0]
    players = int(state.players)
    best = np.empty(MAX_PLAYERS, np.int64)
    decisions = 0
    sort_stars(scratch, state)
    for game in range(len(tables)):
        starts[game] = _begin(state, scratch, seed, first + game)
        decisions += playout(state, scratch)
        totals(state, tables[game])
        n = winners(players, tables[game], best)
        for seat in range(players):
            shares[game, seat] = 0.0
        for i in range(n):
            shares[game, best[i]] = 1.0 / n
    return decisions


@kernel
def play_game(
    cells: Cells, buffer: ScratchBuffer, seed: np.uint64, game: int, codes: npt.NDArray[np.int64]
) -> int:
    """Play one of the games of `play_games`, and write its decisions; return how many.

    The deal stays in the scratch buffer.
    """
    state = cells[0]
    scratch = buffer[0]
    sort_stars(scratch, state)
    _begin(state, scratch, seed, game)
    decisions = 0
    while state.phase != OVER:
        code = scratch.codes[below(scratch, legal(state, scratch))]
        codes[decisions] = code
        apply(state, code)
        decisions += 1
    return decisions


@kernel
def copy_states(cells: Cells, count: int) -> int:
    """Copy a state back and forth, for the benchmark."""
    for i in range(count):
        cells[1 - (i & 1)] = cells[i & 1]
        cells[1].turn = i & 31
    return int(cells[0].turn)
