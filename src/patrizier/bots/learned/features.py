"""Features of a position: small integers that index tables.

The feature of a tower combines the floors its city still needs, its height relative to the other
tower, a seat's lead in it, and who holds cards of that city; the feature of a city combines both
towers. Cities differ by capacity only: Bologna and Roma have the same features. Hidden cards have
been sampled before.
"""

import numpy as np

from patrizier.rules.board import (
    CAPACITY,
    CITIES,
    CITY_OF_CARD,
    HAND,
    MAX_CITIES,
    MAX_PLAYERS,
    PISTOIA,
)
from patrizier.rules.deck import FREE_DRAW, HEADS_SHIFT, SECOND_CREST, SPECIAL_ACTION, STAR
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.state import NONE, StateRecord, in_play

_SIZES = sorted({city.capacity for city in CITIES})

MISSING = sum(size + 1 for size in _SIZES)  # missing floors of a city, by its capacity
SLOPES = 5  # two or more lower .. two or more higher than the other tower
LEADS = 7  # far behind .. far ahead
EXACT_LEADS = 10  # the same, finer
STEPS = 4  # how much higher the taller tower of a city is: not at all .. three floors or more
FEW = 3  # crests in hands: none, one, more
STAGES = 6  # of the game, by remaining turns of a seat: the last first
KINDS = 8  # of cards

EMPTY_TOWER = 3  # a lead: nobody has built yet
LEADING = 4  # from this lead on, the seat holds the tower

# The first value of `missing_of` for each city.
MISSING_FROM = np.array([sum(s + 1 for s in _SIZES if s < city.capacity) for city in CITIES])
assert MISSING_FROM.max() + CAPACITY.max() == MISSING - 1


@inner_kernel
def is_open(state: StateRecord, city: int) -> bool:
    """Whether a city is in play and not yet scored."""
    return bool(
        state.winners[city, 0] == NONE and (city != PISTOIA or state.players == MAX_PLAYERS)
    )


@inner_kernel
def missing_of(state: StateRecord, city: int) -> int:
    """Return the index of a city's capacity and missing floors."""
    return int(MISSING_FROM[city]) + int(state.missing[city])


@inner_kernel
def slope_of(state: StateRecord, city: int, site: int) -> int:
    """Return a tower's height relative to the other one, clipped."""
    slope = int(state.heights[city, site]) - int(state.heights[city, 1 - site])
    return max(-2, min(2, slope)) + 2


@inner_kernel
def standing(state: StateRecord, city: int, site: int) -> tuple[int, int, int]:
    """Return who holds a tower, the holder's floors, and the most floors of anybody else."""
    holder = NONE
    most = 0
    second = 0
    for seat in range(int(state.players)):
        own = int(state.counts[city, site, seat])
        second = max(second, min(own, most))
        holder = seat if own > most else holder
        most = max(most, own)
    if most == second and most > 0:  # the highest floor decides
        level = int(state.heights[city, site]) - 1
        while int(state.counts[city, site, int(state.floors[city, site, level])]) < most:
            level -= 1
        holder = int(state.floors[city, site, level])
    return holder, most, second


@inner_kernel
def taller_of(state: StateRecord, city: int) -> int:
    """Return a city's taller tower; of equals, the one better for the seats next to move.

    Left and right must not matter: ties are broken by floors in turn order, then by holders.
    """
    step = int(state.heights[city, 0]) - int(state.heights[city, 1])
    seat = int(state.seat)
    players = int(state.players)
    for _ in range(players):
        if step != 0:
            break
        step = int(state.counts[city, 0, seat]) - int(state.counts[city, 1, seat])
        seat = seat + 1 if seat + 1 < players else 0
    if step == 0 and state.heights[city, 0] > 0:
        left = standing(state, city, 0)[0]
        right = standing(state, city, 1)[0]
        step = (right - seat + players) % players - (left - seat + players) % players
    return 1 if step < 0 else 0


@inner_kernel
def lead_from(own: int, holder: int, most: int, second: int, seat: int) -> int:
    """Return a seat's lead in a tower, given the tower's `standing`."""
    if most == 0:
        return EMPTY_TOWER
    if seat == holder:
        return LEADING + min(own - second, 2)
    return 2 - min(most - own, 2)


@kernel
def lead_of(state: StateRecord, city: int, site: int, seat: int) -> int:
    """Return a seat's lead in a tower, from 0 (far behind) to 6 (far ahead)."""
    holder, most, second = standing(state, city, site)
    return lead_from(int(state.counts[city, site, seat]), holder, most, second, seat)


@inner_kernel
def exact_lead_from(own: int, holder: int, most: int, second: int, seat: int) -> int:
    """Return a seat's lead in a tower, from 0 (three floors behind) to 9 (four ahead)."""
    if most == 0:
        return 4
    if seat == holder:
        return 5 + min(own - second, 4)
    return 3 - min(most - own, 3)


@inner_kernel
def count_crests(state: StateRecord, features: np.record) -> None:
    """Count the crests in all hands."""
    for city in range(MAX_CITIES):
        features.all_crests[city] = 0
    for seat in range(int(state.players)):
        for city in range(MAX_CITIES):
            features.crests[seat, city] = 0
        for slot in range(HAND):
            card = int(state.hands[seat, slot])
            if card >= 0:
                city = int(CITY_OF_CARD[card])
                count = 1 + (int(state.faces[card]) & SECOND_CREST)
                features.crests[seat, city] += count
                features.all_crests[city] += count


@inner_kernel
def rounds_left(state: StateRecord, seat: int) -> int:
    """Return the number of turns left to a seat, including the current one."""
    players = int(state.players)
    distance = (seat - int(state.seat) + players) % players
    return (in_play(players) - int(state.turn) - distance + players - 1) // players


@inner_kernel
def stage_of(left: int) -> int:
    """Return the stage of the game for a seat with this many turns left."""
    return min(STAGES - 1, (left + 3) >> 2)


def _kind(face: int) -> int:
    heads = face >> HEADS_SHIFT
    if face & SECOND_CREST:
        return 0
    if heads == 2:
        return 1
    if heads == 1:
        return 3 if face & STAR else 2
    if face & FREE_DRAW:
        return 4
    if face & SPECIAL_ACTION:
        return 5
    return 6


_KIND_OF_FACE = np.array([_kind(face) for face in range(256)])


@inner_kernel
def kind_of(face: int) -> int:
    """Return the kind of a card: by crests, portraits or power."""
    return int(_KIND_OF_FACE[face])
