"""The value network: every seat's share of the victory and final points, fitted by self-play.

For each seat one embedding row per feature (cities, portraits, cards in hand) is summed and passed
through a ReLU. A linear head estimates the seat's points from that sum; two further layers over all
seats correct the estimate. Shares of the victory are a softmax over the points, sharper with fewer
turns left, plus a correction. Seats are in turn order, the seat to move first. An evaluation costs
about as much as a random playout, and predicts better.
"""

import math
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from patrizier.bots.learned.features import (
    EXACT_LEADS,
    FEW,
    KINDS,
    LEADS,
    MISSING,
    STAGES,
    STEPS,
    count_crests,
    exact_lead_from,
    is_open,
    kind_of,
    lead_from,
    missing_of,
    rounds_left,
    stage_of,
    standing,
    taller_of,
)
from patrizier.bots.learned.priors import MOST_PARTS, PRIORS
from patrizier.rules.board import CITY_OF_CARD, HAND, MAX_CITIES, MAX_PLAYERS
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.deck import HEADS_SHIFT, NOBLE_SHIFT
from patrizier.rules.jit import blending_kernel, inner_kernel, kernel
from patrizier.rules.layout import aligned_record
from patrizier.rules.score import SET_POINTS, SET_SIZE
from patrizier.rules.state import MOST_TURNS, WITH_MESSENGERS, Cells, StateRecord, in_play

WIDTH = 64  # most numbers in a row
_PART = 16  # columns summed at once, unrolled in `_add_rows`
UNITS = 64  # most units of the first layer
DEEP = 32  # units of the second layer
NUMBERS = 16  # inputs beside the rows: points, turns, phase
INPUTS = NUMBERS + MAX_PLAYERS * WIDTH
OUTPUTS = 16  # outputs: shares, then points
POINT_OUTPUTS = 8
POINTS = 0.1  # scale of points inside the network

_MOST_ROUNDS = 25
_SOME = 4  # portraits: none, one, two, more

# Offsets of the kinds of rows.
CITIES_FROM = 0
POSTS_FROM = CITIES_FROM + 2 * MISSING * STEPS * EXACT_LEADS * EXACT_LEADS * FEW * FEW
_SETS = POSTS_FROM + MISSING * 2 * LEADS
_REACH = _SETS + 2 * 3 * _SOME * _MOST_ROUNDS
_CARDS = _REACH + 3 * _SOME * 5
ROWS = _CARDS + KINDS * STAGES
MOST_ROWS = HAND + 6 + 3 * MAX_CITIES  # of one seat

WEIGHTS = aligned_record(
    ("rows", "i1", (ROWS, WIDTH)),  # a row is one cache line
    ("scale", "f4", WIDTH),  # of each column of the rows
    ("bias", "f4", WIDTH),
    ("weigh", "f4", (INPUTS, UNITS)),  # first layer
    ("weigh_bias", "f4", UNITS),
    ("deepen", "f4", (UNITS, DEEP)),  # second layer
    ("deepen_bias", "f4", DEEP),
    ("tell", "f4", (DEEP, OUTPUTS)),  # output layer
    ("tell_bias", "f4", OUTPUTS),
    ("own", "f4", (2, WIDTH)),  # linear head of every seat: share, points
    ("clear", "f4", MOST_TURNS + 1),  # sharpness of the softmax per ten points, by turns left
    ("priors", "f4", PRIORS),
    ("odds", "f4", PRIORS),  # exp of the priors
    ("width", "i4"),  # numbers of a row that are used
    ("units", "i4"),  # units of the first layer that are used
    # Search parameters, explained in `puct`.
    ("exploration", "f4"),
    ("caution", "f4"),
    ("margin", "f4"),
    ("trust", "f4"),
    ("later_trust", "f4"),
    ("first", "i4"),
)

