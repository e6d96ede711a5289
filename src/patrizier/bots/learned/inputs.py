"""What the network sees: a position as the seat to move knows it, as small numbers.

A state and a view give the same numbers: cards in the pile and secret cards of others count as
one place. Nothing depends on the names of cities, on left and right, or on who sits where: cities
differ by what stands there, towers are in the order of `taller_of`, seats are counted from the
seat to move.
"""

import numpy as np

from patrizier.bots.learned.features import standing, taller_of
from patrizier.rules.board import (
    CAPACITY,
    CITY_OF_CARD,
    EDGE_CITIES,
    HAND,
    MAX_CITIES,
    MAX_PLAYERS,
    PISTOIA,
)
from patrizier.rules.codes import BUILD, DRAW, MESSENGER, MOVE, NO_MESSENGER, NO_MOVE, WAYS
from patrizier.rules.deck import (
    FREE_DRAW,
    HEADS_SHIFT,
    NOBLE_SHIFT,
    SECOND_CREST,
    SPECIAL_ACTION,
    STAR,
)
from patrizier.rules.jit import inner_kernel
from patrizier.rules.layout import aligned_record
from patrizier.rules.score import SET_POINTS, SET_SIZE
from patrizier.rules.state import (
    AT_BUILT_CITY,
    DEALT,
    NONE,
    ON_DISPLAY,
    PLAYED,
    TAKEN,
    UNKNOWN,
    WITH_MESSENGERS,
    StateRecord,
    in_play,
)

FACE = 11  # numbers of a card: second crest, ?, move, star, one or two heads of each noble, plain
CITY = 80  # numbers of a city
SEAT = 28  # numbers of a seat
TABLE = 44  # numbers of the table as a whole
SHOWN = HAND + MAX_CITIES  # cards seen one by one: the own hand, then the display

# Where the numbers of a city begin.
_SIZE = 0  # its capacity: 5, 7 or 9, one of three
_OPEN = 3  # in play and not scored; the rest is only filled in for cities in play
_MISSING = 4  # one of ten
_STEP = 14  # how much higher the taller tower is, one of five
_HEIGHTS = 19
_TOWERS = 21  # of each tower and seat: floors, lead, whether it holds the tower
_TOPS = _TOWERS + 2 * MAX_PLAYERS * 3  # owner of each tower's top floor, one of five
_POSTS = _TOPS + 2 * MAX_PLAYERS  # messengers: one or more, two
_CRESTS = _POSTS + 2  # of its cards: in each known hand, on display, hidden
_CARDS = _CRESTS + MAX_PLAYERS + 2  # the cards themselves, in the same order
_BUILT = _CARDS + MAX_PLAYERS + 2  # whether this turn's card was played here
_TARGET = _BUILT + 1  # token points to win in each tower, for the scale
assert _TARGET + 2 <= CITY

# Of a seat.
_PRESENT, _POINTS, _LEFT, _UNKNOWN, _POSTS_LEFT = range(5)
_HEADS = 5  # beyond full sets: none, one, two, of each noble
_HELD = _HEADS + 9  # sums of the known cards in hand
assert _HELD + FACE <= SEAT

# Of the table.
_PLAYERS = 0  # one of four
PHASE = 4  # one of four
_TIME = 8  # turns left, the last turns one by one, cards in the pile
_RULES = 18
_FREE = 20
_PLAYED = 21  # the card of this turn
_HIDDEN = _PLAYED + FACE  # sums of the hidden cards
assert _HIDDEN + FACE <= TABLE

INPUTS = aligned_record(
    ("cities", "i1", (MAX_CITIES, CITY)),
    ("cards", "i1", (SHOWN, FACE)),
    ("goals", "i1", SHOWN),  # city of each card, or NONE
    ("seats", "i1", (MAX_PLAYERS, SEAT)),
    ("table", "i1", TABLE),
)

# The network's outputs for decisions.
BUILDS = 5  # of each card in hand: higher tower, lower; both higher, one on each, both lower
AT_BUILD = 0
AT_MOVE = AT_BUILD + BUILDS * HAND  # none, then the higher and the lower tower of each city
AT_DRAW = AT_MOVE + 1 + 2 * MAX_CITIES
AT_MESSENGER = AT_DRAW + MAX_CITIES  # none, then each city: an edge is the sum of two
LOGITS = AT_MESSENGER + 1 + MAX_CITIES
ONE_OUTPUT = LOGITS  # instead of a second one


_FIRST_CARD = np.searchsorted(CITY_OF_CARD, np.arange(MAX_CITIES + 1))  # of each city

# Cards are counted in one integer: by sign, six bits each, and by holder, eight bits each.
_SIGN_BITS, _HOLDER_BITS = 6, 8
_SIGN_MOST = (1 << _SIGN_BITS) - 1
_HOLDER_MOST = (1 << _HOLDER_BITS) - 1
_HOLDERS = MAX_PLAYERS + 2  # seats by distance, the display, nobody that is known
assert len(CITY_OF_CARD) <= _SIGN_MOST
assert _SIGN_BITS * (FACE - 1) < 63
assert _HOLDER_BITS * _HOLDERS < 63


