"""One game of a batch, step by step: kernels that call the rules, on any device.

Every game has its own random numbers, so that its deals depend neither on its neighbours nor on
what is played.
"""

import numpy as np
import numpy.typing as npt

from patrizier.batch.observation import write_observation
from patrizier.rules.apply import apply
from patrizier.rules.chance import below, deal_order, next_word, seed_game
from patrizier.rules.codes import DECISIONS
from patrizier.rules.jit import inner_kernel
from patrizier.rules.legal import legal
from patrizier.rules.score import TOTAL, totals, winners
from patrizier.rules.scratch import Scratch
from patrizier.rules.state import OVER, StateRecord, set_up

NOBODY = -1  # the seat to move of a finished game
HOLD = -1  # the code with which a game waits; a finished one takes no other


@inner_kernel
def seed_words(
    scratch: Scratch, seed: np.uint64, number: int, game: int, words: npt.NDArray[np.uint64]
) -> None:
    """Seed a game's two generators: one deals, the other chooses at random."""
    seed_game(scratch, seed, number)
    words[game, 0] = scratch.word
    words[game, 1] = next_word(scratch)


@inner_kernel
def deal(state: StateRecord, scratch: Scratch, words: npt.NDArray[np.uint64], game: int) -> None:
    """Deal and set up a game."""
    players = int(state.players)
    scratch.word = words[game, 0]
    deal_order(scratch, players)
    start = below(scratch, players)
    words[game, 0] = scratch.word
    set_up(state, scratch, start)


@inner_kernel
def is_refused(game: int, code: int, legal_codes: npt.NDArray[np.uint8]) -> bool:
    """Whether a game rejects this code."""
    refused = code != HOLD
    for i in range(int(legal_codes[game, 0])):
        refused &= int(legal_codes[game, 1 + i]) != code
    return refused


@inner_kernel
def choose(
    scratch: Scratch,
    game: int,
    legal_codes: npt.NDArray[np.uint8],
    words: npt.NDArray[np.uint64],
) -> int:
    """Return a legal code, drawn uniformly; HOLD in a finished game."""
    count = int(legal_codes[game, 0])
    if count == 0:
        return HOLD
    scratch.word = words[game, 1]
    code = int(legal_codes[game, 1 + below(scratch, count)])
    words[game, 1] = scratch.word
    return code


@inner_kernel
def advance(
    state: StateRecord,
    scratch: Scratch,
    game: int,
    words: npt.NDArray[np.uint64],
    code: int,
    restart: bool,
    table: npt.NDArray[np.int64],
    best: npt.NDArray[np.int64],
    done: npt.NDArray[np.bool_],
    points: npt.NDArray[np.int32],
    shares: npt.NDArray[np.float32],
) -> None:
    """Apply a legal code; reward the seats if that ends the game, and deal the next one."""
    players = int(state.players)
    if done[game]:  # the rewards of a game are those of its last step
        for seat in range(players):
            points[game, seat] = 0
            shares[game, seat] = 0.0
    if state.phase == OVER:
        return
    if code == HOLD:
        done[game] = False
        return
    apply(state, code)
    over = state.phase == OVER
    done[game] = over
    if not over:
        return
    totals(state, table)
    count = winners(players, table, best)
    for seat in range(players):
        points[game, seat] = table[seat, TOTAL]
    for i in range(count):
        shares[game, best[i]] = 1.0 / count
    if restart:
        deal(state, scratch, words, game)


@inner_kernel
def show(
    state: StateRecord,
    scratch: Scratch,
    game: int,
    seats: npt.NDArray[np.int8],
    legal_codes: npt.NDArray[np.uint8],
    row: int,
    masks: npt.NDArray[np.void],
    rows: npt.NDArray[np.void],
) -> None:
    """Write the seat to move, its legal codes and its observation.

    Mask and observation go to this row of theirs; empty buffers are left out.
    """
    seat = int(state.seat)
    seats[game] = NOBODY if state.phase == OVER else seat
    count = legal(state, scratch)
    legal_codes[game, 0] = count
    for i in range(count):
        legal_codes[game, 1 + i] = scratch.codes[i]
    if len(masks) > 0:
        for code in range(DECISIONS):
            masks[row].legal[code] = 0
        for i in range(count):
            masks[row].legal[scratch.codes[i]] = 1
    if len(rows) > 0:
        write_observation(state, seat, rows[row])