FEATURE_BUFFER = aligned_record(
    ("crests", "i8", (MAX_PLAYERS, MAX_CITIES)),  # in each hand, by city
    ("all_crests", "i8", MAX_CITIES),
    ("rows", "i4", (MAX_PLAYERS, MOST_ROWS)),  # by distance from the seat to move
    ("row_count", "i8", MAX_PLAYERS),
    ("held", "i8", 4),  # portraits in the current hand, by noble
    ("near", "i8", 4),  # portraits its cards would draw
    ("points", "f8", MAX_PLAYERS),  # current, then final; by distance
    ("inputs", "f4", INPUTS),
    ("units", "f4", UNITS),
    ("deep", "f4", DEEP),
    ("outputs", "f4", OUTPUTS),
    # Updated incrementally by `playout_policy`.
    ("leads", "i1", (MAX_CITIES, 2, MAX_PLAYERS)),  # in towers of open cities
    ("held_by", "i8", MAX_PLAYERS),  # crests in each hand, packed
    ("all_held", "i8"),  # the sum of these
    ("open_set", "i1", (MAX_PLAYERS, 4)),  # portraits beyond full sets, by noble
    ("odds", "f8", MOST_DECISIONS),  # of the listed decisions
    ("parts", "i4", MOST_PARTS),
    ("share", "f8", MAX_PLAYERS),  # result: shares of the victory, by seat
    ("final", "f8", MAX_PLAYERS),  # result: final points, by seat
)

Weights: TypeAlias = npt.NDArray[np.void]
FeatureBuffer: TypeAlias = npt.NDArray[np.void]


@lru_cache(maxsize=MAX_PLAYERS)
def load_weights(players: int) -> Weights:
    """Return the fitted weights for this number of players."""
    source = files(__package__) / "weights" / f"{players}.npz"
    with as_file(source) as path:
        return read_weights(path)


def read_weights(path: Path) -> Weights:
    """Read weights from a file."""
    weights = np.zeros(1, WEIGHTS)
    with np.load(path) as stored:
        for name in stored.files:
            weights[name][0] = stored[name]
    weights["odds"] = np.exp(weights["priors"])
    return weights


def new_features() -> FeatureBuffer:
    """Return a feature buffer."""
    return np.zeros(1, FEATURE_BUFFER)


@inner_kernel
def evaluate(state: StateRecord, features: np.record, weights: np.record) -> None:
    """Estimate every seat's share of the victory and final points."""
    players = int(state.players)
    seat = int(state.seat)
    find_inputs(state, features)
    for distance in range(players):
        for start in range(0, int(weights.width), _PART):
            _add_rows(features, weights, distance, start)
    _forward(players, features, weights)
    clear = float(weights.clear[in_play(players) - int(state.turn)])
    for distance in range(players):
        to_come = float(features.outputs[POINT_OUTPUTS + distance])
        features.points[distance] += to_come / POINTS
        features.outputs[distance] += clear * POINTS * features.points[distance]
    highest = float(features.outputs[0])
    for distance in range(1, players):
        highest = max(highest, float(features.outputs[distance]))
    total = 0.0
    for distance in range(players):
        total += math.exp(float(features.outputs[distance]) - highest)
    for distance in range(players):
        features.share[seat] = math.exp(float(features.outputs[distance]) - highest) / total
        features.final[seat] = features.points[distance]
        seat = seat + 1 if seat + 1 < players else 0


@kernel
def evaluate_cells(cells: Cells, features: FeatureBuffer, weights: Weights) -> None:
    """Evaluate a state; for tests, as searches call `evaluate`."""
    evaluate(cells[0], features[0], weights[0])


@inner_kernel
def find_inputs(state: StateRecord, features: np.record) -> None:
    """Find the rows of every seat, and the other inputs."""
    players = int(state.players)
    count_crests(state, features)
    seat = int(state.seat)
    for distance in range(players):
        _add_card_rows(state, features, seat, distance)
        seat = seat + 1 if seat + 1 < players else 0
    for city in range(MAX_CITIES):
        if is_open(state, city):
            _add_city_rows(state, features, city)
    _write_numbers(state, features)


@inner_kernel
def _add_row(features: np.record, distance: int, row: int) -> None:
    features.rows[distance, int(features.row_count[distance])] = row
    features.row_count[distance] += 1


