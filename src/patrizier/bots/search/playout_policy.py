"""The playout policy: decisions drawn at random, by the odds of their priors.

Such playouts predict the winner much better than uniform ones. A decision's odds are a product over
the tables of `priors`. Most decisions are builds, so these are optimised: leads in towers and
crests in hands are updated incrementally, and what all builds of a card have in common is looked up
once.
"""

import numpy as np

from patrizier.bots.learned.features import (
    FEW,
    LEADING,
    LEADS,
    SLOPES,
    STAGES,
    is_open,
    kind_of,
    lead_from,
    missing_of,
    slope_of,
    stage_of,
    standing,
)
from patrizier.bots.learned.priors import (
    DRAWN,
    DRAWN_FOR,
    DRAWN_FOR_SCORED,
    FREE,
    MOVED,
    NOTHING_DRAWN,
    PLAYED,
    TOWERS,
    parts_of,
)
from patrizier.rules.apply import apply
from patrizier.rules.board import CITY_OF_CARD, HAND, MAX_CITIES
from patrizier.rules.chance import next_word
from patrizier.rules.codes import BUILD, DRAW, MOVE, WAYS
from patrizier.rules.deck import FREE_DRAW, HEADS_SHIFT, NOBLE_SHIFT, SECOND_CREST
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.legal import legal
from patrizier.rules.score import SET_SIZE
from patrizier.rules.scratch import Scratch
from patrizier.rules.state import BUILDING, DRAWING, MOVING, NONE, OVER, StateRecord, in_play

_CRESTS = 4  # bits per city in a word with the crests of all cities
_MANY = (1 << _CRESTS) - 1
_SHIFT = np.uint64(11)
_UNIT = 2.0**-53  # scales 53 random bits to a number below one


@kernel
def play_by_policy(
    state: StateRecord, scratch: Scratch, features: np.record, weights: np.record
) -> None:
    """Play to the end of the game."""
    reset_features(state, features)
    while state.phase != OVER:
        seat = int(state.seat) & 7
        phase = int(state.phase)
        if phase == BUILDING:
            count = list_builds(state, scratch, features, weights)
        else:
            count = list_others(state, scratch, features, weights)
        code = pick(scratch, features, count)
        city = first = end = 0  # the towers that change: one place to update them compiles faster
        if phase == BUILDING:
            card = code // WAYS
            right = code - card * WAYS
            city = int(CITY_OF_CARD[card]) & 15
            left = 1 + (int(state.faces[card]) & SECOND_CREST) - right
            first = 0 if left > 0 else 1
            end = 2 if right > 0 else 1
        elif phase == MOVING and code >= MOVE:
            city = (code - MOVE) >> 1
            end = 2
        apply(state, code)
        for site in range(first, end):
            _update_leads(state, features, city, site)
        _update_hand(state, features, seat)


@inner_kernel
def reset_features(state: StateRecord, features: np.record) -> None:
    """Compute all features that are updated incrementally."""
    for city in range(MAX_CITIES):
        if is_open(state, city):
            for site in range(2):
                _update_leads(state, features, city, site)
    features.all_held = 0
    for seat in range(int(state.players)):
        features.held_by[seat] = 0
        _update_hand(state, features, seat)


@inner_kernel
def _update_leads(state: StateRecord, features: np.record, city: int, site: int) -> None:
    """Update every seat's lead in a tower."""
    holder, most, second = standing(state, city, site)
    for seat in range(int(state.players)):
        own = int(state.counts[city, site, seat])
        features.leads[city, site, seat] = lead_from(own, holder, most, second, seat)


@inner_kernel
def _update_hand(state: StateRecord, features: np.record, seat: int) -> None:
    """Update the crests in a hand, and its portraits together with those played."""
    crests = 0
    heads = 0
    for slot in range(HAND):
        card = int(state.hands[seat, slot])
        if card >= 0:
            face = int(state.faces[card])
            crests += (1 + (face & SECOND_CREST)) << _CRESTS * int(CITY_OF_CARD[card])
            heads += face >> HEADS_SHIFT << 8 * (face >> NOBLE_SHIFT & 3)
    features.all_held += crests - features.held_by[seat]
    features.held_by[seat] = crests
    for noble in range(3):
        count = int(state.heads[seat, noble]) + (heads >> 8 * noble & 255)
        features.open_set[seat, noble] = count % SET_SIZE


@inner_kernel
def pick(scratch: Scratch, features: np.record, count: int) -> int:
    """Draw one of the listed decisions by their odds."""
    total = 0.0
    for i in range(count):
        total += features.odds[i]
    rest = float(np.int64(next_word(scratch) >> _SHIFT)) * _UNIT * total
    picked = 0
    for i in range(count - 1):
        rest -= features.odds[i]
        picked += int(rest >= 0.0)
    return int(scratch.codes[picked])


