"""Applies a decision and its automatic consequences."""

from patrizier.rules.board import CITY_OF_CARD, EDGE_CITIES, MAX_CITIES
from patrizier.rules.codes import DRAW, MESSENGER, MOVE, NO_MESSENGER, NO_MOVE, WAYS
from patrizier.rules.deck import (
    FREE_DRAW,
    HEADS_SHIFT,
    NOBLE_SHIFT,
    SECOND_CREST,
    SPECIAL_ACTION,
    STAR,
)
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.legal import can_move, can_post
from patrizier.rules.score import score_city
from patrizier.rules.state import (
    AT_BUILT_CITY,
    BUILDING,
    DRAWING,
    MOVING,
    NONE,
    ON_DISPLAY,
    OVER,
    PLAYED,
    POSTING,
    TAKEN,
    TURN_DONE,
    WITH_MESSENGERS,
    StateRecord,
    clear_turn,
    in_play,
)

# Numba supports negative indices. A mask like `& 7` on an index read from the record tells the
# compiler that it is never negative, which saves a branch.


@inner_kernel
def apply(state: StateRecord, code: int) -> None:
    """Apply a legal decision; if it ends the turn, pass it to the next seat."""
    take(state, code)
    if state.phase == TURN_DONE:
        pass_turn(state)


@inner_kernel
def take(state: StateRecord, code: int) -> None:
    """Apply a legal decision and advance to the next one that is a real choice.

    At the end of a turn the phase is TURN_DONE, and the turn fields are still filled in.
    """
    take_in_phase(state, code, int(state.phase))


@inner_kernel
def take_in_phase(state: StateRecord, code: int, phase: int) -> None:
    """`take` for callers that know the phase: the compiler leaves out the others."""
    if phase == BUILDING:
        _build(state, code & 255)
    card = int(state.card) & 63
    face = int(state.faces[card])
    city = CITY_OF_CARD[card]
    if phase == BUILDING and face & SPECIAL_ACTION and can_move(state):
        state.phase = MOVING
        return

    if phase == MOVING and code != NO_MOVE:
        _move(state, (code - MOVE) & 31)
    if phase <= MOVING and (face & FREE_DRAW or state.display[city] == NONE):
        state.free = 1
        choices = 0
        city = NONE
        for other in range(MAX_CITIES):
            lies = state.display[other] != NONE
            choices += int(lies)
            city = other if lies else city
        if choices > 1:
            state.phase = DRAWING
            return

    if phase == DRAWING:
        city = code - DRAW
    if phase <= DRAWING:
        if city != NONE:
            _draw(state, city & 15)
        # The rules come first: stars are unpredictable, and a mispredicted branch is expensive.
        if int(state.rules) & WITH_MESSENGERS and face & STAR and can_post(state):
            state.phase = POSTING
            return

    if phase == POSTING and code != NO_MESSENGER:
        _post(state, (code - MESSENGER) & 15)
    if int(state.rules) & AT_BUILT_CITY:  # scored after the messenger
        built = CITY_OF_CARD[card]
        if state.missing[built] == 0:
            score_city(state, built)
    state.phase = TURN_DONE


@inner_kernel
def pass_turn(state: StateRecord) -> None:
    """Hand the turn to the next seat, or end the game."""
    clear_turn(state)
    turn = int(state.turn) + 1
    players = int(state.players)
    seat = int(state.seat) + 1
    state.turn = turn
    state.seat = 0 if seat == players else seat
    state.phase = OVER if turn == in_play(players) else BUILDING


@inner_kernel
def _build(state: StateRecord, code: int) -> None:
    """Move a card from hand to pile and add its floors; score the city if that completes it."""
    card = code // WAYS
    way = code % WAYS
    seat = int(state.seat) & 7
    slot = int(state.hands[seat, 1] == card) + 2 * int(state.hands[seat, 2] == card)
    state.hands[seat, slot] = NONE
    state.card = card
    state.way = way
    state.free = 0
    state.where[card] = PLAYED + seat
    state.tops[seat] = card
    face = int(state.faces[card])
    state.heads[seat, face >> NOBLE_SHIFT & 3] += face >> HEADS_SHIFT
    city = CITY_OF_CARD[card]
    crests = 1 + (face & SECOND_CREST)
    _add_floors(state, city, 0, seat, crests - way)
    _add_floors(state, city, 1, seat, way)
    state.supply[seat] -= crests
    state.missing[city] -= crests
    if state.missing[city] == 0 and not int(state.rules) & AT_BUILT_CITY:
        score_city(state, city)


@inner_kernel
def _add_floors(state: StateRecord, city: int, site: int, owner: int, count: int) -> None:
    """Add none, one or two floors, without branches."""
    height = int(state.heights[city, site]) & 15
    state.floors[city, site, height] = owner if count > 0 else NONE
    state.floors[city, site, height + 1] = owner if count > 1 else NONE
    state.heights[city, site] = height + count
    state.counts[city, site, owner] += count


@kernel
def _move(state: StateRecord, tower: int) -> None:
    """Move the top floor of a tower to the other site of its city."""
    city = tower >> 1
    site = tower & 1
    top = (int(state.heights[city, site]) - 1) & 15
    owner = int(state.floors[city, site, top]) & 7
    state.floors[city, site, top] = NONE
    state.heights[city, site] = top
    state.counts[city, site, owner] -= 1
    _add_floors(state, city, 1 - site, owner, 1)
    state.moved = tower


@inner_kernel
def _draw(state: StateRecord, city: int) -> None:
    """Take the card lying at a city, and refill its space."""
    seat = int(state.seat) & 7
    card = int(state.display[city]) & 63
    # The seat has just played from a full hand: exactly one slot is empty.
    slot = int(state.hands[seat, 1] == NONE) + 2 * int(state.hands[seat, 2] == NONE)
    state.hands[seat, slot] = card
    state.where[card] = TAKEN + seat
    state.source = city
    state.drawn = card
    state.display[city] = NONE
    left = int(state.pile_left) - 1
    if left >= 0:
        refill = int(state.pile[left]) & 63
        state.pile[left] = NONE
        state.pile_left = left
        state.display[city] = refill
        state.where[refill] = ON_DISPLAY
        state.refill = refill


@kernel
def _post(state: StateRecord, edge: int) -> None:
    """Lay a messenger between two neighbours."""
    state.messengers[edge] = 1
    state.messengers_at[EDGE_CITIES[edge, 0]] += 1
    state.messengers_at[EDGE_CITIES[edge, 1]] += 1
    state.messengers_left[int(state.seat)] -= 1
    state.edge = edge
