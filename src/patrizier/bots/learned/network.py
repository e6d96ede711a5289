"""The network for two to five players, in compiled code: policy, shares of the victory, points.

The same forward pass as in `training/network.py`. Cities, visible cards and the table are embedded;
cards exchange messages with the city they name and the city where they lie, cities with the table.
One head has the logits of decisions, the other one every seat's share of the victory and points
still to come.

Positions in a search are alike, so embeddings and messages of a city, or of a card with its two
cities, are cached by a hash of all they depend on. Inputs that are zero are skipped.
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

WIDTH = 64  # of the embedding of a city or a card
TABLE_WIDTH = 128  # of the embedding of the table
HIDDEN = 32  # units of the head for cards to play
POINTS = 10.0  # one output counts so many points

SEATS = MAX_PLAYERS * SEAT + TABLE
_VALUES = 16  # room for the logits of shares, then points
_PLAYS = 16  # room for `BUILDS`
_ACTS = 4  # move from the higher tower, from the lower; draw; messenger
_AT_ONCE = 8  # rows of a matrix that are added at once
_MOST = 256  # inputs that are not zero

# Messages of a city: first to cards that name it,
_TO_PLACE = WIDTH  # then to the card that lies there,
_TO_ITSELF = 2 * WIDTH  # and to the next layer.
_FROM_CITY = 3 * WIDTH
# Messages of a card: first to the city it names,
_TO_LYING = WIDTH  # then to the city where it lies; of a card in hand, to the head of the policy.
_FROM_CARD = 2 * WIDTH

CITY_SLOTS = 64  # of the cache, for each city
CARD_SLOTS = 64  # for each card on display or in hand

# Matrices are transposed, so that the outputs of an input are neighbours. Rows begin with a cache
# line, here and in the buffer: that saves a third of the time.
_LINE = 64
NETWORK = aligned_record(
    ("city", "f4", (CITY, WIDTH)),
    ("city_bias", "f4", WIDTH),
    ("card", "f4", (2, FACE, WIDTH)),  # in hand, on display
    ("card_bias", "f4", (2, WIDTH)),
    ("from_city", "f4", (WIDTH, _FROM_CITY)),
    ("from_city_bias", "f4", _FROM_CITY),
    ("from_shown", "f4", (WIDTH, _FROM_CARD)),
    ("from_hand", "f4", (WIDTH, _FROM_CARD)),
    ("from_hand_bias", "f4", _FROM_CARD),
    ("table", "f4", (SEATS, TABLE_WIDTH)),
    ("table_bias", "f4", TABLE_WIDTH),
    ("gather", "f4", (3 * WIDTH, TABLE_WIDTH)),
    ("tell", "f4", (TABLE_WIDTH, WIDTH)),
    ("add_up", "f4", (WIDTH, TABLE_WIDTH)),
    ("add_up_bias", "f4", TABLE_WIDTH),
    ("think", "f4", (TABLE_WIDTH, TABLE_WIDTH)),
    ("judge", "f4", (TABLE_WIDTH, _VALUES)),
    ("judge_bias", "f4", _VALUES),
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

ACTIVATIONS = aligned_record(
    # Of hidden layers.
    ("rows", "i4", _MOST),  # inputs that are not zero
    ("values", "f4", _MOST),
    ("sums", "f4", 3 * WIDTH),  # cities, hand, display
    ("table", "f4", TABLE_WIDTH),
    ("table_later", "f4", TABLE_WIDTH),
    ("from_table", "f4", WIDTH),
    ("cities", "f4", (MAX_CITIES, WIDTH)),  # after the messages of cards and table
    ("city_sum", "f4", WIDTH),
    ("play_table", "f4", HIDDEN),
    ("play", "f4", HIDDEN),
    ("plays", "f4", _PLAYS),
    ("outcomes", "f4", _VALUES),
    # The cache, and the hashes of what is in it.
    ("city_embeddings", "f4", (MAX_CITIES * CITY_SLOTS, WIDTH)),
    ("city_messages", "f4", (MAX_CITIES * CITY_SLOTS, _FROM_CITY)),
    ("card_embeddings", "f4", (SHOWN * CARD_SLOTS, WIDTH)),
    ("card_messages", "f4", (SHOWN * CARD_SLOTS, _FROM_CARD)),
    ("city_keys", "u8", MAX_CITIES * CITY_SLOTS),
    ("card_keys", "u8", SHOWN * CARD_SLOTS),
    ("stamp", "u8"),  # of the network
    # Of this position: the hash of each city, and where to look.
    ("hashes", "u8", MAX_CITIES),
    ("slots", "i8", MAX_CITIES),
    ("hand_slots", "i8", HAND),
    # Results, by distance from the seat to move.
    ("logits", "f4", LOGITS),  # of decisions in this phase; the others are not written
    ("share", "f4", MAX_PLAYERS),  # of the victory; of seats without a player, zero
    ("points", "f4", MAX_PLAYERS),  # still to come
)

Network: TypeAlias = npt.NDArray[np.void]
Activations: TypeAlias = npt.NDArray[np.void]
Inputs: TypeAlias = npt.NDArray[np.void]
Floats: TypeAlias = npt.NDArray[np.float32]
Bytes: TypeAlias = npt.NDArray[np.int8]


@lru_cache(maxsize=1)
def load_network() -> Network:
    """Return the network that comes with the package."""
    with as_file(files(__package__) / "weights" / "network.npz") as path:
        return read_network(path)


def read_network(path: Path) -> Network:
    """Read a network from a file: arrays named as in the training, of any type."""
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


def new_activations() -> Activations:
    """Return a buffer."""
    return _aligned(ACTIVATIONS)


def _aligned(kind: np.dtype[np.void]) -> npt.NDArray[np.void]:
    """Return a record of zeros that begins with a cache line."""
    room = np.zeros(kind.itemsize + _LINE, np.uint8)
    start = -room.ctypes.data % _LINE
    return room[start : start + kind.itemsize].view(kind)


def new_inputs() -> Inputs:
    """Return room for the inputs of one position."""
    return np.zeros(1, INPUTS)


@inner_kernel
def infer(inputs: np.record, activations: np.record, network: np.record) -> None:
    """Run the network: write the logits of this phase, and shares and points by seat."""
    if activations.stamp != network.stamp:
        _clear_cache(activations, network)
    embed_cities(inputs, activations, network)
    embed_cards(inputs, activations, network)
    embed_table(inputs, activations, network)
    pass_messages(activations, network)
    infer_values(inputs, activations, network)
    infer_policy(inputs, activations, network)


@kernel
def infer_cells(cells: Cells, inputs: Inputs, activations: Activations, network: Network) -> None:
    """Run the network on a state or view; for tests, as searches call `infer`."""
    write_inputs(cells[0], inputs[0])
    infer(inputs[0], activations[0], network[0])


@inner_kernel
def _clear_cache(activations: np.record, network: np.record) -> None:
    """Empty the cache, which another network has filled."""
    for slot in range(MAX_CITIES * CITY_SLOTS):
        activations.city_keys[slot] = 0
    for slot in range(SHOWN * CARD_SLOTS):
        activations.card_keys[slot] = 0
    activations.stamp = network.stamp


# -- sums
#
# Arrays are given as slices, `network.tell[:]`: else each would have a type of its own by its size,
# and the functions would be compiled for each.


@inner_kernel
def _list_bytes(numbers: Bytes, activations: np.record, listed: int, first: int) -> int:
    """List the bytes that are not zero, as rows from `first` on; return how many are listed."""
    for i in range(len(numbers)):
        activations.rows[listed] = first + i
        activations.values[listed] = np.float32(numbers[i])
        listed += int(numbers[i] != 0)
    return listed


@inner_kernel
def _list_positive(numbers: Floats, activations: np.record, listed: int) -> int:
    """List the positive numbers; return how many are listed."""
    for i in range(len(numbers)):
        activations.rows[listed] = i
        activations.values[listed] = numbers[i]
        listed += int(numbers[i] > 0)
    return listed


@inner_kernel
def _fill_up(activations: np.record, listed: int) -> None:
    """List zeros until the number of rows is one that `_add_rows` can take."""
    for i in range(listed, (listed + _AT_ONCE - 1) // _AT_ONCE * _AT_ONCE):
        activations.rows[i] = 0
        activations.values[i] = np.float32(0.0)


@blending_inner_kernel
def _add_rows(activations: np.record, listed: int, matrix: Floats, out: Floats) -> None:
    """Add the listed rows of a matrix, each times its value."""
    _fill_up(activations, listed)
    for start in range(0, listed, _AT_ONCE):
        r0, v0 = int(activations.rows[start]), activations.values[start]
        r1, v1 = int(activations.rows[start + 1]), activations.values[start + 1]
        r2, v2 = int(activations.rows[start + 2]), activations.values[start + 2]
        r3, v3 = int(activations.rows[start + 3]), activations.values[start + 3]
        r4, v4 = int(activations.rows[start + 4]), activations.values[start + 4]
        r5, v5 = int(activations.rows[start + 5]), activations.values[start + 5]
        r6, v6 = int(activations.rows[start + 6]), activations.values[start + 6]
        r7, v7 = int(activations.rows[start + 7]), activations.values[start + 7]
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
def _relu(numbers: Floats) -> None:
    """Apply a ReLU."""
    for i in range(len(numbers)):
        number = numbers[i]
        numbers[i] = number if number > np.float32(0.0) else np.float32(0.0)


@blending_inner_kernel
def _dot(numbers: Floats, row: Floats) -> np.float32:
    total = np.float32(0.0)
    for i in range(len(numbers)):
        total += numbers[i] * row[i]
    return total


# -- hashes

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
def embed_cities(inputs: np.record, activations: np.record, network: np.record) -> None:
    """Embed each city; add up the embeddings."""
    for i in range(3 * WIDTH):
        activations.sums[i] = np.float32(0.0)
    for city in range(MAX_CITIES):
        key = _hash_of(inputs.cities[city])
        slot = CITY_SLOTS * city + int(key >> np.uint64(32)) % CITY_SLOTS
        if activations.city_keys[slot] != key:
            activations.city_keys[slot] = key
            embedding = activations.city_embeddings[slot]
            _set(embedding, network.city_bias[:])
            listed = _list_bytes(inputs.cities[city], activations, 0, 0)
            _add_rows(activations, listed, network.city[:], embedding)
            _relu(embedding)
            messages = activations.city_messages[slot]
            _set(messages, network.from_city_bias[:])
            _add_rows(
                activations,
                _list_positive(embedding, activations, 0),
                network.from_city[:],
                messages,
            )
        activations.hashes[city] = key
        activations.slots[city] = slot
        _add(activations.sums[:WIDTH], activations.city_embeddings[slot])
        _set(activations.cities[city], activations.city_messages[slot, _TO_ITSELF:])


@inner_kernel
def embed_cards(inputs: np.record, activations: np.record, network: np.record) -> None:
    """Embed each card and send its messages; add up the embeddings."""
    for card in range(SHOWN):
        goal = int(inputs.goals[card])
        if goal >= 0:
            slot = _slot_of_card(inputs, activations, network, card, goal)
            _add(activations.cities[goal], activations.card_messages[slot, :_TO_LYING])
            if card < HAND:
                activations.hand_slots[card] = slot
                _add(activations.sums[WIDTH : 2 * WIDTH], activations.card_embeddings[slot])
            else:
                _add(activations.cities[card - HAND], activations.card_messages[slot, _TO_LYING:])
                _add(activations.sums[2 * WIDTH :], activations.card_embeddings[slot])


@inner_kernel
def _slot_of_card(
    inputs: np.record, activations: np.record, network: np.record, card: int, goal: int
) -> int:
    """Return the slot of a card, which is filled if necessary."""
    face = np.uint64(0)
    for i in range(FACE):
        face |= np.uint64(inputs.cards[card, i] != 0) << np.uint64(i)
    key = _mixed(activations.hashes[goal], face)
    if card >= HAND:
        key = _mixed(key, activations.hashes[card - HAND])
    key |= np.uint64(1)
    slot = CARD_SLOTS * card + int(key >> np.uint64(32)) % CARD_SLOTS
    if activations.card_keys[slot] != key:
        activations.card_keys[slot] = key
        kind = int(card >= HAND)
        embedding = activations.card_embeddings[slot]
        messages = activations.card_messages[slot]
        _set(embedding, network.card_bias[kind])
        _add(embedding, activations.city_messages[int(activations.slots[goal]), :_TO_PLACE])
        matrix: Floats = network.card[kind]
        _add_rows(
            activations, _list_bytes(inputs.cards[card], activations, 0, 0), matrix, embedding
        )
        if card >= HAND:
            place = int(activations.slots[card - HAND])
            _add(embedding, activations.city_messages[place, _TO_PLACE:_TO_ITSELF])
            _relu(embedding)
            for i in range(_FROM_CARD):
                messages[i] = np.float32(0.0)
            _add_rows(
                activations,
                _list_positive(embedding, activations, 0),
                network.from_shown[:],
                messages,
            )
        else:
            _relu(embedding)
            _set(messages, network.from_hand_bias[:])
            _add_rows(
                activations,
                _list_positive(embedding, activations, 0),
                network.from_hand[:],
                messages,
            )
    return slot


@inner_kernel
def embed_table(inputs: np.record, activations: np.record, network: np.record) -> None:
    """Embed the table, with the sums of all cities and cards."""
    _set(activations.table[:], network.table_bias[:])
    listed = 0
    for seat in range(MAX_PLAYERS):
        listed = _list_bytes(inputs.seats[seat], activations, listed, seat * SEAT)
    listed = _list_bytes(inputs.table[:], activations, listed, MAX_PLAYERS * SEAT)
    _add_rows(activations, listed, network.table[:], activations.table[:])
    listed = _list_positive(activations.sums[:], activations, 0)
    _add_rows(activations, listed, network.gather[:], activations.table[:])
    _relu(activations.table[:])


@blending_inner_kernel
def pass_messages(activations: np.record, network: np.record) -> None:
    """Send messages from the table to the cities, and back."""
    for i in range(WIDTH):
        activations.from_table[i] = np.float32(0.0)
        activations.city_sum[i] = np.float32(0.0)
    _set(activations.table_later[:], network.add_up_bias[:])
    listed = _list_positive(activations.table[:], activations, 0)
    _add_rows(activations, listed, network.tell[:], activations.from_table[:])
    _add_rows(activations, listed, network.think[:], activations.table_later[:])
    for city in range(MAX_CITIES):
        for i in range(WIDTH):
            number = activations.cities[city, i] + activations.from_table[i]
            number = number if number > np.float32(0.0) else np.float32(0.0)
            activations.cities[city, i] = number
            activations.city_sum[i] += number
    listed = _list_positive(activations.city_sum[:], activations, 0)
    _add_rows(activations, listed, network.add_up[:], activations.table_later[:])
    _relu(activations.table_later[:])


@inner_kernel
def infer_values(inputs: np.record, activations: np.record, network: np.record) -> None:
    """Write shares and points, and what the table adds to the logits of builds."""
    _set(activations.outcomes[:], network.judge_bias[:])
    listed = _list_positive(activations.table_later[:], activations, 0)
    _add_rows(activations, listed, network.judge[:], activations.outcomes[:])
    if inputs.table[PHASE + BUILDING]:
        for i in range(HIDDEN):
            activations.play_table[i] = np.float32(0.0)
        _add_rows(activations, listed, network.play_table[:], activations.play_table[:])
    highest = activations.outcomes[0]
    for seat in range(1, MAX_PLAYERS):
        if inputs.seats[seat, 0]:
            highest = max(highest, activations.outcomes[seat])
    total = 0.0
    for seat in range(MAX_PLAYERS):
        odds = 0.0
        if inputs.seats[seat, 0]:
            odds = math.exp(float(activations.outcomes[seat] - highest))
        total += odds
        activations.share[seat] = odds
        activations.points[seat] = POINTS * float(activations.outcomes[MAX_PLAYERS + seat])
    for seat in range(MAX_PLAYERS):
        activations.share[seat] = float(activations.share[seat]) / total


@inner_kernel
def infer_policy(inputs: np.record, activations: np.record, network: np.record) -> None:
    """Write the logits of the decisions in this phase."""
    if inputs.table[PHASE + BUILDING]:
        _infer_builds(inputs, activations, network)
    elif inputs.table[PHASE + MOVING]:
        _infer_actions(activations, network, 0, AT_MOVE + 1, 2)
        _infer_actions(activations, network, 1, AT_MOVE + 2, 2)
        activations.logits[AT_MOVE] = _infer_none(activations, network, 0)
    elif inputs.table[PHASE + DRAWING]:
        _infer_actions(activations, network, 2, AT_DRAW, 1)
    elif inputs.table[PHASE + POSTING]:
        _infer_actions(activations, network, 3, AT_MESSENGER + 1, 1)
        activations.logits[AT_MESSENGER] = _infer_none(activations, network, 1)


@inner_kernel
def _infer_builds(inputs: np.record, activations: np.record, network: np.record) -> None:
    """Write the logits of the ways to play each card in hand."""
    for card in range(HAND):
        goal = int(inputs.goals[card])
        if goal >= 0:
            _set(activations.play[:], activations.play_table[:])
            messages = activations.card_messages[int(activations.hand_slots[card]), _TO_LYING:]
            _add(activations.play[:], messages)
            listed = _list_positive(activations.cities[goal], activations, 0)
            _add_rows(activations, listed, network.play_city[:], activations.play[:])
            _set(activations.plays[:], network.play_bias[:])
            listed = _list_positive(activations.play[:], activations, 0)
            _add_rows(activations, listed, network.play[:], activations.plays[:])
            for way in range(BUILDS):
                activations.logits[AT_BUILD + BUILDS * card + way] = activations.plays[way]


@inner_kernel
def _infer_actions(
    activations: np.record, network: np.record, act: int, first: int, step: int
) -> None:
    """Write the logits of an action that is possible in each city."""
    for city in range(MAX_CITIES):
        logit = _dot(activations.cities[city], network.act[act]) + network.act_bias[act]
        activations.logits[first + step * city] = logit


@inner_kernel
def _infer_none(activations: np.record, network: np.record, act: int) -> np.float32:
    """Return the logit of declining an action."""
    product = _dot(activations.table_later[:], network.pass_by[act])
    return np.float32(product + network.pass_by_bias[act])
