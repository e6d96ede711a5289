"""What is still to be won at the end of a game, and the key under which a position is kept.

With the draw pile empty every card to come is known, and one can tell of each open city how it
may end. Where only one end is left the city is decided: its cards still take turns and draw, but
how they are built need not be searched. The key holds only what still matters, so that many
positions share one.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from patrizier.rules.board import (
    CITY_OF_CARD,
    HAND,
    MAX_CITIES,
    MAX_PLAYERS,
    PISTOIA,
    TOKEN_POINTS,
)
from patrizier.rules.codes import DECISIONS, MOST_DECISIONS
from patrizier.rules.deck import (
    FREE_DRAW,
    HEADS_SHIFT,
    NOBLE_SHIFT,
    SECOND_CREST,
    SPECIAL_ACTION,
    STAR,
)
from patrizier.rules.jit import inner_kernel, kernel, wrapping_kernel
from patrizier.rules.score import CHIP_POINTS, PENALTY, SET_POINTS, floors_built, penalised
from patrizier.rules.state import BUILDING, MOVING, NONE, OVER, WITH_MESSENGERS, StateRecord

ANYONE = MAX_PLAYERS  # holder of a card that lies on the display
SCORED = MAX_PLAYERS * MAX_PLAYERS  # in the place of an outcome: the tokens are taken

_UNCLEAR = MAX_PLAYERS  # who takes the minus chip
_ANY_CITY = 15  # stands for every city of which the number does not matter any more
_MOST_CHIPS = 2 * CHIP_POINTS  # for a tower of a city with two messengers
_DOUBLE = 2  # the most portraits on a card

_EMPTY = 1  # a tower as a word: a one, then the owners bottom to top, three bits each
_TOWER = 25  # bits of such a word
_LOW = (1 << _TOWER) - 1
_CARD = 8  # cards to come as a word: special actions in three bits, then by holder and crests
_MANY = 7  # special actions: from here on they are not tried
_MOST_TRIED = 1000  # ways to go on with a city, before we say that it may end in any way
_MOST_STEPS = 64  # ways to go on from one point
_ROOM = 256  # for ways to go on
_NEW = -1  # not looked into yet

# An outcome is the winner of the taller tower * MAX_PLAYERS + the winner of the lower one.
_RANKED = (6, 5, 1, 0)  # outcomes of two players, the best for seat 0 last
_ROW = 0b11111  # bits of the outcomes in which seat 0 wins the taller tower; the lower tower
_COLUMN = 0b00001_00001_00001_00001_00001

# What a part of a key tells.
_CITY, _PRESENCE, _POST, _IN_HAND, _ON_DISPLAY, _HEADS, _STANDING = range(7)

FRAME = np.dtype(
    (
        np.record,
        [
            # The search: one frame a decision.
            ("codes", "i8", MOST_DECISIONS),  # decisions worth trying
            ("ranks", "i8", MOST_DECISIONS),  # how promising they are
            ("count", "i8"),  # how many there are
            ("next", "i8"),  # the one to try next
            ("code", "i8"),  # the one being tried
            ("turned", "i8"),  # 1 if that ended the turn
            ("start", "i8"),  # depth at which the turn began
            ("best_code", "i8"),
            ("killer", "i8"),  # decision that was best when we were last at this depth
            ("best", "i8"),  # two players: the value reached
            ("bound", "i8"),  # two players: the value asked for
            ("points", "i8", MAX_PLAYERS),  # more players: the best end reached
            ("winners", "i8"),  # and its winners as bits; 0 if there is none
            ("claim", "i8"),  # and the share of victory they can have elsewhere
            # The survey: where a turn begins.
            ("cards", "i8", MAX_CITIES),  # cards to come, as a word
            ("special", "i8", MAX_CITIES),  # special actions among them, a byte for each holder
            ("outcome", "i8", MAX_CITIES),  # how a decided city ends; NONE if that is open
            ("heads", "i8", (MAX_PLAYERS + 1, 4)),  # portraits, those of cards to come included
            ("kinds", "i8", HAND),  # what still matters of the own cards
            ("posting", "i8"),  # 1 if a messenger may still be laid
            ("worst", "i8"),  # who takes the minus chip
            ("undecided", "i8"),  # cities
            ("displayed", "i8"),  # cards
            ("shown", "i8"),  # floors they will build, where it is open whose
            ("sure", "i8", MAX_PLAYERS),  # points that nobody can take away
            ("most", "i8", MAX_PLAYERS),  # points that may come on top
            ("least", "i8", MAX_PLAYERS),
            ("floors", "i8", MAX_PLAYERS),  # floors built, and those of cards in hand
            ("key", "u8"),  # place in the table
            ("check", "u8"),  # tells apart what has the same place
        ],
    ),
    align=True,
)

SEARCH = np.dtype(
    (
        np.record,
        [
            ("nodes", "i8"),  # decisions looked at
            ("most_nodes", "i8"),
            ("gave_up", "i8"),  # 1 if those were not enough
            ("history", "i8", (MAX_PLAYERS, DECISIONS)),  # how often a decision was the best
            # Ways to go on with a city: a stack.
            ("towers", "i8", _ROOM),
            ("cards", "i8", _ROOM),
            ("parent", "i8", _ROOM),  # where it goes on from
            ("group", "i8", _ROOM),  # which card, and who builds
            ("best", "i8", _ROOM),  # what the seat can get, _NEW until that is looked into
            ("reply", "i8", _ROOM),  # the least that the other one has left it in this group
        ],
    ),
    align=True,
)

ENTRY = np.dtype(
    (
        np.record,
        [
            ("check", "u8"),
            ("code", "i2"),  # the best decision
            ("low", "i2"),  # two players: bounds of what is won from here on
            ("high", "i2"),
            ("points", "i2", MAX_PLAYERS),  # more players: the end
            ("winners", "i2"),
        ],
    ),
    align=True,
)
CITY_END = np.dtype((np.record, [("towers", "i8"), ("cards", "i8"), ("found", "i8")]), align=True)

Frames: TypeAlias = npt.NDArray[np.void]
CityEnds: TypeAlias = npt.NDArray[np.void]
Table: TypeAlias = npt.NDArray[np.void]
Searches: TypeAlias = npt.NDArray[np.void]  # an array of one

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)


@inner_kernel
def wide(number: Any) -> int:
    """Return a number of any size as the widest: else functions are compiled for each size."""
    return np.int64(number)  # type: ignore[return-value]


@wrapping_kernel
def _mix(number: int) -> Any:
    """Return 64 bits that look random, always the same for a number."""
    word = np.uint64(number) + _GOLDEN
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@wrapping_kernel
def _add_to_key(frame: np.record, fact: int) -> None:
    """Add a fact to key and check. Sums, because the order of the facts must not matter."""
    word = _mix(fact)
    frame.key += word
    frame.check += (word ^ _GOLDEN) * (word >> _S31)


# -- how a city may end


@inner_kernel
def _both(one: int, two: int) -> int:
    """Return two towers as one word, the taller first: left or right makes no difference."""
    return max(one, two) << _TOWER | min(one, two)


@inner_kernel
def _towers(state: StateRecord, city: int, in_order: bool) -> int:
    """Return both towers of a city as a word.

    If no floor can be moved any more, only the numbers of floors and the order of everybody's
    highest floors matter: then everybody's floors are put together below their highest.
    """
    words = 0
    for site in range(2):
        word = 0
        shift = 0
        seen = 0
        for level in range(wide(state.heights[city, site]) - 1, -1, -1):
            owner = wide(state.floors[city, site, level])
            copies = 1
            if not in_order:
                copies = 0 if seen >> owner & 1 else wide(state.counts[city, site, owner])
                seen |= 1 << owner
            for _ in range(copies):
                word |= owner << shift
                shift += 3
        words = words << _TOWER | _EMPTY << shift | word
    return _both(words >> _TOWER, words & _LOW)


@inner_kernel
def _leader(tower: int) -> int:
    """Return who has most floors in a tower, the highest floor breaking ties."""
    counts = 0
    most = 0
    rest = tower
    while rest > _EMPTY:
        place = 4 * (rest & 7)
        counts += 1 << place
        most = max(most, counts >> place & 15)
        rest >>= 3
    rest = tower
    while counts >> 4 * (rest & 7) & 15 < most:
        rest >>= 3
    return rest & 7


@inner_kernel
def _push(
    search: np.record, count: int, parent: int, group: int, one: int, two: int, cards: int
) -> int:
    """Put a way to go on onto the stack; return how many are there."""
    if cards < _CARD and min(one, two) == _EMPTY:  # both towers must stand in the end
        return count
    search.towers[count] = _both(one, two)
    search.cards[count] = cards
    search.parent[count] = parent
    search.group[count] = group
    search.best[count] = _NEW
    return count + 1


@inner_kernel
def _push_all(search: np.record, count: int, top: int, players: int) -> int:
    """Put all ways to go on from one of the stack onto it: special actions, anybody's builds."""
    one = search.towers[top] >> _TOWER
    two = search.towers[top] & _LOW
    cards = search.cards[top]
    for kind in range(2 * MAX_PLAYERS + 2):
        if cards // _CARD >> 3 * kind & 7 == 0:
            continue
        after = cards - (_CARD << 3 * kind)
        for owner in range(players):
            if kind >> 1 != owner and kind >> 1 != ANYONE:
                continue
            group = 8 * kind + owner
            floors = owner
            shift = 3
            if kind & 1:
                count = _push(search, count, top, group, one << 3 | owner, two << 3 | owner, after)
                floors = owner << 3 | owner
                shift = 6
            count = _push(search, count, top, group, one << shift | floors, two, after)
            count = _push(search, count, top, group, one, two << shift | floors, after)
    group = wide(NONE)
    if cards & _MANY and one != _EMPTY:
        count = _push(search, count, top, group, one >> 3, two << 3 | one & 7, cards - 1)
    if cards & _MANY and two != _EMPTY:
        count = _push(search, count, top, group, one << 3 | two & 7, two >> 3, cards - 1)
    return count


