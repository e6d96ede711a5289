"""What the network sees: a position as the seat to move knows it, as small numbers.

Written from a state or from a view alike: cards in the pile and secret cards of others are one
place. Nothing depends on the names of cities, on left and right, or on who sits where: cities
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
from patrizier.rules.score import SET_POINTS
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
_PHASE = 4  # one of four
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


@inner_kernel
def write_inputs(state: StateRecord, out: np.record) -> None:
    """Write what the seat to move sees."""
    players = int(state.players)
    viewer = int(state.seat)
    _clear(out)
    _write_table(state, players, out)
    for relative in range(players):
        seat = viewer + relative
        _write_seat(state, seat - players if seat >= players else seat, relative, out)
    for city in range(MAX_CITIES):
        if city != PISTOIA or players == MAX_PLAYERS:
            _write_city(state, players, viewer, city, out)
    for card in range(len(CITY_OF_CARD)):
        _count_card(state, players, viewer, card, out)
    for slot in range(HAND):
        _show_card(state, int(state.hands[viewer, slot]), slot, out)
    for city in range(MAX_CITIES):
        _show_card(state, int(state.display[city]), HAND + city, out)


@inner_kernel
def _clear(out: np.record) -> None:
    for city in range(MAX_CITIES):
        for i in range(CITY):
            out.cities[city, i] = 0
    for card in range(SHOWN):
        out.goals[card] = NONE
        for i in range(FACE):
            out.cards[card, i] = 0
    for seat in range(MAX_PLAYERS):
        for i in range(SEAT):
            out.seats[seat, i] = 0
    for i in range(TABLE):
        out.table[i] = 0


@inner_kernel
def _write_table(state: StateRecord, players: int, out: np.record) -> None:
    out.table[_PLAYERS + players - 2] = 1
    out.table[_PHASE + (int(state.phase) & 3)] = 1
    left = in_play(players) - int(state.turn)
    out.table[_TIME] = left
    out.table[_TIME + 1] = int(state.pile_left)
    rounds = (left + players - 1) // players
    if rounds <= 8:
        out.table[_TIME + 1 + rounds] = 1
    out.table[_RULES] = int(int(state.rules) & WITH_MESSENGERS != 0)
    out.table[_RULES + 1] = int(int(state.rules) & AT_BUILT_CITY != 0)
    out.table[_FREE] = int(state.free == 1)
    if state.card != NONE:
        for i in range(FACE):
            out.table[_PLAYED + i] = _shows(int(state.faces[int(state.card)]), i)


@inner_kernel
def _write_seat(state: StateRecord, seat: int, relative: int, out: np.record) -> None:
    out.seats[relative, _PRESENT] = 1
    points = int(state.tokens[seat]) + int(state.chips[seat])
    for noble in range(3):
        heads = int(state.heads[seat, noble])
        points += SET_POINTS * (heads // 3)
        out.seats[relative, _HEADS + 3 * noble + heads % 3] = 1
    out.seats[relative, _POINTS] = min(points, 127)
    out.seats[relative, _LEFT] = int(state.supply[seat])
    out.seats[relative, _POSTS_LEFT] = int(state.messengers_left[seat])
    if relative > 0:
        for slot in range(HAND):
            card = int(state.hands[seat, slot])
            secret = card >= 0 and state.where[card] == DEALT + seat
            out.seats[relative, _UNKNOWN] += int(card == UNKNOWN or secret)


@inner_kernel
def _write_city(state: StateRecord, players: int, viewer: int, city: int, out: np.record) -> None:
    capacity = int(CAPACITY[city])
    out.cities[city, _SIZE + (capacity - 5) // 2] = 1
    out.cities[city, _OPEN] = int(state.winners[city, 0] == NONE)
    out.cities[city, _MISSING + int(state.missing[city])] = 1
    taller = taller_of(state, city)
    step = int(state.heights[city, taller]) - int(state.heights[city, 1 - taller])
    out.cities[city, _STEP + min(step, 4)] = 1
    for tower in range(2):
        site = 1 - taller if tower else taller
        height = int(state.heights[city, site])
        out.cities[city, _HEIGHTS + tower] = height
        holder, most, second = standing(state, city, site)
        for relative in range(players):
            seat = viewer + relative
            seat = seat - players if seat >= players else seat
            own = int(state.counts[city, site, seat])
            place = _TOWERS + 3 * (MAX_PLAYERS * tower + relative)
            out.cities[city, place] = own
            out.cities[city, place + 1] = own - second if own == most else own - most
            out.cities[city, place + 2] = int(seat == holder)
        if height > 0:
            top = int(state.floors[city, site, height - 1]) - viewer
            out.cities[city, _TOPS + MAX_PLAYERS * tower + (top + players if top < 0 else top)] = 1
        out.cities[city, _TARGET + tower] = capacity - 3 * tower
    posts = int(state.messengers_at[city])
    out.cities[city, _POSTS] = int(posts > 0)
    out.cities[city, _POSTS + 1] = int(posts > 1)
    if state.card != NONE:
        out.cities[city, _BUILT] = int(CITY_OF_CARD[int(state.card)] == city)


@inner_kernel
def _count_card(state: StateRecord, players: int, viewer: int, card: int, out: np.record) -> None:
    """Add a card that is still to be played to the sums of its city, and of who has it."""
    place = int(state.where[card])
    if place == NONE or PLAYED <= place < PLAYED + MAX_PLAYERS:
        return
    face = int(state.faces[card])
    hidden = MAX_PLAYERS + 1
    holder = hidden
    if place == ON_DISPLAY:
        holder = MAX_PLAYERS
    elif TAKEN <= place < PLAYED or place == DEALT + viewer:
        seat = (place - TAKEN if place >= TAKEN else viewer) - viewer
        holder = seat + players if seat < 0 else seat
    city = int(CITY_OF_CARD[card])
    out.cities[city, _CRESTS + holder] += 1 + (face & SECOND_CREST)
    out.cities[city, _CARDS + holder] += 1
    for i in range(FACE):
        if holder == hidden:
            out.table[_HIDDEN + i] += _shows(face, i)
        elif holder < MAX_PLAYERS:
            out.seats[holder, _HELD + i] += _shows(face, i)


@inner_kernel
def _show_card(state: StateRecord, card: int, place: int, out: np.record) -> None:
    if card < 0:
        return
    out.goals[place] = CITY_OF_CARD[card]
    face = int(state.faces[card])
    for i in range(FACE):
        out.cards[place, i] = _shows(face, i)


def _face_table() -> "np.ndarray[tuple[int, int], np.dtype[np.int8]]":
    table = np.zeros((256, FACE), np.int8)
    for face in range(256):
        signs = (SECOND_CREST, FREE_DRAW, SPECIAL_ACTION, STAR)
        table[face, :4] = [bool(face & sign) for sign in signs]
        heads, noble = face >> HEADS_SHIFT, face >> NOBLE_SHIFT & 3
        if heads in (1, 2) and noble < 3:
            table[face, 4 + 3 * (heads - 1) + noble] = 1
        table[face, 10] = 1
    return table


_FACES = _face_table()


@inner_kernel
def _shows(face: int, sign: int) -> int:
    """Return whether a card shows a sign; the last one is on every card."""
    return int(_FACES[face, sign])


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
