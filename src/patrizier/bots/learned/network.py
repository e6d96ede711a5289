"""The network for two to five players, in compiled code: what a position is worth, and what to do.

The same sums as in `training/network.py`. It looks at each city, at each card that can be seen, and
at the table; passes what it found between cards, their cities and the cities where they lie; and
tells the policy, every seat's share of the victory and the points still to come.

Positions in a search are alike: what follows from a city alone, or from a card and its two cities,
is kept in the buffer and looked up by a hash of what it depends on. Inputs that are zero are
skipped.
"""

import math
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt

from patrizier.bots.learned.inputs import (
    AT_BUILD,
    AT_DRAW,
    AT_MESSENGER,
    AT_MOVE,
    BUILDS,
    CITY,
    FACE,
    INPUTS,
    LOGITS,
    PHASE,
    SEAT,
    SHOWN,
    TABLE,
    write_inputs,
)
from patrizier.rules.board import HAND, MAX_CITIES, MAX_PLAYERS
from patrizier.rules.jit import blending_inner_kernel, inner_kernel, kernel, wrapping_kernel
from patrizier.rules.layout import aligned_record
from patrizier.rules.state import BUILDING, DRAWING, MOVING, POSTING, Cells

WIDTH = 64  # numbers that describe a city or a card
TABLE_WIDTH = 128  # numbers that describe the table
HIDDEN = 32  # of the head that judges cards to play
POINTS = 10.0  # one output counts so many points

SEATS = MAX_PLAYERS * SEAT + TABLE
JUDGED = 16  # room for what is told of the seats: shares, then points
_PLAYS = 16  # room for `BUILDS`
_ACTS = 4  # move from the higher tower, from the lower; draw; messenger
_AT_ONCE = 8  # rows of a matrix that are added at once
_MOST = 256  # inputs that are not zero

# What is kept of a city: itself, then what it tells
_TO_GOAL = 0  # cards that name it,
_TO_PLACE = WIDTH  # the card that lies there,
_TO_ITSELF = 2 * WIDTH  # and itself later.
_CITY_TELLS = 3 * WIDTH
# Of a card: itself, then what it tells
_TO_NAMED = 0  # the city it names,
_TO_LYING = WIDTH  # and the city where it lies, or for a card in hand the head of the policy.
_CARD_TELLS = 2 * WIDTH

CITY_SLOTS = 64  # kept of each city, by hash
CARD_SLOTS = 64  # kept of each card on display or in hand

# Matrices are transposed, so that the outputs of an input are neighbours. Rows begin with a cache
# line, here and in the buffer: that saves a third of the time.
_LINE = 64
NETWORK = aligned_record(
    ("city", "f4", (CITY, WIDTH)),
    ("city_bias", "f4", WIDTH),
    ("card", "f4", (2, FACE, WIDTH)),  # in hand, on display
    ("card_bias", "f4", (2, WIDTH)),
    ("from_city", "f4", (WIDTH, _CITY_TELLS)),
    ("from_city_bias", "f4", _CITY_TELLS),
    ("from_shown", "f4", (WIDTH, _CARD_TELLS)),
    ("from_hand", "f4", (WIDTH, _CARD_TELLS)),
    ("from_hand_bias", "f4", _CARD_TELLS),
    ("table", "f4", (SEATS, TABLE_WIDTH)),
    ("table_bias", "f4", TABLE_WIDTH),
    ("gather", "f4", (3 * WIDTH, TABLE_WIDTH)),
    ("tell", "f4", (TABLE_WIDTH, WIDTH)),
    ("add_up", "f4", (WIDTH, TABLE_WIDTH)),
    ("add_up_bias", "f4", TABLE_WIDTH),
    ("think", "f4", (TABLE_WIDTH, TABLE_WIDTH)),
    ("judge", "f4", (TABLE_WIDTH, JUDGED)),
    ("judge_bias", "f4", JUDGED),
    ("play_city", "f4", (WIDTH, HIDDEN)),
    ("play_table", "f4", (TABLE_WIDTH, HIDDEN)),
    ("play", "f4", (HIDDEN, _PLAYS)),
    ("play_bias", "f4", _PLAYS),
    ("act", "f4", (_ACTS, WIDTH)),  # these two are not transposed: few outputs
    ("pass_by", "f4", (2, TABLE_WIDTH)),
    ("act_bias", "f4", _ACTS),
    ("pass_by_bias", "f4", 2),
    ("stamp", "u8"),  # differs between networks
)