@inner_kernel
def _end(ends: CityEnds, towers: int, cards: int) -> Any:
    """Return the place of a city's position in their table."""
    return ends[wide((_mix(towers) ^ _mix(cards)) & np.uint64(len(ends) - 1))]


@kernel
def _duel(search: np.record, ends: CityEnds, towers: int, cards: int, seat: int) -> int:
    """Return what a seat can get of a city at most: 2 for the taller tower, 1 for the lower.

    With two players. That seat chooses the order of all cards and moves floors when it likes;
    the other only lays its own as well as it can, which nothing elsewhere can keep it from.
    """
    if cards & _MANY == _MANY:
        return 3
    mark = 1 + seat << 50
    search.towers[0] = towers
    search.cards[0] = cards
    search.best[0] = _NEW
    count = wide(1)
    tried = 0
    while True:
        top = count - 1
        towers = int(search.towers[top])
        cards = int(search.cards[top])
        end = _end(ends, towers, cards | mark)
        if search.best[top] == _NEW:
            tried += 1
            if tried > _MOST_TRIED or count + _MOST_STEPS > _ROOM:
                top = 0
                end = _end(ends, wide(search.towers[0]), wide(search.cards[0]) | mark)
                search.best[0] = 3
            elif cards < _CARD:
                taller = int(_leader(towers >> _TOWER) == seat)
                search.best[top] = 2 * taller + int(_leader(towers & _LOW) == seat)
            elif end.towers == towers and end.cards == cards | mark:
                search.best[top] = end.found
            else:
                search.best[top] = 0
                search.reply[top] = 3
                count = _push_all(search, count, top, wide(2))
                continue
        best = int(search.best[top])
        end.towers = search.towers[top]
        end.cards = search.cards[top] | mark
        end.found = best
        count = top
        if count == 0:
            return best
        above = int(search.parent[top])
        group = int(search.group[top])
        if group != NONE and group & 7 != seat:
            best = min(best, int(search.reply[above]))
            search.reply[above] = best
            if search.group[count - 1] == group and count - 1 > above:
                continue  # the other one has more ways to lay these floors
            search.reply[above] = 3
        search.best[above] = max(int(search.best[above]), best)
        if search.best[above] == 3:
            count = above + 1


