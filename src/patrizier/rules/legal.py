"""Legal decisions: builds, special actions, draws, messengers."""

from patrizier.rules.board import (
    CITY_OF_CARD,
    EDGE_CITIES,
    EDGES,
    HAND,
    MAX_CITIES,
    MAX_PLAYERS,
    PISTOIA,
)
from patrizier.rules.codes import BUILD, DRAW, MESSENGER, MOVE, NO_MESSENGER, NO_MOVE, WAYS
from patrizier.rules.deck import SECOND_CREST
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.scratch import Scratch
from patrizier.rules.state import (
    AT_BUILT_CITY,
    BUILDING,
    DRAWING,
    MOVING,
    NONE,
    POSTING,
    StateRecord,
)

_MOST_AT_A_CITY = 2  # messengers


@inner_kernel
def legal(state: StateRecord, scratch: Scratch) -> int:
    """Fill scratch.codes with the codes of all legal decisions; return how many."""
    return legal_in_phase(state, scratch, int(state.phase))


@inner_kernel
def legal_in_phase(state: StateRecord, scratch: Scratch, phase: int) -> int:
    """`legal` for callers that know the phase: the compiler leaves out the others."""
    if phase == BUILDING:
        return _builds(state, scratch)
    if phase == DRAWING:
        return _draws(state, scratch)
    if phase == MOVING:
        scratch.codes[0] = NO_MOVE
        return _moves(state, scratch, 1)
    if phase == POSTING:
        scratch.codes[0] = NO_MESSENGER
        return _postings(state, scratch, 1)
    return 0


@kernel
def is_legal(state: StateRecord, code: int, scratch: Scratch) -> bool:
    """Whether a decision is legal now."""
    for i in range(legal(state, scratch)):
        if scratch.codes[i] == code:
            return True
    return False


@inner_kernel
def _builds(state: StateRecord, scratch: Scratch) -> int:
    n = 0
    seat = int(state.seat) & 7
    for slot in range(HAND):
        card = int(state.hands[seat, slot])
        if card < 0:
            continue
        city = CITY_OF_CARD[card]
        crests = 1 + (int(state.faces[card]) & SECOND_CREST)
        # Each tower needs a floor: the last floors may not leave a site empty.
        last = state.missing[city] == crests
        fewest = int(last & (state.heights[city, 1] == 0))  # floors that may go to the right
        most = crests - int(last & (state.heights[city, 0] == 0))
        first = BUILD + WAYS * card + fewest
        scratch.codes[n] = first  # write all three, then count: cheaper than branching
        scratch.codes[n + 1] = first + 1
        scratch.codes[n + 2] = first + 2
        n += 1 + most - fewest
    return n


@kernel
def _may_move(state: StateRecord, seat: int, city: int, built: int) -> bool:
    """Own a floor there; not the city just built in; not a scored one."""
    owned = int(state.counts[city, 0, seat]) + int(state.counts[city, 1, seat])
    return bool((owned > 0) & (city != built) & (state.winners[city, 0] == NONE))


@kernel
def _moves(state: StateRecord, scratch: Scratch, n: int) -> int:
    """Special actions: the top floor of every tower that may be touched."""
    seat = int(state.seat) & 7
    built = CITY_OF_CARD[int(state.card)]
    for city in range(MAX_CITIES):
        may = _may_move(state, seat, city, built)
        for site in range(2):
            scratch.codes[n] = MOVE + 2 * city + site
            n += int(may & (state.heights[city, site] > 0))
    return n


@kernel
def can_move(state: StateRecord) -> bool:
    """Whether any special action is possible."""
    seat = int(state.seat) & 7
    built = CITY_OF_CARD[int(state.card)]
    for city in range(MAX_CITIES):
        if _may_move(state, seat, city, built):
            return True
    return False


@kernel
def _draws(state: StateRecord, scratch: Scratch) -> int:
    n = 0
    for city in range(MAX_CITIES):
        scratch.codes[n] = DRAW + city
        n += int(state.display[city] != NONE)
    return n


@kernel
def _may_post(state: StateRecord, edge: int, built: int) -> bool:
    one = EDGE_CITIES[edge, 0]
    two = EDGE_CITIES[edge, 1]
    on_board = (state.players == MAX_PLAYERS) | ((one != PISTOIA) & (two != PISTOIA))
    room = (state.messengers_at[one] < _MOST_AT_A_CITY) & (
        state.messengers_at[two] < _MOST_AT_A_CITY
    )
    return bool(on_board & room & (one != built) & (two != built) & (state.messengers[edge] == 0))


@kernel
def _postings(state: StateRecord, scratch: Scratch, n: int) -> int:
    """Messengers: a free pair of neighbours, two at a city, none at the city just built in."""
    built = NONE if int(state.rules) & AT_BUILT_CITY else CITY_OF_CARD[int(state.card)]
    for edge in range(len(EDGES)):
        scratch.codes[n] = MESSENGER + edge
        n += int(_may_post(state, edge, built))
    return n


@kernel
def can_post(state: StateRecord) -> bool:
    """Whether the seat to move has a messenger and a place for it."""
    if state.messengers_left[int(state.seat)] == 0:
        return False
    built = NONE if int(state.rules) & AT_BUILT_CITY else CITY_OF_CARD[int(state.card)]
    for edge in range(len(EDGES)):
        if _may_post(state, edge, built):
            return True
    return False