THOUGHTS = aligned_record(
    # On the way there.
    ("rows", "i4", _MOST),  # inputs that are not zero
    ("values", "f4", _MOST),
    ("sums", "f4", 3 * WIDTH),  # cities, hand, display
    ("table", "f4", TABLE_WIDTH),
    ("table_later", "f4", TABLE_WIDTH),
    ("told", "f4", WIDTH),
    ("cities", "f4", (MAX_CITIES, WIDTH)),  # after they heard of cards and table
    ("city_sum", "f4", WIDTH),
    ("play_table", "f4", HIDDEN),
    ("play", "f4", HIDDEN),
    ("plays", "f4", _PLAYS),
    ("judged", "f4", JUDGED),
    # Kept between calls, by hash.
    ("city_seen", "f4", (MAX_CITIES * CITY_SLOTS, WIDTH)),
    ("city_tells", "f4", (MAX_CITIES * CITY_SLOTS, _CITY_TELLS)),
    ("card_seen", "f4", (SHOWN * CARD_SLOTS, WIDTH)),
    ("card_tells", "f4", (SHOWN * CARD_SLOTS, _CARD_TELLS)),
    ("city_keys", "u8", MAX_CITIES * CITY_SLOTS),
    ("card_keys", "u8", SHOWN * CARD_SLOTS),
    ("stamp", "u8"),  # of the network
    # Where it is kept, of this position.
    ("hashes", "u8", MAX_CITIES),
    ("slots", "i8", MAX_CITIES),
    ("hand_slots", "i8", HAND),
    # Results, by distance from the seat to move.
    ("logits", "f4", LOGITS),  # of decisions in the present phase; the others are not written
    ("share", "f4", MAX_PLAYERS),  # of the victory; of seats without a player, zero
    ("points", "f4", MAX_PLAYERS),  # still to come
)

Network: TypeAlias = npt.NDArray[np.void]
Thoughts: TypeAlias = npt.NDArray[np.void]
Inputs: TypeAlias = npt.NDArray[np.void]
Floats: TypeAlias = npt.NDArray[np.float32]
Bytes: TypeAlias = npt.NDArray[np.int8]


@lru_cache(maxsize=1)
def load_network() -> Network:
    """Return the network that comes with the package."""
    with as_file(files(__package__) / "weights" / "network.npz") as path:
        return read_network(path)


def read_network(path: Path) -> Network:
    """Read a network from a file: arrays named as in the training, of any kind of numbers."""
    with np.load(path) as stored:
        given = {name: stored[name].astype(np.float32) for name in stored.files}
    found = {name.removesuffix(".weight"): array.T for name, array in given.items()}
    found.update({name.replace(".bias", "_bias"): array for name, array in given.items()})
    network = _aligned(NETWORK)
    network["add_up"], network["add_up_bias"] = found["sum"], found["sum_bias"]
    for name in ("city", "table", "gather", "tell", "think", "play_city", "play_table"):
        network[name][0] = found[name]
    for name in ("city_bias", "table_bias", "act_bias", "pass_by_bias"):
        network[name][0] = found[name]
    for name in ("act", "pass_by"):
        network[name][0] = found[name].T
    for kind in range(2):
        columns = slice(kind * WIDTH, (kind + 1) * WIDTH)
        network["card"][0, kind] = found["card"][:, columns]
        network["card_bias"][0, kind] = found["card_bias"][columns]
    network["from_city"][0] = np.hstack([found["goal"], found["place"], found["keep"]])
    network["from_city_bias"][0, :WIDTH] = found["goal_bias"]
    network["from_city_bias"][0, _TO_ITSELF:] = found["keep_bias"]
    network["from_shown"][0] = np.hstack([found["named"], found["lying"]])
    network["from_hand"][0, :, :WIDTH] = found["named"]
    network["from_hand"][0, :, _TO_LYING : _TO_LYING + HIDDEN] = found["play_card"]
    network["from_hand_bias"][0, _TO_LYING : _TO_LYING + HIDDEN] = found["play_card_bias"]
    for name, outputs in (("judge", 2 * MAX_PLAYERS), ("play", BUILDS)):
        network[name][0, :, :outputs] = found[name]
        network[f"{name}_bias"][0, :outputs] = found[f"{name}_bias"]
    network["stamp"] = 1 + crc32(network.tobytes())
    return network