def _sign_table() -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Return the signs of every face but the last, which all cards have."""
    table = np.zeros(256, np.int64)
    for face in range(256):
        for i, sign in enumerate((SECOND_CREST, FREE_DRAW, SPECIAL_ACTION, STAR)):
            table[face] |= int(bool(face & sign)) << _SIGN_BITS * i
        heads, noble = face >> HEADS_SHIFT, face >> NOBLE_SHIFT & 3
        if heads in (1, 2) and noble < 3:
            table[face] |= 1 << _SIGN_BITS * (4 + 3 * (heads - 1) + noble)
    return table


_SIGNS = _sign_table()


@inner_kernel
def write_inputs(state: StateRecord, out: np.record) -> None:
    """Write what the seat to move sees; each byte once: GPUs are bound by memory."""
    players = int(state.players)
    viewer = int(state.seat)
    hidden = 0
    signs = 0
    for city in range(MAX_CITIES):
        if city != PISTOIA or players == MAX_PLAYERS:
            _write_city(state, players, viewer, city, out)
        else:
            for i in range(CITY):
                out.cities[city, i] = 0
        crests = 0
        cards = 0
        for card in range(_FIRST_CARD[city], _FIRST_CARD[city + 1]):
            holder = _holder_of(state, players, viewer, card)
            if holder >= 0:
                face = int(state.faces[card])
                crests += (1 + (face & SECOND_CREST)) << _HOLDER_BITS * holder
                cards += 1 << _HOLDER_BITS * holder
                if holder == _HOLDERS - 1:
                    hidden += 1
                    signs += int(_SIGNS[face])
        for holder in range(_HOLDERS):
            shift = _HOLDER_BITS * holder
            out.cities[city, _CRESTS + holder] = crests >> shift & _HOLDER_MOST
            out.cities[city, _CARDS + holder] = cards >> shift & _HOLDER_MOST
    _write_table(state, players, out)
    for i in range(FACE - 1):
        out.table[_HIDDEN + i] = signs >> _SIGN_BITS * i & _SIGN_MOST
    out.table[_HIDDEN + FACE - 1] = hidden
    for relative in range(MAX_PLAYERS):
        if relative < players:
            seat = viewer + relative
            _write_seat(state, seat - players if seat >= players else seat, relative, out)
        else:
            for i in range(SEAT):
                out.seats[relative, i] = 0
    for slot in range(HAND):
        _show_card(state, int(state.hands[viewer, slot]), slot, out)
    for city in range(MAX_CITIES):
        _show_card(state, int(state.display[city]), HAND + city, out)


@inner_kernel
def _holder_of(state: StateRecord, players: int, viewer: int, card: int) -> int:
    """Return who has a card that is still to be played, as the viewer knows it; else NONE."""
    place = int(state.where[card])
    if place == NONE or PLAYED <= place < PLAYED + MAX_PLAYERS:
        return NONE
    if place == ON_DISPLAY:
        return MAX_PLAYERS
    if place == DEALT + viewer:
        return 0
    if TAKEN <= place < PLAYED:
        seat = place - TAKEN - viewer
        return seat + players if seat < 0 else seat
    return _HOLDERS - 1


@inner_kernel
def _write_table(state: StateRecord, players: int, out: np.record) -> None:
    phase = int(state.phase) & 3
    for i in range(4):
        out.table[_PLAYERS + i] = int(players == i + 2)
        out.table[PHASE + i] = int(phase == i)
    left = in_play(players) - int(state.turn)
    rounds = (left + players - 1) // players
    out.table[_TIME] = left
    out.table[_TIME + 1] = int(state.pile_left)
    for i in range(_TIME + 2, _RULES):
        out.table[i] = int(rounds == i - _TIME - 1)
    out.table[_RULES] = int(int(state.rules) & WITH_MESSENGERS != 0)
    out.table[_RULES + 1] = int(int(state.rules) & AT_BUILT_CITY != 0)
    out.table[_FREE] = int(state.free == 1)
    played = state.card != NONE
    signs = int(_SIGNS[int(state.faces[int(state.card)])]) if played else 0
    for i in range(FACE - 1):
        out.table[_PLAYED + i] = signs >> _SIGN_BITS * i & _SIGN_MOST
    out.table[_PLAYED + FACE - 1] = int(played)
    for i in range(_HIDDEN + FACE, TABLE):
        out.table[i] = 0


@inner_kernel
def _write_seat(state: StateRecord, seat: int, relative: int, out: np.record) -> None:
    points = int(state.tokens[seat]) + int(state.chips[seat])
    for noble in range(3):
        heads = int(state.heads[seat, noble])
        points += SET_POINTS * (heads // SET_SIZE)
        for i in range(SET_SIZE):
            out.seats[relative, _HEADS + SET_SIZE * noble + i] = int(heads % SET_SIZE == i)
    known = 0
    unknown = 0
    signs = 0
    for slot in range(HAND):
        card = int(state.hands[seat, slot])
        if card == UNKNOWN or (relative > 0 and card >= 0 and state.where[card] == DEALT + seat):
            unknown += 1
        elif card >= 0:
            known += 1
            signs += int(_SIGNS[int(state.faces[card])])
    out.seats[relative, _PRESENT] = 1
    out.seats[relative, _POINTS] = min(points, 127)
    out.seats[relative, _LEFT] = int(state.supply[seat])
    out.seats[relative, _UNKNOWN] = unknown
    out.seats[relative, _POSTS_LEFT] = int(state.messengers_left[seat])
    for i in range(FACE - 1):
        out.seats[relative, _HELD + i] = signs >> _SIGN_BITS * i & _SIGN_MOST
    out.seats[relative, _HELD + FACE - 1] = known
    for i in range(_HELD + FACE, SEAT):
        out.seats[relative, i] = 0


@inner_kernel
def _write_city(state: StateRecord, players: int, viewer: int, city: int, out: np.record) -> None:
    """Write the numbers of a city in play, except those of its cards."""
    capacity = int(CAPACITY[city])
    taller = taller_of(state, city)
    missing = int(state.missing[city])
    step = min(int(state.heights[city, taller]) - int(state.heights[city, 1 - taller]), 4)
    for i in range(_SIZE, _OPEN):
        out.cities[city, i] = int(capacity == 5 + 2 * (i - _SIZE))
    out.cities[city, _OPEN] = int(state.winners[city, 0] == NONE)
    for i in range(_MISSING, _STEP):
        out.cities[city, i] = int(missing == i - _MISSING)
    for i in range(_STEP, _HEIGHTS):
        out.cities[city, i] = int(step == i - _STEP)
    for tower in range(2):
        site = 1 - taller if tower else taller
        height = int(state.heights[city, site])
        out.cities[city, _HEIGHTS + tower] = height
        holder, most, second = standing(state, city, site)
        top = NONE
        if height > 0:
            top = int(state.floors[city, site, height - 1])
        for relative in range(MAX_PLAYERS):
            place = _TOWERS + 3 * (MAX_PLAYERS * tower + relative)
            seat = viewer + relative
            seat = seat - players if seat >= players else seat
            seated = relative < players
            own = int(state.counts[city, site, seat]) if seated else 0
            out.cities[city, place] = own
            out.cities[city, place + 1] = (own - second if own == most else own - most) * seated
            out.cities[city, place + 2] = int(seated and seat == holder)
            out.cities[city, _TOPS + MAX_PLAYERS * tower + relative] = int(seated and seat == top)
        out.cities[city, _TARGET + tower] = capacity - 3 * tower
    posts = int(state.messengers_at[city])
    out.cities[city, _POSTS] = int(posts > 0)
    out.cities[city, _POSTS + 1] = int(posts > 1)
    built = state.card != NONE and CITY_OF_CARD[int(state.card)] == city
    out.cities[city, _BUILT] = int(built)
    for i in range(_TARGET + 2, CITY):
        out.cities[city, i] = 0


@inner_kernel
def _show_card(state: StateRecord, card: int, place: int, out: np.record) -> None:
    signs = 0
    if card >= 0:
        out.goals[place] = CITY_OF_CARD[card]
        signs = int(_SIGNS[int(state.faces[card])])
    else:
        out.goals[place] = NONE
    for i in range(FACE - 1):
        out.cards[place, i] = signs >> _SIGN_BITS * i & _SIGN_MOST
    out.cards[place, FACE - 1] = int(card >= 0)


@inner_kernel
def outputs_of(state: StateRecord, code: int) -> tuple[int, int]:
    """Return the outputs whose sum is the logit of a legal decision; ONE_OUTPUT for no second."""
    if code < NO_MOVE:
        card = (code - BUILD) // WAYS
        right = (code - BUILD) - WAYS * card
        seat = int(state.seat)
        slot = int(state.hands[seat, 1] == card) + 2 * int(state.hands[seat, 2] == card)
        crests = 1 + (int(state.faces[card]) & SECOND_CREST)
        lower = right if taller_of(state, int(CITY_OF_CARD[card])) == 0 else crests - right
        return AT_BUILD + BUILDS * slot + (lower if crests == 1 else 2 + lower), ONE_OUTPUT
    if code == NO_MOVE:
        return AT_MOVE, ONE_OUTPUT
    if code < DRAW:
        city = (code - MOVE) >> 1
        lower = int((code - MOVE) & 1 != taller_of(state, city))
        return AT_MOVE + 1 + 2 * city + lower, ONE_OUTPUT
    if code < NO_MESSENGER:
        return AT_DRAW + code - DRAW, ONE_OUTPUT
    if code == NO_MESSENGER:
        return AT_MESSENGER, ONE_OUTPUT
    edge = code - MESSENGER
    return AT_MESSENGER + 1 + int(EDGE_CITIES[edge, 0]), AT_MESSENGER + 1 + int(
        EDGE_CITIES[edge, 1]
    )


@inner_kernel
def logit_of(state: StateRecord, code: int, logits: np.ndarray) -> float:
    """Return the network's logit for a legal decision, from its outputs for this position."""
    one, two = outputs_of(state, code)
    logit = float(logits[one])
    return logit if two == ONE_OUTPUT else logit + float(logits[two])
