"""Random numbers: an explicit generator, the same on every platform.

SplitMix64 over one unsigned word, bounded numbers without bias (Lemire's method with
rejection), Fisher-Yates shuffles. Two calls with the same seed give the same game, today
and after any upgrade of NumPy or Numba.
"""

from typing import Any, TypeAlias

import numpy as np

from patrizier.rules.board import CITY_OF_CARD, HAND, MAX_PLAYERS, PISTOIA
from patrizier.rules.deck import STAR
from patrizier.rules.jit import inner_kernel, kernel, wrapping_kernel
from patrizier.rules.scratch import Scratch
from patrizier.rules.state import StateRecord, in_play

Seed: TypeAlias = int | np.integer[Any] | np.random.Generator

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def word_from(seed: Seed) -> int:
    """Return the initial state of the generator from a seed, or from a NumPy generator."""
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(0, 2**64, dtype=np.uint64))
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise TypeError(f"a seed is an int or a numpy Generator, not {type(seed).__name__}")
    if not 0 <= seed < 2**64:
        raise ValueError("a seed is a whole number from 0 to 2**64 - 1")
    return int(seed)


@wrapping_kernel
def next_word(scratch: Scratch) -> Any:
    """Return the next 64 random bits."""
    word = scratch.word + _GOLDEN
    scratch.word = word
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@inner_kernel
def below(scratch: Scratch, n: int) -> int:
    """Return a uniform whole number from 0 to n - 1."""
    bound = np.uint64(n)
    product = (next_word(scratch) >> _S32) * bound
    if (product & _LOW) < bound:
        threshold = ((_LOW - bound) + np.uint64(1)) % bound
        while (product & _LOW) < threshold:
            product = (next_word(scratch) >> _S32) * bound
    return np.int64(product >> _S32)  # type: ignore[return-value]


@kernel
def shuffle_order(scratch: Scratch, first: int, end: int) -> None:
    """Shuffle scratch.order[first:end]."""
    for last in range(end - 1, first, -1):
        other = first + below(scratch, last - first + 1) & 63
        card = scratch.order[last & 63]
        scratch.order[last & 63] = scratch.order[other]
        scratch.order[other] = card


@wrapping_kernel
def seed_game(scratch: Scratch, seed: np.uint64, game: int) -> None:
    """Seed one game of a series independently, so that a series can be split anywhere."""
    scratch.word = seed + np.uint64(game + 1) * _MIX_1
    scratch.word = next_word(scratch)


@kernel
def sort_stars(scratch: Scratch, state: StateRecord) -> None:
    """Sort the cards in play: those with a star first."""
    players = int(state.players)
    stars = 0
    n = 0
    for card in range(len(CITY_OF_CARD)):
        if players < MAX_PLAYERS and CITY_OF_CARD[card] == PISTOIA:
            continue
        scratch.sorted[n] = card
        if int(state.faces[card]) & STAR:
            scratch.sorted[n] = scratch.sorted[stars]
            scratch.sorted[stars] = card
            stars += 1
        n += 1
    scratch.stars = stars


@kernel
def deal_order(scratch: Scratch, players: int) -> None:
    """Deal: fill scratch.order with the hands in seat order, then every other card.

    Three star cards for each seat; the other stars are shuffled into the rest.
    """
    for i in range(len(CITY_OF_CARD)):
        scratch.order[i] = scratch.sorted[i]
    shuffle_order(scratch, 0, int(scratch.stars))
    shuffle_order(scratch, HAND * players, in_play(players))