def new_thoughts() -> Thoughts:
    """Return a buffer."""
    return _aligned(THOUGHTS)


def _aligned(kind: np.dtype[np.void]) -> npt.NDArray[np.void]:
    """Return a record of zeros that begins with a cache line."""
    room = np.zeros(kind.itemsize + _LINE, np.uint8)
    start = -room.ctypes.data % _LINE
    return room[start : start + kind.itemsize].view(kind)


def new_inputs() -> Inputs:
    """Return room for the inputs of one position."""
    return np.zeros(1, INPUTS)


@inner_kernel
def think(inputs: np.record, thoughts: np.record, network: np.record) -> None:
    """Tell what a position is worth to every seat, and the logits of decisions in its phase."""
    if thoughts.stamp != network.stamp:
        _forget(thoughts, network)
    look_at_cities(inputs, thoughts, network)
    look_at_cards(inputs, thoughts, network)
    look_at_table(inputs, thoughts, network)
    pass_on(thoughts, network)
    judge_seats(inputs, thoughts, network)
    judge_decisions(inputs, thoughts, network)


@kernel
def think_of(cells: Cells, inputs: Inputs, thoughts: Thoughts, network: Network) -> None:
    """Judge a state or view, for calls from Python."""
    write_inputs(cells[0], inputs[0])
    think(inputs[0], thoughts[0], network[0])


@inner_kernel
def _forget(thoughts: np.record, network: np.record) -> None:
    """Forget what another network told."""
    for slot in range(MAX_CITIES * CITY_SLOTS):
        thoughts.city_keys[slot] = 0
    for slot in range(SHOWN * CARD_SLOTS):
        thoughts.card_keys[slot] = 0
    thoughts.stamp = network.stamp


# -- sums
#
# Arrays are given as slices, `network.tell[:]`: else each would have a type of its own by its size,
# and the functions would be compiled for each.


@inner_kernel
def _list_bytes(numbers: Bytes, thoughts: np.record, listed: int, first: int) -> int:
    """List the bytes that are not zero, as rows from `first` on; return how many are listed."""
    for i in range(len(numbers)):
        thoughts.rows[listed] = first + i
        thoughts.values[listed] = np.float32(numbers[i])
        listed += int(numbers[i] != 0)
    return listed


@inner_kernel
def _list_positive(numbers: Floats, thoughts: np.record, listed: int) -> int:
    """List the positive numbers; return how many are listed."""
    for i in range(len(numbers)):
        thoughts.rows[listed] = i
        thoughts.values[listed] = numbers[i]
        listed += int(numbers[i] > 0)
    return listed


