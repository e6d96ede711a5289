"""Bounds on the points still to be won, and the transposition key of a position.

With the draw pile empty all remaining cards are known, and the possible outcomes of each open city
can be enumerated. A city with one possible outcome is decided: its cards still take turns and draw,
but where their floors go need not be searched. The key contains only what still matters, so many
positions share one.
"""

import numpy as np

from patrizier.bots.endgame.city_ends import (
    ANYONE,
    CARD,
    GOLDEN,
    MANY,
    S31,
    duel,
    mix,
    outcomes,
    tower_words,
)
from patrizier.bots.endgame.records import CityEnds, wide
from patrizier.rules.board import (
    CITY_OF_CARD,
    HAND,
    MAX_CITIES,
    MAX_PLAYERS,
    PISTOIA,
    TOKEN_POINTS,
)
from patrizier.rules.deck import (
    FREE_DRAW,
    HEADS_SHIFT,
    NOBLE_SHIFT,
    SECOND_CREST,
    SPECIAL_ACTION,
    STAR,
)
from patrizier.rules.jit import inner_kernel, kernel, wrapping_kernel
from patrizier.rules.score import (
    CHIP_POINTS,
    PENALTY,
    SET_POINTS,
    SET_SIZE,
    floors_built,
    penalised,
)
from patrizier.rules.state import BUILDING, MOVING, NONE, OVER, WITH_MESSENGERS, StateRecord

SCORED = MAX_PLAYERS * MAX_PLAYERS  # instead of an outcome: the tokens are taken

_UNCLEAR = MAX_PLAYERS  # who takes the minus chip
_ANY_CITY = 15  # stands for any city whose number no longer matters
_MOST_CHIPS = 2 * CHIP_POINTS  # at a tower of a city with two messengers
_DOUBLE = 2  # most portraits on a card


# An outcome is the winner of the taller tower * MAX_PLAYERS + the winner of the lower one.
_RANKED = (6, 5, 1, 0)  # outcomes of two players, the best for seat 0 last
_ROW = 0b11111  # bits of the outcomes in which seat 0 wins the taller tower; the lower tower
_COLUMN = 0b00001_00001_00001_00001_00001

# Kinds of facts in a key.
_CITY, _PRESENCE, _POST, _IN_HAND, _ON_DISPLAY, _HEADS, _STANDING = range(7)


@wrapping_kernel
def _add_to_key(frame: np.record, fact: int) -> None:
    """Add a fact to key and check, independent of the order of facts."""
    word = mix(fact)
    frame.key += word
    frame.check += (word ^ GOLDEN) * (word >> S31)


@inner_kernel
def _add_card(state: StateRecord, frame: np.record, card: int, holder: int) -> None:
    """Count a remaining card: whoever holds it will play it."""
    face = wide(state.faces[card])
    city = CITY_OF_CARD[card]
    crests = 1 + (face & SECOND_CREST)
    frame.cards[city] += CARD << 3 * (2 * holder + crests - 1)
    frame.special[city] += int(face & SPECIAL_ACTION != 0) << 8 * holder
    frame.heads[holder, face >> NOBLE_SHIFT & 3] += face >> HEADS_SHIFT
    if holder == ANYONE:
        frame.shown += crests
    else:
        frame.floors[holder] += crests