@kernel
def _outcomes(search: np.record, ends: CityEnds, towers: int, cards: int, players: int) -> int:
    """Return the outcomes a city may have, as bits; one too many does no harm."""
    everything = 0
    for winner in range(players):
        everything |= (1 << players) - 1 << winner * MAX_PLAYERS
    end = _end(ends, towers, cards)
    if end.towers == towers and end.cards == cards:
        return int(end.found)
    found = everything if cards & _MANY == _MANY else 0
    tried = 0
    search.towers[0] = towers
    search.cards[0] = cards
    count = wide(1)
    while count > 0 and found != everything:
        count -= 1
        tried += 1
        if search.cards[count] < _CARD:
            taller = _leader(int(search.towers[count]) >> _TOWER)
            found |= 1 << taller * MAX_PLAYERS + _leader(int(search.towers[count]) & _LOW)
        elif tried > _MOST_TRIED or count + _MOST_STEPS > _ROOM:
            found = everything
        else:
            count = _push_all(search, count, count, players)
    end.towers = towers
    end.cards = cards
    end.found = found
    return found


# -- the survey


@inner_kernel
def _add_card(state: StateRecord, frame: np.record, card: int, holder: int) -> None:
    """Count a card to come: whoever holds it will play it."""
    face = wide(state.faces[card])
    city = CITY_OF_CARD[card]
    crests = 1 + (face & SECOND_CREST)
    frame.cards[city] += _CARD << 3 * (2 * holder + crests - 1)
    frame.special[city] += int(face & SPECIAL_ACTION != 0) << 8 * holder
    frame.heads[holder, face >> NOBLE_SHIFT & 3] += face >> HEADS_SHIFT
    if holder == ANYONE:
        frame.shown += crests
    else:
        frame.floors[holder] += crests