@inner_kernel
def _fill_up(thoughts: np.record, listed: int) -> None:
    """List zeros until the number of rows is one that `_add_rows` can take."""
    for i in range(listed, (listed + _AT_ONCE - 1) // _AT_ONCE * _AT_ONCE):
        thoughts.rows[i] = 0
        thoughts.values[i] = np.float32(0.0)


@blending_inner_kernel
def _add_rows(thoughts: np.record, listed: int, matrix: Floats, out: Floats) -> None:
    """Add the listed rows of a matrix, each times its value."""
    _fill_up(thoughts, listed)
    for start in range(0, listed, _AT_ONCE):
        r0, v0 = int(thoughts.rows[start]), thoughts.values[start]
        r1, v1 = int(thoughts.rows[start + 1]), thoughts.values[start + 1]
        r2, v2 = int(thoughts.rows[start + 2]), thoughts.values[start + 2]
        r3, v3 = int(thoughts.rows[start + 3]), thoughts.values[start + 3]
        r4, v4 = int(thoughts.rows[start + 4]), thoughts.values[start + 4]
        r5, v5 = int(thoughts.rows[start + 5]), thoughts.values[start + 5]
        r6, v6 = int(thoughts.rows[start + 6]), thoughts.values[start + 6]
        r7, v7 = int(thoughts.rows[start + 7]), thoughts.values[start + 7]
        for i in range(len(out)):
            one = v0 * matrix[r0, i] + v1 * matrix[r1, i] + v2 * matrix[r2, i] + v3 * matrix[r3, i]
            two = v4 * matrix[r4, i] + v5 * matrix[r5, i] + v6 * matrix[r6, i] + v7 * matrix[r7, i]
            out[i] += one + two


@inner_kernel
def _set(out: Floats, numbers: Floats) -> None:
    for i in range(len(out)):
        out[i] = numbers[i]


@inner_kernel
def _add(out: Floats, numbers: Floats) -> None:
    for i in range(len(out)):
        out[i] += numbers[i]


@blending_inner_kernel
def _cut(numbers: Floats) -> None:
    """Apply a ReLU."""
    for i in range(len(numbers)):
        number = numbers[i]
        numbers[i] = number if number > np.float32(0.0) else np.float32(0.0)


@blending_inner_kernel
def _product(numbers: Floats, row: Floats) -> np.float32:
    total = np.float32(0.0)
    for i in range(len(numbers)):
        total += numbers[i] * row[i]
    return total


# -- what is kept

_MIX = np.uint64(0x9E3779B97F4A7C15)
_MIX_TOO = np.uint64(0xBF58476D1CE4E5B9)


@wrapping_kernel
def _mixed(hash_: np.uint64, word: np.uint64) -> np.uint64:
    """Return a hash of a hash and another word."""
    hash_ = (hash_ ^ word) * _MIX
    return (hash_ ^ hash_ >> np.uint64(32)) * _MIX_TOO


@wrapping_kernel
def _word(numbers: Bytes, start: int) -> np.uint64:
    """Return eight bytes as one word."""
    word = np.uint64(0)
    for i in range(8):
        word |= np.uint64(np.uint8(numbers[start + i])) << np.uint64(8 * i)
    return word


@wrapping_kernel
def _hash_of(numbers: Bytes) -> np.uint64:
    """Return a hash of some bytes that is never zero."""
    hash_ = np.uint64(1)
    for start in range(0, CITY, 8):
        hash_ = _mixed(hash_, _word(numbers, start))
    return hash_ | np.uint64(1)


# -- layers


@inner_kernel
def look_at_cities(inputs: np.record, thoughts: np.record, network: np.record) -> None:
    """Find what each city tells; add up the cities."""
    for i in range(3 * WIDTH):
        thoughts.sums[i] = np.float32(0.0)
    for city in range(MAX_CITIES):
        key = _hash_of(inputs.cities[city])
        slot = CITY_SLOTS * city + int(key >> np.uint64(32)) % CITY_SLOTS
        if thoughts.city_keys[slot] != key:
            thoughts.city_keys[slot] = key
            seen = thoughts.city_seen[slot]
            _set(seen, network.city_bias[:])
            listed = _list_bytes(inputs.cities[city], thoughts, 0, 0)
            _add_rows(thoughts, listed, network.city[:], seen)
            _cut(seen)
            tells = thoughts.city_tells[slot]
            _set(tells, network.from_city_bias[:])
            _add_rows(thoughts, _list_positive(seen, thoughts, 0), network.from_city[:], tells)
        thoughts.hashes[city] = key
        thoughts.slots[city] = slot
        _add(thoughts.sums[:WIDTH], thoughts.city_seen[slot])
        _set(thoughts.cities[city], thoughts.city_tells[slot, _TO_ITSELF:])


@inner_kernel
def look_at_cards(inputs: np.record, thoughts: np.record, network: np.record) -> None:
    """Find what each card tells its cities, and add up the cards."""
    for card in range(SHOWN):
        goal = int(inputs.goals[card])
        if goal >= 0:
            slot = _slot_of_card(inputs, thoughts, network, card, goal)
            _add(thoughts.cities[goal], thoughts.card_tells[slot, :_TO_LYING])
            if card < HAND:
                thoughts.hand_slots[card] = slot
                _add(thoughts.sums[WIDTH : 2 * WIDTH], thoughts.card_seen[slot])
            else:
                _add(thoughts.cities[card - HAND], thoughts.card_tells[slot, _TO_LYING:])
                _add(thoughts.sums[2 * WIDTH :], thoughts.card_seen[slot])


@inner_kernel
def _slot_of_card(
    inputs: np.record, thoughts: np.record, network: np.record, card: int, goal: int
) -> int:
    """Return where it is kept what a card tells, which may have to be found first."""
    face = np.uint64(0)
    for i in range(FACE):
        face |= np.uint64(inputs.cards[card, i] != 0) << np.uint64(i)
    key = _mixed(thoughts.hashes[goal], face)
    if card >= HAND:
        key = _mixed(key, thoughts.hashes[card - HAND])
    key |= np.uint64(1)
    slot = CARD_SLOTS * card + int(key >> np.uint64(32)) % CARD_SLOTS
    if thoughts.card_keys[slot] != key:
        thoughts.card_keys[slot] = key
        kind = int(card >= HAND)
        seen = thoughts.card_seen[slot]
        tells = thoughts.card_tells[slot]
        _set(seen, network.card_bias[kind])
        _add(seen, thoughts.city_tells[int(thoughts.slots[goal]), :_TO_PLACE])
        matrix: Floats = network.card[kind]
        _add_rows(thoughts, _list_bytes(inputs.cards[card], thoughts, 0, 0), matrix, seen)
        if card >= HAND:
            place = int(thoughts.slots[card - HAND])
            _add(seen, thoughts.city_tells[place, _TO_PLACE:_TO_ITSELF])
            _cut(seen)
            for i in range(_CARD_TELLS):
                tells[i] = np.float32(0.0)
            _add_rows(thoughts, _list_positive(seen, thoughts, 0), network.from_shown[:], tells)
        else:
            _cut(seen)
            _set(tells, network.from_hand_bias[:])
            _add_rows(thoughts, _list_positive(seen, thoughts, 0), network.from_hand[:], tells)
    return slot


@inner_kernel
def look_at_table(inputs: np.record, thoughts: np.record, network: np.record) -> None:
    """Find what the table is like, with all cities and cards."""
    _set(thoughts.table[:], network.table_bias[:])
    listed = 0
    for seat in range(MAX_PLAYERS):
        listed = _list_bytes(inputs.seats[seat], thoughts, listed, seat * SEAT)
    listed = _list_bytes(inputs.table[:], thoughts, listed, MAX_PLAYERS * SEAT)
    _add_rows(thoughts, listed, network.table[:], thoughts.table[:])
    listed = _list_positive(thoughts.sums[:], thoughts, 0)
    _add_rows(thoughts, listed, network.gather[:], thoughts.table[:])
    _cut(thoughts.table[:])


@blending_inner_kernel
def pass_on(thoughts: np.record, network: np.record) -> None:
    """Let the cities hear of the table, and the table of the cities."""
    for i in range(WIDTH):
        thoughts.told[i] = np.float32(0.0)
        thoughts.city_sum[i] = np.float32(0.0)
    _set(thoughts.table_later[:], network.add_up_bias[:])
    listed = _list_positive(thoughts.table[:], thoughts, 0)
    _add_rows(thoughts, listed, network.tell[:], thoughts.told[:])
    _add_rows(thoughts, listed, network.think[:], thoughts.table_later[:])
    for city in range(MAX_CITIES):
        for i in range(WIDTH):
            number = thoughts.cities[city, i] + thoughts.told[i]
            number = number if number > np.float32(0.0) else np.float32(0.0)
            thoughts.cities[city, i] = number
            thoughts.city_sum[i] += number
    listed = _list_positive(thoughts.city_sum[:], thoughts, 0)
    _add_rows(thoughts, listed, network.add_up[:], thoughts.table_later[:])
    _cut(thoughts.table_later[:])


@inner_kernel
def judge_seats(inputs: np.record, thoughts: np.record, network: np.record) -> None:
    """Tell shares and points; leave the inputs from the table that are not zero listed."""
    _set(thoughts.judged[:], network.judge_bias[:])
    listed = _list_positive(thoughts.table_later[:], thoughts, 0)
    _add_rows(thoughts, listed, network.judge[:], thoughts.judged[:])
    if inputs.table[PHASE + BUILDING]:
        for i in range(HIDDEN):
            thoughts.play_table[i] = np.float32(0.0)
        _add_rows(thoughts, listed, network.play_table[:], thoughts.play_table[:])
    highest = thoughts.judged[0]
    for seat in range(1, MAX_PLAYERS):
        if inputs.seats[seat, 0]:
            highest = max(highest, thoughts.judged[seat])
    total = 0.0
    for seat in range(MAX_PLAYERS):
        odds = 0.0
        if inputs.seats[seat, 0]:
            odds = math.exp(float(thoughts.judged[seat] - highest))
        total += odds
        thoughts.share[seat] = odds
        thoughts.points[seat] = POINTS * float(thoughts.judged[MAX_PLAYERS + seat])
    for seat in range(MAX_PLAYERS):
        thoughts.share[seat] = float(thoughts.share[seat]) / total


@inner_kernel
def judge_decisions(inputs: np.record, thoughts: np.record, network: np.record) -> None:
    """Tell the logits of the decisions in this phase."""
    if inputs.table[PHASE + BUILDING]:
        _judge_builds(inputs, thoughts, network)
    elif inputs.table[PHASE + MOVING]:
        _judge_acts(thoughts, network, 0, AT_MOVE + 1, 2)
        _judge_acts(thoughts, network, 1, AT_MOVE + 2, 2)
        thoughts.logits[AT_MOVE] = _pass_by(thoughts, network, 0)
    elif inputs.table[PHASE + DRAWING]:
        _judge_acts(thoughts, network, 2, AT_DRAW, 1)
    elif inputs.table[PHASE + POSTING]:
        _judge_acts(thoughts, network, 3, AT_MESSENGER + 1, 1)
        thoughts.logits[AT_MESSENGER] = _pass_by(thoughts, network, 1)


@inner_kernel
def _judge_builds(inputs: np.record, thoughts: np.record, network: np.record) -> None:
    """Tell the logits of the ways to play each card in hand."""
    for card in range(HAND):
        goal = int(inputs.goals[card])
        if goal >= 0:
            _set(thoughts.play[:], thoughts.play_table[:])
            tells = thoughts.card_tells[int(thoughts.hand_slots[card]), _TO_LYING:]
            _add(thoughts.play[:], tells)
            listed = _list_positive(thoughts.cities[goal], thoughts, 0)
            _add_rows(thoughts, listed, network.play_city[:], thoughts.play[:])
            _set(thoughts.plays[:], network.play_bias[:])
            listed = _list_positive(thoughts.play[:], thoughts, 0)
            _add_rows(thoughts, listed, network.play[:], thoughts.plays[:])
            for way in range(BUILDS):
                thoughts.logits[AT_BUILD + BUILDS * card + way] = thoughts.plays[way]


@inner_kernel
def _judge_acts(thoughts: np.record, network: np.record, act: int, first: int, step: int) -> None:
    """Tell the logits of something that can be done in each city."""
    for city in range(MAX_CITIES):
        logit = _product(thoughts.cities[city], network.act[act]) + network.act_bias[act]
        thoughts.logits[first + step * city] = logit


@inner_kernel
def _pass_by(thoughts: np.record, network: np.record, act: int) -> np.float32:
    """Return the logit of doing nothing."""
    product = _product(thoughts.table_later[:], network.pass_by[act])
    return np.float32(product + network.pass_by_bias[act])