@inner_kernel
def _count_cards(state: StateRecord, frame: np.record) -> None:
    """Start a survey with everybody's points, floors and remaining cards."""
    frame.key = np.uint64(0)
    frame.check = np.uint64(0)
    frame.posting = 0
    frame.undecided = 0
    frame.displayed = 0
    frame.shown = 0
    stars_shown = 0
    for city in range(MAX_CITIES):
        frame.cards[city] = 0
        frame.special[city] = 0
        if state.display[city] != NONE:
            frame.displayed += 1
            stars_shown |= wide(state.faces[wide(state.display[city])]) & STAR
    for noble in range(4):
        frame.heads[ANYONE, noble] = 0
    for seat in range(wide(state.players)):
        frame.sure[seat] = wide(state.tokens[seat]) + wide(state.chips[seat])
        frame.most[seat] = 0
        frame.least[seat] = 0
        frame.floors[seat] = floors_built(state, seat)
        for noble in range(3):
            frame.heads[seat, noble] = wide(state.heads[seat, noble])
        stars = stars_shown
        if seat == state.seat and BUILDING < state.phase < OVER:  # the card being played
            stars |= wide(state.faces[wide(state.card)]) & STAR
        for slot in range(HAND):
            card = wide(state.hands[seat, slot])
            if card != NONE:
                _add_card(state, frame, card, seat)
                stars |= wide(state.faces[card]) & STAR
        if stars and state.messengers_left[seat] > 0:
            frame.posting = 1
    if state.phase == MOVING:  # never in the city just built in, as if by a card of that city
        frame.special[CITY_OF_CARD[wide(state.card)]] += 1 << 8 * wide(state.seat)
    # The last card on display goes to the seat to move, whatever it plays.
    taken = frame.displayed == 1 and state.phase == BUILDING
    taker = wide(state.seat) if taken else wide(ANYONE)
    for place in range(MAX_CITIES):
        card = wide(state.display[place])
        if card != NONE:
            _add_card(state, frame, card, taker)


@inner_kernel
def _find_worst(state: StateRecord, frame: np.record, special: int) -> int:
    """Return who will certainly take the minus chip; NONE for nobody, or _UNCLEAR."""
    if state.phase == OVER or not int(state.rules) & WITH_MESSENGERS:
        return penalised(state)
    laid = 0
    least = 0  # towers each seat will at least be in, a byte each
    most = 0
    for city in range(MAX_CITIES):
        if state.messengers_at[city] == 0:
            continue
        laid += 1
        is_open = state.winners[city, 0] == NONE
        coming = int(frame.cards[city]) // CARD
        for seat in range(wide(state.players)):
            one = int(state.counts[city, 0, seat] > 0)
            two = int(state.counts[city, 1, seat] > 0)
            movable = is_open and special and one + two > 0
            builds = (coming >> 6 * seat | coming >> 6 * ANYONE) & 63
            least += (1 if movable else one + two) << 8 * seat
            most += (2 if movable or builds else one + two) << 8 * seat
    if frame.posting:
        return _UNCLEAR
    for worst in range(wide(state.players)):
        sure = True
        for seat in range(wide(state.players)):
            sure &= seat == worst or most >> 8 * worst & 255 < least >> 8 * seat & 255
        if sure:
            return worst
    return _UNCLEAR if laid else NONE


