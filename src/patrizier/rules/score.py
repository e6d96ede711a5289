"""Scoring: towers, cities, the end of the game."""

import numpy as np
import numpy.typing as npt

from patrizier.rules.board import MAX_CITIES, MAX_PLAYERS, TOKEN_POINTS
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.state import NONE, WITH_MESSENGERS, StateRecord

SET_SIZE = 3  # portraits of the same noble
SET_POINTS = 6  # for a set of them
CHIP_POINTS = 2  # for each messenger at a tower won
PENALTY = -3

# Columns of `totals`.
TOKENS, SETS, CHIPS, MINUS, TOTAL, FLOORS = range(6)


@inner_kernel
def leader(state: StateRecord, city: int, site: int) -> int:
    """Return who has most floors in a tower, the highest floor breaking ties; NONE if empty."""
    most = 0
    for seat in range(MAX_PLAYERS):
        most = max(most, int(state.counts[city, site, seat]))
    level = int(state.heights[city, site]) - 1
    while level > 0 and state.counts[city, site, int(state.floors[city, site, level])] < most:
        level -= 1
    return int(state.floors[city, site, level]) if level >= 0 else NONE


@inner_kernel
def score_city(state: StateRecord, city: int) -> None:
    """Give the tokens of a complete city, and the chips of its messengers, to the winners."""
    taller = 0 if state.heights[city, 0] > state.heights[city, 1] else 1
    chips = CHIP_POINTS * int(state.messengers_at[city])
    for token in range(2):
        winner = leader(state, city, taller if token == 0 else 1 - taller)
        state.winners[city, token] = winner
        state.tokens[winner] += TOKEN_POINTS[city, token]
        state.chips[winner] += chips
    state.scored = city


@kernel
def penalised(state: StateRecord) -> int:
    """Return the seat that takes the minus chip, or NONE.

    The seat in the fewest towers of cities with messengers; if tied, the one with the fewest
    floors there; if still tied, nobody.
    """
    if not int(state.rules) & WITH_MESSENGERS:
        return NONE
    worst = NONE
    fewest = 1 << 30
    for seat in range(int(state.players)):
        towers = 0
        floors = 0
        for city in range(MAX_CITIES):
            if state.messengers_at[city] == 0:
                continue
            for site in range(2):
                own = int(state.counts[city, site, seat])
                towers += int(own > 0)
                floors += own
        presence = towers * 1000 + floors
        if presence < fewest:
            fewest = presence
            worst = seat
        elif presence == fewest:
            worst = NONE
    return worst


@kernel
def totals(state: StateRecord, out: npt.NDArray[np.int64]) -> None:
    """Fill out[seat] with points of tokens, sets, chips, minus, their sum, and the floors built."""
    worst = penalised(state)
    for seat in range(int(state.players)):
        sets = 0
        for noble in range(3):
            sets += int(state.heads[seat, noble]) // SET_SIZE
        out[seat, TOKENS] = int(state.tokens[seat])
        out[seat, SETS] = SET_POINTS * sets
        out[seat, CHIPS] = int(state.chips[seat])
        out[seat, MINUS] = PENALTY if seat == worst else 0
        out[seat, TOTAL] = out[seat, TOKENS] + out[seat, SETS] + out[seat, CHIPS] + out[seat, MINUS]
        out[seat, FLOORS] = floors_built(state, seat)


@kernel
def floors_built(state: StateRecord, seat: int) -> int:
    """Return how many floors of a seat stand on the board."""
    from_start = 39 if state.players == 2 else 29 if state.players == 3 else 21
    return from_start - int(state.supply[seat])


@kernel
def winners(players: int, table: npt.NDArray[np.int64], out: npt.NDArray[np.int64]) -> int:
    """Fill ``out`` with the winning seats, from the table of `totals`; return how many.

    Most points; then fewest floors on the board; then the victory is shared.
    """
    best = -(1 << 30)
    count = 0
    for seat in range(players):
        rank = 1000 * table[seat, TOTAL] - table[seat, FLOORS]
        if rank > best:
            best = rank
            count = 0
        if rank == best:
            out[count] = seat
            count += 1
    return count
