"""Whole games in compiled code: random play to the end, many games in a row."""

import numpy as np
import numpy.typing as npt

from patrizier.rules.apply import apply
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.chance import below, deal_order, seed_game, sort_stars
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.legal import legal
from patrizier.rules.score import totals, winners
from patrizier.rules.scratch import Scratch, ScratchBuffer
from patrizier.rules.state import OVER, Cells, StateRecord, set_up


@inner_kernel
def playout(state: StateRecord, scratch: Scratch) -> int:
    """Play uniformly random decisions to the end; return how many."""
    decisions = 0
    while state.phase != OVER:
        apply(state, scratch.codes[below(scratch, legal(state, scratch))])
        decisions += 1
    return decisions


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