@inner_kernel
def _add_prize(frame: np.record, city: int, outcome: int, chips: int) -> None:
    """Add tokens and chips of a decided city to the guaranteed points."""
    frame.sure[outcome // MAX_PLAYERS] += TOKEN_POINTS[city, 0] + chips
    frame.sure[outcome % MAX_PLAYERS] += TOKEN_POINTS[city, 1] + chips


@inner_kernel
def _add_chances(frame: np.record, city: int, found: int, at: int, players: int) -> None:
    """Add the most and the least that an undecided city may bring each seat."""
    high = TOKEN_POINTS[city, 0] + CHIP_POINTS * at
    low = TOKEN_POINTS[city, 1] + CHIP_POINTS * at
    more = _MOST_CHIPS - CHIP_POINTS * at if frame.posting else 0
    for seat in range(players):
        row = _ROW << seat * MAX_PLAYERS
        column = _COLUMN << seat
        if found & row & column:
            frame.most[seat] += high + low + 2 * more
        elif found & row:
            frame.most[seat] += high + more
        elif found & column:
            frame.most[seat] += low + more
        if found & ~(row | column):
            continue
        if found & column & ~row:
            frame.least[seat] += low
        elif found & row & ~column:
            frame.least[seat] += high
        else:
            frame.least[seat] += high + low


@kernel
def _survey_city(
    state: StateRecord, frame: np.record, search: np.record, ends: CityEnds, city: int, special: int
) -> None:
    """Find the possible outcomes of an open city, and whether it is decided.

    With two players, only outcomes between what each can get at most and what each can enforce, in
    whatever order the cards are played.
    """
    players = wide(state.players)
    at = wide(state.messengers_at[city])
    cards = wide(frame.cards[city])
    towers = tower_words(state, city, special > 0)
    shown = special >> 8 * ANYONE
    found = 0
    if players == 2:
        most = 0
        least = 0
        for seat in range(2):
            moves = min(shown + (special >> 8 * seat & 255), MANY)
            gain = duel(search, ends, towers, cards | moves, seat)
            most = gain if seat == 0 else most
            least = 3 - gain
        for rank in range(least, most + 1):
            found |= 1 << _RANKED[rank]
    else:
        moves = shown
        for seat in range(players):
            moves += special >> 8 * seat & 255
        found = outcomes(search, ends, towers, cards | min(moves, MANY), players)
    # With a messenger here presence may matter, even if the winners are clear.
    if found & found - 1 == 0 and not frame.posting and (at == 0 or frame.worst != _UNCLEAR):
        outcome = 0
        while found >> outcome != 1:
            outcome += 1
        frame.outcome[city] = outcome
        _add_prize(frame, city, outcome, CHIP_POINTS * at)
        return
    frame.outcome[city] = NONE
    frame.undecided += 1
    _add_to_key(frame, ((towers << 4 | city) << 2 | at) << 3 | _CITY)
    _add_chances(frame, city, found, at, players)


@inner_kernel
def _presence(state: StateRecord, city: int) -> int:
    """Return everybody's floors and towers in a city, packed; such words can be added."""
    word = 0
    for seat in range(wide(state.players)):
        one = int(state.counts[city, 0, seat])
        two = int(state.counts[city, 1, seat])
        word = word << 11 | one + two << 5 | int(one > 0) + int(two > 0)
    return word


@inner_kernel
def _survey_messengers(state: StateRecord, frame: np.record) -> None:
    """Add to the key what matters for chips and the minus chip."""
    present = 0
    for city in range(MAX_CITIES):
        if state.winners[city, 0] == NONE:
            continue
        if frame.posting:  # any city may get a messenger
            _add_to_key(frame, (_presence(state, city) << 4 | city) << 3 | _PRESENCE)
        elif state.messengers_at[city] > 0:
            present += _presence(state, city)
    if frame.worst == _UNCLEAR:
        _add_to_key(frame, (present << 4 | _ANY_CITY) << 3 | _PRESENCE)
    if frame.posting:
        word = 0
        for edge in range(len(state.messengers)):
            word = word << 1 | int(state.messengers[edge])
        for seat in range(wide(state.players)):
            word = word << 2 | int(state.messengers_left[seat])
        _add_to_key(frame, word << 3 | _POST)


@inner_kernel
def _survey_heads(state: StateRecord, frame: np.record) -> int:
    """Count portraits; return as bits the nobles whose sets are not settled."""
    players = wide(state.players)
    unsettled = 0
    rest = 0
    for seat in range(players):
        draws = int(frame.displayed)
        if state.phase == BUILDING:
            wait = (seat - int(state.seat) + players) % players
            draws = (draws - wait + players - 1) // players
        for noble in range(3):
            heads = int(frame.heads[seat, noble])
            more = min(int(frame.heads[ANYONE, noble]), _DOUBLE * max(draws, 0))
            more = (heads % SET_SIZE + more) // SET_SIZE
            frame.sure[seat] += SET_POINTS * (heads // SET_SIZE)
            frame.most[seat] += SET_POINTS * more
            rest = rest << 2 | (heads % SET_SIZE if more else 0)
            unsettled |= int(more > 0) << noble
    _add_to_key(frame, (rest << 3 | wide(state.seat)) << 3 | _HEADS)
    return unsettled


@inner_kernel
def _kind(state: StateRecord, frame: np.record, card: int) -> int:
    """Return the equivalence class of a card: what still matters of it, packed."""
    face = wide(state.faces[card])
    city = wide(CITY_OF_CARD[card])
    # A card whose city has no card on display is a free draw, too.
    draw = FREE_DRAW if state.display[city] == NONE else face & FREE_DRAW
    crests = face & SECOND_CREST
    if frame.outcome[city] != NONE:
        crests = 0
        city = _ANY_CITY if draw else city
    power = face & SPECIAL_ACTION if frame.undecided else 0
    star = face & STAR if frame.posting else 0
    return city << 4 | crests | draw | power | star


@inner_kernel
def _survey_cards(state: StateRecord, frame: np.record, unsettled: int) -> None:
    """Add to the key what matters of all remaining cards."""
    for seat in range(wide(state.players)):
        for slot in range(HAND):
            card = wide(state.hands[seat, slot])
            kind = NONE
            if card != NONE:
                kind = _kind(state, frame, card)
                _add_to_key(frame, (kind << 3 | seat) << 3 | _IN_HAND)
            if seat == state.seat:
                frame.kinds[slot] = kind
    for place in range(MAX_CITIES):
        card = wide(state.display[place])
        if card == NONE:
            continue
        face = wide(state.faces[card])
        portraits = face >> NOBLE_SHIFT
        if not unsettled >> (portraits & 3) & 1:
            portraits = 0
        # The card at a complete city can only be taken by a free draw.
        where = place if state.missing[place] > 0 else _ANY_CITY
        kind = _kind(state, frame, card) << 4 | portraits
        _add_to_key(frame, ((kind << 4 | where) << 1 | face & SECOND_CREST) << 3 | _ON_DISPLAY)


@kernel
def survey(
    state: StateRecord, frame: np.record, before: np.record, search: np.record, ends: CityEnds
) -> None:
    """Compute guaranteed points, bounds on further points, and the key.

    ``before`` is the survey of the previous turn: decided cities stay decided.
    """
    players = wide(state.players)
    _count_cards(state, frame)
    special = wide(0)
    for city in range(MAX_CITIES):
        special += wide(frame.special[city])
    frame.worst = _find_worst(state, frame, special)
    for seat in range(players):
        frame.sure[seat] += PENALTY if frame.worst == seat else 0
        frame.least[seat] += PENALTY if frame.worst == _UNCLEAR else 0
    for city in range(MAX_CITIES):
        outcome = wide(before.outcome[city])
        scored = state.winners[city, 0] != NONE
        if outcome == NONE and (scored or (city == PISTOIA and players < MAX_PLAYERS)):
            outcome = wide(SCORED)
        frame.outcome[city] = outcome
        if outcome == NONE:
            _survey_city(state, frame, search, ends, city, special - wide(frame.special[city]))
        elif outcome != SCORED:
            chips = CHIP_POINTS * wide(state.messengers_at[city])
            _add_prize(frame, city, outcome, chips)
            if scored:  # where its floors went was not searched: the decided outcome counts
                frame.sure[wide(state.winners[city, 0])] -= TOKEN_POINTS[city, 0] + chips
                frame.sure[wide(state.winners[city, 1])] -= TOKEN_POINTS[city, 1] + chips
    if wide(state.rules) & WITH_MESSENGERS:
        _survey_messengers(state, frame)
    _survey_cards(state, frame, _survey_heads(state, frame))
    # With two players optimal play does not depend on guaranteed points.
    for seat in range(players if players > 2 else 0):
        standing = wide(frame.sure[seat]) + 8 << 8 | wide(frame.floors[seat])
        _add_to_key(frame, (standing << 3 | seat) << 3 | _STANDING)
