"""Possible outcomes of a city, once all remaining cards are known.

A city's position is two words: its towers, the taller first, and its remaining cards.
"""

from typing import Any

import numpy as np

from patrizier.bots.endgame.records import ROOM, CityEnds, wide
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.jit import inner_kernel, kernel, wrapping_kernel
from patrizier.rules.state import NONE, StateRecord

ANYONE = MAX_PLAYERS  # holder of a card that lies on the display

_EMPTY = 1  # a tower packed into an int: a leading 1, then the owners bottom to top, 3 bits each
_TOWER = 25  # bits of a packed tower
_LOW = (1 << _TOWER) - 1
CARD = 8  # remaining cards, packed: special actions in 3 bits, then by holder and crests
MANY = 7  # special actions: from this number on the search gives up
_MOST_TRIED = 1000  # continuations of a city to try before assuming any outcome
_MOST_STEPS = 64  # continuations from one position
_NEW = -1  # not searched yet

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, S31 = np.uint64(27), np.uint64(30), np.uint64(31)


@wrapping_kernel
def mix(number: int) -> Any:
    """Return a 64-bit hash of a number."""
    word = np.uint64(number) + GOLDEN
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> S31)


@inner_kernel
def _both(one: int, two: int) -> int:
    """Pack two towers into one int, the taller first: left and right do not matter."""
    return max(one, two) << _TOWER | min(one, two)


@inner_kernel
def tower_words(state: StateRecord, city: int, in_order: bool) -> int:
    """Pack both towers of a city into an int.

    If no floor can be moved any more, only floor counts and the order of the owners' highest floors
    matter, so each owner's floors are put together below the highest.
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
    """Push a continuation onto the stack; return the new size."""
    if cards < CARD and min(one, two) == _EMPTY:  # each tower needs a floor
        return count
    search.towers[count] = _both(one, two)
    search.cards[count] = cards
    search.parent[count] = parent
    search.group[count] = group
    search.best[count] = _NEW
    return count + 1


@inner_kernel
def _push_all(search: np.record, count: int, top: int, players: int) -> int:
    """Push all continuations of a stack entry: special actions, and builds of every seat."""
    one = search.towers[top] >> _TOWER
    two = search.towers[top] & _LOW
    cards = search.cards[top]
    for kind in range(2 * MAX_PLAYERS + 2):
        if cards // CARD >> 3 * kind & 7 == 0:
            continue
        after = cards - (CARD << 3 * kind)
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
    if cards & MANY and one != _EMPTY:
        count = _push(search, count, top, group, one >> 3, two << 3 | one & 7, cards - 1)
    if cards & MANY and two != _EMPTY:
        count = _push(search, count, top, group, one << 3 | two & 7, two >> 3, cards - 1)
    return count


@inner_kernel
def _end(ends: CityEnds, towers: int, cards: int) -> Any:
    """Return the entry of a city's position in the table."""
    return ends[wide((mix(towers) ^ mix(cards)) & np.uint64(len(ends) - 1))]


@kernel
def duel(search: np.record, ends: CityEnds, towers: int, cards: int, seat: int) -> int:
    """Return an upper bound on what a seat wins in a city: 2 for the taller tower, 1 for the lower.

    For two players, on relaxed rules: that seat chooses the order of all cards and moves floors
    whenever it likes; the opponent only chooses where its own floors go.
    """
    if cards & MANY == MANY:
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
            if tried > _MOST_TRIED or count + _MOST_STEPS > ROOM:
                top = 0
                end = _end(ends, wide(search.towers[0]), wide(search.cards[0]) | mark)
                search.best[0] = 3
            elif cards < CARD:
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
                continue  # the opponent has more ways to build this card
            search.reply[above] = 3
        search.best[above] = max(int(search.best[above]), best)
        if search.best[above] == 3:
            count = above + 1


@kernel
def outcomes(search: np.record, ends: CityEnds, towers: int, cards: int, players: int) -> int:
    """Return a superset of the possible outcomes of a city, as bits."""
    everything = 0
    for winner in range(players):
        everything |= (1 << players) - 1 << winner * MAX_PLAYERS
    end = _end(ends, towers, cards)
    if end.towers == towers and end.cards == cards:
        return int(end.found)
    found = everything if cards & MANY == MANY else 0
    tried = 0
    search.towers[0] = towers
    search.cards[0] = cards
    count = wide(1)
    while count > 0 and found != everything:
        count -= 1
        tried += 1
        if search.cards[count] < CARD:
            taller = _leader(int(search.towers[count]) >> _TOWER)
            found |= 1 << taller * MAX_PLAYERS + _leader(int(search.towers[count]) & _LOW)
        elif tried > _MOST_TRIED or count + _MOST_STEPS > ROOM:
            found = everything
        else:
            count = _push_all(search, count, count, players)
    end.towers = towers
    end.cards = cards
    end.found = found
    return found
