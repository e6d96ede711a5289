"""Mirrored decisions: searched once."""

from patrizier.rules.board import CITY_OF_CARD
from patrizier.rules.codes import WAYS
from patrizier.rules.deck import SECOND_CREST
from patrizier.rules.jit import inner_kernel
from patrizier.rules.scratch import Scratch
from patrizier.rules.state import BUILDING, StateRecord


@inner_kernel
def drop_mirrored(state: StateRecord, scratch: Scratch, count: int) -> int:
    """Drop mirror images of other decisions: the right site of a city without floors."""
    if state.phase != BUILDING:
        return count
    kept = 0
    for i in range(count):
        code = int(scratch.codes[i])
        card = code // WAYS
        right = code - card * WAYS
        city = int(CITY_OF_CARD[card])
        crests = 1 + (int(state.faces[card]) & SECOND_CREST)
        bare = int(state.heights[city, 0]) + int(state.heights[city, 1]) == 0
        if not (bare and right == crests):
            scratch.codes[kept] = code
            kept += 1
    return kept