@inner_kernel
def _add_card_rows(state: StateRecord, features: np.record, seat: int, distance: int) -> None:
    """Add the rows of a seat's hand and portraits."""
    left = rounds_left(state, seat)
    stage = stage_of(left)
    mover = 1 if distance == 0 else 0
    features.row_count[distance] = 0
    for noble in range(3):
        features.held[noble] = 0
        features.near[noble] = 0
    for slot in range(HAND):
        card = int(state.hands[seat, slot])
        if card >= 0:
            face = int(state.faces[card])
            features.held[face >> NOBLE_SHIFT & 3] += face >> HEADS_SHIFT
            _add_row(features, distance, _CARDS + min(kind_of(face), 4) * STAGES + stage)
            waiting = int(state.display[CITY_OF_CARD[card]])
            if waiting >= 0:
                face = int(state.faces[waiting])
                features.near[face >> NOBLE_SHIFT & 3] += face >> HEADS_SHIFT
    points = float(state.tokens[seat]) + float(state.chips[seat])
    for noble in range(3):
        heads = int(state.heads[seat, noble])
        points += SET_POINTS * (heads // SET_SIZE)
        held = int(features.held[noble])
        row = (mover * SET_SIZE + heads % SET_SIZE) * _SOME + min(held, _SOME - 1)
        _add_row(features, distance, _SETS + row * _MOST_ROUNDS + min(left, _MOST_ROUNDS - 1))
        row = (heads + held) % SET_SIZE * _SOME + min(int(features.near[noble]), _SOME - 1)
        _add_row(features, distance, _REACH + row * 5 + min(left >> 2, 4))
    features.points[distance] = points


@inner_kernel
def _add_city_rows(state: StateRecord, features: np.record, city: int) -> None:
    """Add the rows of a city for every seat, the taller tower first."""
    players = int(state.players)
    seat = int(state.seat)
    taller = taller_of(state, city)
    step = int(state.heights[city, taller]) - int(state.heights[city, 1 - taller])
    missing = missing_of(state, city)
    base = missing * STEPS + min(step, STEPS - 1)
    posts = int(state.messengers_at[city])
    holder, most, second = standing(state, city, taller)
    lower_holder, lower_most, lower_second = standing(state, city, 1 - taller)
    for distance in range(players):
        own = int(state.counts[city, taller, seat])
        lower_own = int(state.counts[city, 1 - taller, seat])
        held = int(features.crests[seat, city])
        others = min(int(features.all_crests[city]) - held, FEW - 1)
        held = min(held, FEW - 1)
        row = base + MISSING * STEPS if distance == 0 else base
        row = row * EXACT_LEADS + exact_lead_from(own, holder, most, second, seat)
        lead = exact_lead_from(lower_own, lower_holder, lower_most, lower_second, seat)
        row = row * EXACT_LEADS + lead
        _add_row(features, distance, CITIES_FROM + (row * FEW + held) * FEW + others)
        if posts > 0:
            row = POSTS_FROM + (missing * 2 + posts - 1) * LEADS
            _add_row(features, distance, row + lead_from(own, holder, most, second, seat))
            lead = lead_from(lower_own, lower_holder, lower_most, lower_second, seat)
            _add_row(features, distance, row + lead)
        seat = seat + 1 if seat + 1 < players else 0


@inner_kernel
def _write_numbers(state: StateRecord, features: np.record) -> None:
    """Write the numeric inputs."""
    players = int(state.players)
    mean = 0.0
    for distance in range(players):
        mean += features.points[distance] / players
    for i in range(NUMBERS):
        features.inputs[i] = 0.0
    for distance in range(players):
        features.inputs[distance] = (features.points[distance] - mean) * POINTS
    turns = in_play(players)
    left = turns - int(state.turn)
    first = MAX_PLAYERS
    features.inputs[first] = left / turns
    features.inputs[first + 1 + int(state.phase)] = 1.0
    features.inputs[first + 5] = float(state.pile_left) / 33.0
    features.inputs[first + 6] = 1.0 / (1.0 + left)
    features.inputs[first + 7] = 1.0 if int(state.rules) & WITH_MESSENGERS else 0.0


@inner_kernel
def _add_rows(features: np.record, weights: np.record, distance: int, start: int) -> None:
    """Sum some columns of a seat's rows, then apply a ReLU.

    Sixteen variables instead of an array keep the sums in registers: four times faster.
    """
    a = b = c = d = e = f = g = h = np.float32(0.0)
    i = j = k = l = m = n = o = p = np.float32(0.0)  # noqa: E741
    for number in range(int(features.row_count[distance])):
        row = int(features.rows[distance, number])
        a += np.float32(weights.rows[row, start])
        b += np.float32(weights.rows[row, start + 1])
        c += np.float32(weights.rows[row, start + 2])
        d += np.float32(weights.rows[row, start + 3])
        e += np.float32(weights.rows[row, start + 4])
        f += np.float32(weights.rows[row, start + 5])
        g += np.float32(weights.rows[row, start + 6])
        h += np.float32(weights.rows[row, start + 7])
        i += np.float32(weights.rows[row, start + 8])
        j += np.float32(weights.rows[row, start + 9])
        k += np.float32(weights.rows[row, start + 10])
        l += np.float32(weights.rows[row, start + 11])  # noqa: E741
        m += np.float32(weights.rows[row, start + 12])
        n += np.float32(weights.rows[row, start + 13])
        o += np.float32(weights.rows[row, start + 14])
        p += np.float32(weights.rows[row, start + 15])
    first = NUMBERS + distance * WIDTH + start
    for number, value in enumerate((a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)):
        value = value * weights.scale[start + number] + weights.bias[start + number]
        features.inputs[first + number] = max(value, np.float32(0.0))


@blending_kernel
def _add_inputs(features: np.record, weights: np.record, start: int, end: int) -> None:
    """Add the contribution of some inputs to every unit."""
    units = int(weights.units)
    for i in range(start, end, 4):
        a = features.inputs[i]
        b = features.inputs[i + 1]
        c = features.inputs[i + 2]
        d = features.inputs[i + 3]
        for unit in range(units):
            one = a * weights.weigh[i, unit] + b * weights.weigh[i + 1, unit]
            two = c * weights.weigh[i + 2, unit] + d * weights.weigh[i + 3, unit]
            features.units[unit] += one + two


@blending_kernel
def _forward(players: int, features: np.record, weights: np.record) -> None:
    """Compute the layers over all seats: shares and points by distance."""
    units = int(weights.units)
    for unit in range(units):
        features.units[unit] = weights.weigh_bias[unit]
    _add_inputs(features, weights, 0, NUMBERS)
    for distance in range(players):
        start = NUMBERS + distance * WIDTH
        _add_inputs(features, weights, start, start + int(weights.width))
    for i in range(DEEP):
        features.deep[i] = weights.deepen_bias[i]
    for unit in range(0, units, 4):
        a = max(features.units[unit], np.float32(0.0))
        b = max(features.units[unit + 1], np.float32(0.0))
        c = max(features.units[unit + 2], np.float32(0.0))
        d = max(features.units[unit + 3], np.float32(0.0))
        for i in range(DEEP):
            one = a * weights.deepen[unit, i] + b * weights.deepen[unit + 1, i]
            two = c * weights.deepen[unit + 2, i] + d * weights.deepen[unit + 3, i]
            features.deep[i] += one + two
    for i in range(OUTPUTS):
        features.outputs[i] = weights.tell_bias[i]
    for unit in range(0, DEEP, 4):
        a = max(features.deep[unit], np.float32(0.0))
        b = max(features.deep[unit + 1], np.float32(0.0))
        c = max(features.deep[unit + 2], np.float32(0.0))
        d = max(features.deep[unit + 3], np.float32(0.0))
        for i in range(OUTPUTS):
            one = a * weights.tell[unit, i] + b * weights.tell[unit + 1, i]
            two = c * weights.tell[unit + 2, i] + d * weights.tell[unit + 3, i]
            features.outputs[i] += one + two
    for distance in range(players):
        start = NUMBERS + distance * WIDTH
        share = np.float32(0.0)
        points = np.float32(0.0)
        for i in range(int(weights.width)):
            share += features.inputs[start + i] * weights.own[0, i]
            points += features.inputs[start + i] * weights.own[1, i]
        features.outputs[distance] += share
        features.outputs[POINT_OUTPUTS + distance] += points
