"""The search behind `mcts`: an information-set tree that tries promising decisions first.

Every iteration fills in what is hidden, walks down the tree, and judges the first position that
has not been seen (`value`), or plays on from there to the end (`playout_policy`). A decision is
chosen by what it brought so far, plus a bonus for promise (`priors`) that fades as it is tried. A
result is a share of victory, and a little margin.

How to search depends on the value and the priors, so the weights tell it, by players:
`exploration` is how much promise counts, `caution` how much worse than its siblings an untried
decision is expected to be: the more opponents, the less is known of what they will do. `margin` is
what a point ahead of the others' mean is worth, in victories: with more than two players it may
only decide between what wins equally often, for who gathers safe points ends second. `trust` is
how much of a result is judged, not played out, in the `first` iterations, `later_trust` after them.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from patrizier.bots.learned.features import count_crests
from patrizier.bots.learned.priors import MOST_PARTS, parts_of
from patrizier.bots.learned.value import FeatureBuffer, Weights, judge
from patrizier.bots.search.playout_policy import play_by_policy
from patrizier.bots.search.tree import DEEPEST, NONE, Nodes, Search
from patrizier.rules.apply import apply
from patrizier.rules.board import CITY_OF_CARD, MAX_PLAYERS
from patrizier.rules.codes import DECISIONS, MOST_DECISIONS, WAYS
from patrizier.rules.deck import SECOND_CREST
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.layout import aligned_record
from patrizier.rules.legal import legal
from patrizier.rules.score import TOTAL, totals, winners
from patrizier.rules.scratch import Desk, Scratch
from patrizier.rules.state import BUILDING, OVER, Cells, StateRecord, in_play
from patrizier.rules.view import fill_in

NODE = aligned_record(
    ("code", "i4"),  # decision that leads here
    ("child", "i4"),  # first child
    ("sibling", "i4"),  # next child of the same parent
    ("visits", "i4"),
    ("available", "f4"),  # how often it could have been chosen
    ("worth", "f4"),  # mean reward of the seat that decided; none without visits
    ("prior", "f4"),
    ("pull", "f4"),  # the prior, faded with visits
)

# What came of a node; the search reads it seldom, so it stands apart. Of a node without visits it
# says nothing.
RESULT = aligned_record(
    ("reward", "f8", MAX_PLAYERS),  # sums by seat
    ("points", "f8", MAX_PLAYERS),
)

ROOM = 1_000_000  # nodes of a tree, at most


def search_type(room: int) -> np.dtype[np.void]:
    """Return the type of a search with room for this many nodes.

    The nodes lie within the record: Numba counts who uses an array, at every call, but not who
    uses a record, and that counting took a seventh of the time.
    """
    return aligned_record(
        ("root", "i8"),
        ("used", "i8"),  # nodes in use
        ("room", "i8"),  # for so many
        ("depth", "i8"),  # length of the path
        ("stamped", "i8"),  # the last stamp
        ("path", "i4", DEEPEST),  # nodes of the iteration under way, the root first
        ("chooser", "i4", DEEPEST),  # seats that decided for them
        ("stamp", "i8", DECISIONS),  # marks what is legal in this iteration
        ("promise", "f8", MOST_DECISIONS),
        ("parts", "i4", MOST_PARTS),
        ("reward", "f8", MAX_PLAYERS),  # of the iteration under way
        ("points", "f8", MAX_PLAYERS),
        ("table", "i8", (MAX_PLAYERS, 6)),
        ("winners", "i8", MAX_PLAYERS),
        ("nodes", NODE, room),
        ("results", RESULT, room),
    )


SEARCH = search_type(ROOM)


class Tree(NamedTuple):
    """Nodes and what came of them, both parts of one search."""

    nodes: Nodes
    results: npt.NDArray[np.void]
    search: Search


def new_tree(room: int) -> Tree:
    """Return an empty tree with room for this many nodes; memory is used as it grows."""
    search = np.zeros(1, SEARCH)
    search["room"] = min(room, ROOM)
    plant(search)
    return Tree(search["nodes"][0], search["results"][0], search)


@kernel
def plant(search: Search) -> None:
    """Leave only a root."""
    search[0].used = 0
    search[0].root = _add_node(search[0], NONE, NONE, 1.0, 0.0)


@kernel
def search_puct(
    cells: Cells,
    desk: Desk,
    search: Search,
    features: FeatureBuffer,
    weights: Weights,
    iterations: int,
) -> None:
    """Search from cells[0], a state with the hidden part open; cells[1] is the board to play on.

    Where there is no room for more nodes, those there are become more certain.
    """
    here = search[0]
    players = int(cells[0].players)
    for _ in range(iterations):
        cells[1] = cells[0]
        state = cells[1]
        fill_in(state, desk[0])
        node = int(here.root)
        here.path[0] = node
        here.chooser[0] = 0
        here.depth = 1
        while state.phase != OVER:
            if here.nodes[node].visits == 0 and node != here.root:
                break
            here.chooser[int(here.depth)] = state.seat
            node = _step_down(state, desk[0], here, features[0], weights[0], node)
            if node == NONE:
                break
            here.path[int(here.depth)] = node
            here.depth += 1
        _result(state, desk[0], players, here, features[0], weights[0])
        _back_up(here, players, float(weights[0].exploration))


@inner_kernel
def _back_up(here: np.record, players: int, exploration: float) -> None:
    """Add the iteration's result to every node of its path."""
    for step in range(int(here.depth)):
        node = here.nodes[here.path[step]]
        result = here.results[here.path[step]]
        if node.visits == 0:
            for seat in range(MAX_PLAYERS):
                result.reward[seat] = 0.0
                result.points[seat] = 0.0
        node.visits += 1
        for seat in range(players):
            result.reward[seat] += here.reward[seat]
            result.points[seat] += here.points[seat]
        visits = float(node.visits)
        node.worth = result.reward[here.chooser[step]] / visits
        node.pull = exploration * node.prior / (1.0 + visits)