@inner_kernel
def _count_cards(state: StateRecord, frame: np.record) -> None:
    """Start a survey with what everybody has and holds."""
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
    if state.phase == MOVING:  # not in the city just built in, as with a card of that city
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
    """Return who takes the minus chip whatever happens; NONE for nobody, or _UNCLEAR."""
    if state.phase == OVER or not int(state.rules) & WITH_MESSENGERS:
        return penalised(state)
    laid = 0
    least = 0  # towers that everybody will be in, a byte each
    most = 0
    for city in range(MAX_CITIES):
        if state.messengers_at[city] == 0:
            continue
        laid += 1
        is_open = state.winners[city, 0] == NONE
        coming = int(frame.cards[city]) // _CARD
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
    """Count tokens and chips of a decided city as sure."""
    frame.sure[outcome // MAX_PLAYERS] += TOKEN_POINTS[city, 0] + chips
    frame.sure[outcome % MAX_PLAYERS] += TOKEN_POINTS[city, 1] + chips


@inner_kernel
def _add_chances(frame: np.record, city: int, found: int, at: int, players: int) -> None:
    """Add the most and the least that an undecided city may bring to everybody."""
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
    """Find out how an open city may end, and whether that is decided.

    With two players only ends count that can come about if both do their best: more than that
    nobody will get and less nobody has to take, in whatever order the cards are played.
    """
    players = wide(state.players)
    at = wide(state.messengers_at[city])
    cards = wide(frame.cards[city])
    towers = _towers(state, city, special > 0)
    shown = special >> 8 * ANYONE
    found = 0
    if players == 2:
        most = 0
        least = 0
        for seat in range(2):
            moves = min(shown + (special >> 8 * seat & 255), _MANY)
            gain = _duel(search, ends, towers, cards | moves, seat)
            most = gain if seat == 0 else most
            least = 3 - gain
        for rank in range(least, most + 1):
            found |= 1 << _RANKED[rank]
    else:
        moves = shown
        for seat in range(players):
            moves += special >> 8 * seat & 255
        found = _outcomes(search, ends, towers, cards | min(moves, _MANY), players)
    # With a messenger here it may matter who is present, even if it is clear who wins.
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
    """Return everybody's floors and towers in a city as a word; such words may be added up."""
    word = 0
    for seat in range(wide(state.players)):
        one = int(state.counts[city, 0, seat])
        two = int(state.counts[city, 1, seat])
        word = word << 11 | one + two << 5 | int(one > 0) + int(two > 0)
    return word


@inner_kernel
def _survey_messengers(state: StateRecord, frame: np.record) -> None:
    """Put into the key what may still come of messengers: chips, and the minus chip."""
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
    """Count portraits; return the nobles whose sets are not all settled, as bits."""
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
            more = (heads % 3 + more) // 3
            frame.sure[seat] += SET_POINTS * (heads // 3)
            frame.most[seat] += SET_POINTS * more
            rest = rest << 2 | (heads % 3 if more else 0)
            unsettled |= int(more > 0) << noble
    _add_to_key(frame, (rest << 3 | wide(state.seat)) << 3 | _HEADS)
    return unsettled


@inner_kernel
def _kind(state: StateRecord, frame: np.record, card: int) -> int:
    """Return what still matters of a card, as a number: equal kinds may stand for each other."""
    face = wide(state.faces[card])
    city = wide(CITY_OF_CARD[card])
    # A card whose city has nothing on display draws freely, too.
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
    """Put into the key what matters of all cards to come."""
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
        # Where a city is complete nobody builds any more: its card waits for free draws.
        where = place if state.missing[place] > 0 else _ANY_CITY
        kind = _kind(state, frame, card) << 4 | portraits
        _add_to_key(frame, ((kind << 4 | where) << 1 | face & SECOND_CREST) << 3 | _ON_DISPLAY)


@kernel
def survey(
    state: StateRecord, frame: np.record, before: np.record, search: np.record, ends: CityEnds
) -> None:
    """Find out what is sure, what is still open, and the key of all that matters for that.

    ``before`` is the survey of the turn before: what was decided stays decided.
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
            if scored:  # with just any builds: what was decided counts
                frame.sure[wide(state.winners[city, 0])] -= TOKEN_POINTS[city, 0] + chips
                frame.sure[wide(state.winners[city, 1])] -= TOKEN_POINTS[city, 1] + chips
    if wide(state.rules) & WITH_MESSENGERS:
        _survey_messengers(state, frame)
    _survey_cards(state, frame, _survey_heads(state, frame))
    # With two players the rest of the game does not depend on what is sure.
    for seat in range(players if players > 2 else 0):
        standing = wide(frame.sure[seat]) + 8 << 8 | wide(frame.floors[seat])
        _add_to_key(frame, (standing << 3 | seat) << 3 | _STANDING)
