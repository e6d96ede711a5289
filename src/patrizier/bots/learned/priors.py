"""Priors over decisions: a softmax over sums of table entries, fitted by self-play.

Nothing depends on card numbers or city names, so it works for every deck.
"""

import numpy as np

from patrizier.bots.learned.features import (
    FEW,
    KINDS,
    LEADING,
    LEADS,
    MISSING,
    SLOPES,
    STAGES,
    kind_of,
    lead_of,
    missing_of,
    slope_of,
    stage_of,
)
from patrizier.rules.board import CITY_OF_CARD, EDGE_CITIES, HAND
from patrizier.rules.codes import DRAW, MESSENGER, MOVE, NO_MESSENGER, NO_MOVE, WAYS
from patrizier.rules.deck import FREE_DRAW, HEADS_SHIFT, NOBLE_SHIFT, SECOND_CREST
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.state import NONE, StateRecord, in_play

# Offsets of the tables.
TOWERS = 0  # a tower that gets one floor, both, or one of two
PLAYED = TOWERS + MISSING * SLOPES * LEADS * LEADS * FEW * FEW * 3
DRAWN = PLAYED + KINDS * STAGES
DRAWN_FOR = DRAWN + KINDS * 3 * STAGES * 2
MOVED = DRAWN_FOR + MISSING * LEADS * LEADS * FEW * 2
_POSTED = MOVED + MISSING * SLOPES * LEADS * 3
_SINGLE = _POSTED + MISSING * LEADS * 2
FREE, NOTHING_DRAWN, DRAWN_FOR_SCORED, _POSTED_AT_SCORED = (_SINGLE + i for i in (8, 9, 10, 12))
_NO_MOVE = _SINGLE
_NO_MESSENGER = _SINGLE + 16
PRIORS = _SINGLE + 40

MOST_PARTS = 6  # most table entries of one decision


@kernel
def parts_of(state: StateRecord, code: int, features: np.record, parts: np.ndarray) -> int:
    """List the indices of a decision's table entries; return how many.

    Call `count_crests` first.
    """
    players = int(state.players)
    stage = stage_of((in_play(players) - int(state.turn) + players - 1) // players)
    if code < NO_MOVE:
        return _build(state, code, features, stage, parts)
    if code == NO_MOVE:
        parts[0] = _NO_MOVE + stage
        return 1
    if code < DRAW:
        parts[0] = MOVED + _move(state, code - MOVE)
        return 1
    if code < NO_MESSENGER:
        return _draw(state, int(state.display[code - DRAW]), features, stage, 1, parts, 0)
    if code == NO_MESSENGER:
        parts[0] = _NO_MESSENGER + stage
        return 1
    for end in range(2):
        parts[end] = _post(state, int(EDGE_CITIES[code - MESSENGER, end]))
    return 2


@inner_kernel
def _build(
    state: StateRecord, code: int, features: np.record, stage: int, parts: np.ndarray
) -> int:
    seat = int(state.seat)
    card = code // WAYS
    right = code - card * WAYS
    face = int(state.faces[card])
    city = int(CITY_OF_CARD[card])
    crests = 1 + (face & SECOND_CREST)
    more = min(int(features.crests[seat, city]) - 1, FEW - 1)
    others = min(int(features.all_crests[city]) - int(features.crests[seat, city]), FEW - 1)
    n = 0
    for site in range(2):
        floors = right if site == 1 else crests - right
        if floors > 0:
            how = 0 if crests == 1 else 1 if floors == 2 else 2
            row = missing_of(state, city) * SLOPES + slope_of(state, city, site)
            row = row * LEADS + lead_of(state, city, site, seat)
            row = row * LEADS + lead_of(state, city, 1 - site, seat)
            parts[n] = TOWERS + ((row * FEW + more) * FEW + others) * 3 + how
            n += 1
    parts[n] = PLAYED + kind_of(face) * STAGES + stage
    n += 1
    if face & FREE_DRAW:  # the draw is a decision of its own
        parts[n] = FREE
        return n + 1
    return _draw(state, int(state.display[city]), features, stage, 0, parts, n)


@inner_kernel
def _draw(
    state: StateRecord,
    card: int,
    features: np.record,
    stage: int,
    free: int,
    parts: np.ndarray,
    n: int,
) -> int:
    """Add the entries of a drawn card: for its portraits with one's own, and for its city."""
    if card < 0:
        parts[n] = NOTHING_DRAWN
        return n + 1
    seat = int(state.seat)
    face = int(state.faces[card])
    heads = 0
    if face >> HEADS_SHIFT:
        noble = face >> NOBLE_SHIFT & 3
        heads = int(state.heads[seat, noble])
        for slot in range(HAND):
            own = int(state.hands[seat, slot])
            if own >= 0 and int(state.faces[own]) >> NOBLE_SHIFT & 3 == noble:
                heads += int(state.faces[own]) >> HEADS_SHIFT
        heads %= 3
    parts[n] = DRAWN + ((kind_of(face) * 3 + heads) * STAGES + stage) * 2 + free
    city = int(CITY_OF_CARD[card])
    if state.winners[city, 0] != NONE:
        parts[n + 1] = DRAWN_FOR_SCORED
        return n + 2
    left = lead_of(state, city, 0, seat)
    right = lead_of(state, city, 1, seat)
    row = (missing_of(state, city) * LEADS + max(left, right)) * LEADS + min(left, right)
    row = row * FEW + min(int(features.crests[seat, city]), FEW - 1)
    parts[n + 1] = DRAWN_FOR + row * 2 + (face & SECOND_CREST)
    return n + 2


@inner_kernel
def _move(state: StateRecord, tower: int) -> int:
    seat = int(state.seat)
    city = tower >> 1
    site = tower & 1
    top = int(state.floors[city, site, int(state.heights[city, site]) - 1])
    whose = 0
    if top != seat:
        whose = 2 if lead_of(state, city, 1 - site, seat) >= LEADING else 1
    row = missing_of(state, city) * SLOPES + slope_of(state, city, site)
    return (row * LEADS + lead_of(state, city, site, seat)) * 3 + whose


@inner_kernel
def _post(state: StateRecord, city: int) -> int:
    """Return the entry of a messenger at a city."""
    if state.winners[city, 0] != NONE:
        return _POSTED_AT_SCORED
    seat = int(state.seat)
    left = lead_of(state, city, 0, seat)
    right = lead_of(state, city, 1, seat)
    both = 1 if min(left, right) >= LEADING else 0
    return _POSTED + (missing_of(state, city) * LEADS + max(left, right)) * 2 + both