@inner_kernel
def _step_down(
    state: StateRecord,
    scratch: Scratch,
    here: np.record,
    features: np.record,
    weights: np.record,
    node: int,
) -> int:
    """Choose a decision, carry it out, and return its node; NONE if there is no room for it."""
    count = _drop_twins(state, scratch, legal(state, scratch))
    stamp = int(here.stamped) + 2
    here.stamped = stamp
    for i in range(count):
        here.stamp[scratch.codes[i]] = stamp
    untried = np.float32(0.5)
    if here.nodes[node].visits > 0:
        mean = here.results[node].reward[int(state.seat)] / here.nodes[node].visits
        untried = np.float32(mean - weights.caution)
    known = 0
    best = np.float32(-1e9)
    chosen = NONE
    first = int(here.nodes[node].child)
    child = first
    while child != NONE:
        candidate = here.nodes[child]
        code = int(candidate.code)
        if here.stamp[code] == stamp:
            here.stamp[code] = stamp + 1
            known += 1
            candidate.available += np.float32(1.0)
            hope = _hope(candidate, untried)
            if hope > best:
                best = hope
                chosen = child
        child = int(candidate.sibling)
    if known < count and here.used + count - known <= here.room:
        _expand(state, scratch, here, features, weights, node, count, stamp)
        child = int(here.nodes[node].child)
        while child != first:
            candidate = here.nodes[child]
            candidate.available = np.float32(1.0)
            hope = _hope(candidate, untried)
            if hope > best:
                best = hope
                chosen = child
            child = int(candidate.sibling)
    if chosen != NONE:
        apply(state, int(here.nodes[chosen].code))
    return chosen


@inner_kernel
def _hope(node: np.record, untried: np.float32) -> np.float32:
    """Return what a decision has brought, and a bonus for promise that fades with visits."""
    mean = node.worth if node.visits > 0 else untried
    return np.float32(mean + node.pull * math.sqrt(node.available))