@inner_kernel
def list_others(
    state: StateRecord, scratch: Scratch, features: np.record, weights: np.record
) -> int:
    """List all legal decisions other than builds, with their odds; return how many."""
    players = int(state.players)
    stage = stage_of((in_play(players) - int(state.turn) + players - 1) // players)
    count = legal(state, scratch)
    for i in range(count):
        code = int(scratch.codes[i])
        if state.phase == DRAWING:
            card = int(state.display[(code - DRAW) & 15])
            features.odds[i] = _odds_of_draw(state, features, weights, card, stage, 1)
        elif state.phase == MOVING and code >= MOVE:
            features.odds[i] = _odds_of_move(state, features, weights, (code - MOVE) & 31)
        else:
            odds = 1.0
            for part in range(parts_of(state, code, features, features.parts)):
                odds *= weights.odds[features.parts[part]]
            features.odds[i] = odds
    return count


@inner_kernel
def _odds_of_move(state: StateRecord, features: np.record, weights: np.record, tower: int) -> float:
    seat = int(state.seat) & 7
    city = tower >> 1
    site = tower & 1
    top = int(state.floors[city, site, int(state.heights[city, site]) - 1])
    whose = 0
    if top != seat:
        whose = 2 if features.leads[city, 1 - site, seat] >= LEADING else 1
    row = missing_of(state, city) * SLOPES + slope_of(state, city, site)
    return float(
        weights.odds[MOVED + (row * LEADS + int(features.leads[city, site, seat])) * 3 + whose]
    )


@inner_kernel
def list_builds(
    state: StateRecord, scratch: Scratch, features: np.record, weights: np.record
) -> int:
    """List all legal builds with their odds; return how many."""
    seat = int(state.seat) & 7
    players = int(state.players)
    stage = stage_of((in_play(players) - int(state.turn) + players - 1) // players)
    own = int(features.held_by[seat])
    others = int(features.all_held) - own
    count = 0
    for slot in range(HAND):
        card = int(state.hands[seat, slot])
        if card < 0:
            continue
        face = int(state.faces[card])
        city = int(CITY_OF_CARD[card]) & 15
        crests = 1 + (face & SECOND_CREST)
        more = min((own >> _CRESTS * city & _MANY) - 1, FEW - 1)
        rivals = min(others >> _CRESTS * city & _MANY, FEW - 1)
        slope = slope_of(state, city, 0)
        row = missing_of(state, city) * SLOPES
        here = int(features.leads[city, 0, seat])
        there = int(features.leads[city, 1, seat])
        left = ((row + slope) * LEADS + here) * LEADS + there
        right = ((row + SLOPES - 1 - slope) * LEADS + there) * LEADS + here
        left = TOWERS + ((left * FEW + more) * FEW + rivals) * 3
        right = TOWERS + ((right * FEW + more) * FEW + rivals) * 3
        odds = weights.odds[PLAYED + kind_of(face) * STAGES + stage]
        if face & FREE_DRAW:
            odds *= weights.odds[FREE]
        else:
            odds *= _odds_of_draw(state, features, weights, int(state.display[city]), stage, 0)
        # As in `legal`: the last floors may not leave a site empty.
        last = state.missing[city] == crests
        first = BUILD + WAYS * card
        if not (last and state.heights[city, 1] == 0):
            scratch.codes[count] = first
            features.odds[count] = odds * weights.odds[left + crests - 1]
            count += 1
        if crests == 2:
            scratch.codes[count] = first + 1
            features.odds[count] = odds * weights.odds[left + 2] * weights.odds[right + 2]
            count += 1
        if not (last and state.heights[city, 0] == 0):
            scratch.codes[count] = first + crests
            features.odds[count] = odds * weights.odds[right + crests - 1]
            count += 1
    return count


@inner_kernel
def _odds_of_draw(
    state: StateRecord, features: np.record, weights: np.record, card: int, stage: int, free: int
) -> float:
    """Return the odds of drawing a card, by free draw or after a build."""
    if card < 0:
        return float(weights.odds[NOTHING_DRAWN])
    seat = int(state.seat) & 7
    face = int(state.faces[card])
    heads = 0
    if face >> HEADS_SHIFT:
        heads = int(features.open_set[seat, face >> NOBLE_SHIFT & 3])
    odds = weights.odds[DRAWN + ((kind_of(face) * 3 + heads) * STAGES + stage) * 2 + free]
    city = int(CITY_OF_CARD[card]) & 15
    if state.winners[city, 0] != NONE:
        return float(odds * weights.odds[DRAWN_FOR_SCORED])
    left = int(features.leads[city, 0, seat])
    right = int(features.leads[city, 1, seat])
    row = (missing_of(state, city) * LEADS + max(left, right)) * LEADS + min(left, right)
    row = row * FEW + min(int(features.held_by[seat]) >> _CRESTS * city & _MANY, FEW - 1)
    return float(odds * weights.odds[DRAWN_FOR + row * 2 + (face & SECOND_CREST)])