@inner_kernel
def _drop_twins(state: StateRecord, scratch: Scratch, count: int) -> int:
    """Leave out what only mirrors another decision: the right site of a city without floors."""
    if state.phase != BUILDING:
        return count
    kept = 0
    for i in range(count):
        code = int(scratch.codes[i])
        card = code // WAYS
        right = code - card * WAYS
        city = int(CITY_OF_CARD[card])
        crests = 1 + (int(state.faces[card]) & SECOND_CREST)
        bare = int(state.heights[city, 0]) + int(state.heights[city, 1]) == 0
        if not (bare and right == crests):
            scratch.codes[kept] = code
            kept += 1
    return kept


@inner_kernel
def _expand(
    state: StateRecord,
    scratch: Scratch,
    here: np.record,
    features: np.record,
    weights: np.record,
    node: int,
    count: int,
    stamp: int,
) -> None:
    """Add a node for every legal decision that has none, with its prior."""
    count_crests(state, features)
    highest = -1e9
    for i in range(count):
        promise = 0.0
        for part in range(parts_of(state, int(scratch.codes[i]), features, here.parts)):
            promise += weights.priors[here.parts[part]]
        here.promise[i] = promise
        highest = max(highest, promise)
    total = 0.0
    for i in range(count):
        here.promise[i] = math.exp(here.promise[i] - highest)
        total += here.promise[i]
    for i in range(count):
        code = int(scratch.codes[i])
        if here.stamp[code] == stamp:
            prior = here.promise[i] / total
            _add_node(here, node, code, prior, weights.exploration * prior)


@inner_kernel
def _add_node(here: np.record, parent: int, code: int, prior: float, pull: float) -> int:
    number = int(here.used)
    here.used = number + 1
    node = here.nodes[number]
    node.code = code
    node.child = NONE
    node.sibling = NONE
    node.visits = 0
    node.available = 0.0
    node.worth = 0.0
    node.prior = prior
    node.pull = pull
    if parent != NONE:
        node.sibling = here.nodes[parent].child
        here.nodes[parent].child = number
    return number


@inner_kernel
def _result(
    state: StateRecord,
    scratch: Scratch,
    players: int,
    here: np.record,
    features: np.record,
    weights: np.record,
) -> None:
    """Write what the iteration brought: the real result, the judged one, or some of both."""
    trust = _trust(state, weights, int(here.nodes[here.root].visits))
    if trust > 0.0:
        judge(state, features, weights)
    for seat in range(players):
        here.points[seat] = trust * features.final[seat] if trust > 0.0 else 0.0
        here.reward[seat] = trust * features.share[seat] if trust > 0.0 else 0.0
    if trust < 1.0:
        _play_on(state, scratch, here, features, weights, 1.0 - trust)
    total = 0.0
    for seat in range(players):
        total += here.points[seat]
    for seat in range(players):
        others = (total - here.points[seat]) / (players - 1)
        here.reward[seat] += weights.margin * (here.points[seat] - others)


@kernel
def _play_on(
    state: StateRecord,
    scratch: Scratch,
    here: np.record,
    features: np.record,
    weights: np.record,
    share: float,
) -> None:
    """Play to the end, if it is not there yet, and add a share of the real result."""
    play_by_policy(state, scratch, features, weights)
    totals(state, here.table)
    players = int(state.players)
    count = winners(players, here.table, here.winners)
    for seat in range(players):
        here.points[seat] += share * float(here.table[seat, TOTAL])
    for i in range(count):
        here.reward[here.winners[i]] += share / count


@inner_kernel
def _trust(state: StateRecord, weights: np.record, iterations: int) -> float:
    """Return how far to trust the judgement of a position.

    Who wins after likely turns to the end may say more, but not as steadily: the judgement helps
    as long as there are few iterations. In the last round of more than two players, where it
    matters who completes which city, it does not.
    """
    if state.phase == OVER:
        return 0.0
    players = int(state.players)
    if players > 2 and in_play(players) - int(state.turn) <= players:
        return 0.0
    return float(weights.later_trust if iterations >= weights.first else weights.trust)
