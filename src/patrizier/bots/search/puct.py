"""PUCT over information sets, the search behind `mcts`.

Every iteration samples the hidden cards, descends the tree, and evaluates the first new position:
by the value network (`value`), by a playout (`playout_policy`), or by a mix of both. A decision is
chosen by its mean reward plus an exploration bonus, which is its prior (`priors`) fading with
visits. The reward is a share of the victory, plus a small margin in points.

The search parameters depend on value and priors, so they are stored with the weights, by number of
players:

- `exploration`: the weight of the prior.
- `caution`: first-play urgency, how much less than the parent's mean an unvisited decision counts.
- `margin`: the reward of a point ahead of the others' mean. With more than two players it should
  only break ties: collecting safe points leads to second places.
- `trust`, `later_trust`: the weight of the value network against the playout, in the `first`
  iterations and after them.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from patrizier.bots.learned.features import count_crests
from patrizier.bots.learned.priors import MOST_PARTS, parts_of
from patrizier.bots.learned.value import FeatureBuffer, Weights, evaluate
from patrizier.bots.search.mirrors import drop_mirrored
from patrizier.bots.search.playout_policy import play_by_policy
from patrizier.bots.search.tree import DEEPEST, NONE, Nodes, Search, append_node
from patrizier.rules.apply import apply
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.chance import seed_game
from patrizier.rules.codes import DECISIONS, MOST_DECISIONS
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.layout import aligned_record
from patrizier.rules.legal import legal
from patrizier.rules.score import TOTAL, totals, winners
from patrizier.rules.scratch import Scratch, ScratchBuffer
from patrizier.rules.state import (
    OVER,
    UNKNOWN,
    UNSEEN,
    Cells,
    StateRecord,
    in_play,
)
from patrizier.rules.view import fill_in

NODE = aligned_record(
    ("code", "i4"),  # decision that leads here
    ("child", "i4"),  # first child
    ("sibling", "i4"),  # next child of the same parent
    ("visits", "i4"),
    ("available", "f4"),  # how often it could have been chosen
    ("value", "f4"),  # mean reward of the seat that decided; undefined without visits
    ("prior", "f4"),
    ("bonus", "f4"),  # exploration bonus: the prior, fading with visits
)

# The sums of a node, kept apart because selection does not read them; undefined without visits.
RESULT = aligned_record(
    ("reward", "f8", MAX_PLAYERS),  # sums by seat
    ("points", "f8", MAX_PLAYERS),
)

ROOM = 1_000_000  # most nodes of a tree


def search_type(room: int) -> np.dtype[np.void]:
    """Return the record type of a search with room for this many nodes.

    The nodes are part of the record, because Numba counts references to arrays at every call, which
    took a seventh of the time; records are not counted.
    """
    return aligned_record(
        ("root", "i8"),
        ("used", "i8"),  # nodes in use
        ("room", "i8"),  # nodes allowed
        ("depth", "i8"),  # length of the path
        ("stamped", "i8"),  # last stamp used
        ("path", "i4", DEEPEST),  # nodes of the current iteration, the root first
        ("chooser", "i4", DEEPEST),  # seats that chose them
        ("stamp", "i8", DECISIONS),  # marks decisions that are legal in this iteration
        ("logits", "f8", MOST_DECISIONS),
        ("parts", "i4", MOST_PARTS),
        ("reward", "f8", MAX_PLAYERS),  # of the current iteration
        ("points", "f8", MAX_PLAYERS),
        ("table", "i8", (MAX_PLAYERS, 6)),
        ("winners", "i8", MAX_PLAYERS),
        ("nodes", NODE, room),
        ("results", RESULT, room),
    )


SEARCH = search_type(ROOM)
NOTHING = np.zeros(0, np.int64)  # no decisions
NO_SEED = np.uint64(0)
UNNUMBERED = -1


class Tree(NamedTuple):
    """A search, and views of its nodes and their sums."""

    nodes: Nodes
    results: npt.NDArray[np.void]
    search: Search


def new_tree(room: int) -> Tree:
    """Return an empty tree with room for this many nodes; memory is committed as it grows."""
    search = np.zeros(1, SEARCH)
    search["room"] = min(room, ROOM)
    reset_tree(search)
    return Tree(search["nodes"][0], search["results"][0], search)


@kernel
def reset_tree(search: Search) -> None:
    """Remove all nodes but a new root."""
    search[0].used = 0
    search[0].root = _add_node(search[0], NONE, NONE, 1.0, 0.0)


def search_puct(
    cells: Cells,
    buffer: ScratchBuffer,
    search: Search,
    features: FeatureBuffer,
    weights: Weights,
    iterations: int,
) -> None:
    """Search from cells[0], a state with masked cards; cells[1] is the working state.

    A full tree is not expanded any more, but its statistics still improve.
    """
    search_worlds(
        cells, buffer, search, features, weights, NOTHING, NO_SEED, UNNUMBERED, iterations
    )


def search_after(
    cells: Cells,
    buffer: ScratchBuffer,
    search: Search,
    features: FeatureBuffer,
    weights: Weights,
    codes: npt.NDArray[np.int64],
    seed: np.uint64,
    first: int,
    iterations: int,
) -> None:
    """Search the position after these decisions, taken in cells[0], a state with masked cards.

    Iterations are numbered from ``first``. Each samples its hidden cards by seed and number alone,
    so that the results of different decisions can be compared world by world.
    """
    search_worlds(cells, buffer, search, features, weights, codes, seed, first, iterations)


def search_open(
    cells: Cells,
    buffer: ScratchBuffer,
    search: Search,
    features: FeatureBuffer,
    weights: Weights,
    codes: npt.NDArray[np.int64],
    card: int,
    seed: np.uint64,
    iterations: int,
) -> bool:
    """Search the position after these decisions, with all hands open and only the pile unknown.

    cells[0] is a state without masked cards. The card at place ``card`` of its pile is put on top
    first. A function of the position alone: the order of the rest of the pile does not matter.
    Return whether the game is over; cells[1] is then its end.
    """
    open_up(cells, codes, card)
    search_worlds(cells[1:], buffer, search, features, weights, NOTHING, seed, 0, iterations)
    return bool(cells["phase"][1] == OVER)


@kernel
def search_worlds(
    cells: Cells,
    buffer: ScratchBuffer,
    search: Search,
    features: FeatureBuffer,
    weights: Weights,
    codes: npt.NDArray[np.int64],
    seed: np.uint64,
    first: int,
    iterations: int,
) -> None:
    """Search after decisions in cells[0], a state with masked cards; cells[1] is the working state.

    The one kernel behind all searches, because it takes longest of all to compile. If ``first`` is
    UNNUMBERED, iterations continue the buffer's generator instead of seeding it.
    """
    here = search[0]
    for number in range(first, first + iterations):
        cells[1] = cells[0]
        if first != UNNUMBERED:
            seed_game(buffer[0], seed, number)
        fill_in(cells[1], buffer[0])
        for code in codes:
            _apply(cells[1], code)
        _iterate(cells[1], buffer[0], here, features[0], weights[0])


@kernel
def open_up(cells: Cells, codes: npt.NDArray[np.int64], card: int) -> None:
    """Put a card of the pile on top, take decisions in cells[1], and mask the rest of the pile."""
    cells[1] = cells[0]
    start = cells[1]
    left = int(start.pile_left)
    if left > 0:
        on_top = start.pile[left - 1]
        start.pile[left - 1] = start.pile[card]
        start.pile[card] = on_top
    for code in codes:
        _apply(start, code)
    for place in range(int(start.pile_left)):
        start.where[int(start.pile[place])] = UNSEEN
        start.pile[place] = UNKNOWN


@kernel
def _apply(state: StateRecord, code: int) -> None:
    """Apply a decision without inlining: where speed does not matter."""
    apply(state, code)


@inner_kernel
def _iterate(
    state: StateRecord, scratch: Scratch, here: np.record, features: np.record, weights: np.record
) -> None:
    """Descend the tree from its root, evaluate the first new position, back up its result."""
    players = int(state.players)
    node = int(here.root)
    here.path[0] = node
    here.chooser[0] = 0
    here.depth = 1
    while state.phase != OVER:
        if here.nodes[node].visits == 0 and node != here.root:
            break
        here.chooser[int(here.depth)] = state.seat
        node = _select(state, scratch, here, features, weights, node)
        if node == NONE:
            break
        here.path[int(here.depth)] = node
        here.depth += 1
    _result(state, scratch, players, here, features, weights)
    _back_up(here, players, float(weights.exploration))


@inner_kernel
def _back_up(here: np.record, players: int, exploration: float) -> None:
    """Back up the iteration's result along its path."""
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
        node.value = result.reward[here.chooser[step]] / visits
        node.bonus = exploration * node.prior / (1.0 + visits)


@inner_kernel
def _select(
    state: StateRecord,
    scratch: Scratch,
    here: np.record,
    features: np.record,
    weights: np.record,
    node: int,
) -> int:
    """Select a decision, apply it, and return its node; NONE if the tree is full."""
    count = drop_mirrored(state, scratch, legal(state, scratch))
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
            score = _puct_score(candidate, untried)
            if score > best:
                best = score
                chosen = child
        child = int(candidate.sibling)
    if known < count and here.used + count - known <= here.room:
        _expand(state, scratch, here, features, weights, node, count, stamp)
        child = int(here.nodes[node].child)
        while child != first:
            candidate = here.nodes[child]
            candidate.available = np.float32(1.0)
            score = _puct_score(candidate, untried)
            if score > best:
                best = score
                chosen = child
            child = int(candidate.sibling)
    if chosen != NONE:
        apply(state, int(here.nodes[chosen].code))
    return chosen


@inner_kernel
def _puct_score(node: np.record, untried: np.float32) -> np.float32:
    """Return the mean reward plus the exploration bonus."""
    mean = node.value if node.visits > 0 else untried
    return np.float32(mean + node.bonus * math.sqrt(node.available))


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
    """Add a node with its prior for every legal decision that has none."""
    count_crests(state, features)
    highest = -1e9
    for i in range(count):
        logit = 0.0
        for part in range(parts_of(state, int(scratch.codes[i]), features, here.parts)):
            logit += weights.priors[here.parts[part]]
        here.logits[i] = logit
        highest = max(highest, logit)
    total = 0.0
    for i in range(count):
        here.logits[i] = math.exp(here.logits[i] - highest)
        total += here.logits[i]
    for i in range(count):
        code = int(scratch.codes[i])
        if here.stamp[code] == stamp:
            prior = here.logits[i] / total
            _add_node(here, node, code, prior, weights.exploration * prior)


@inner_kernel
def _add_node(here: np.record, parent: int, code: int, prior: float, bonus: float) -> int:
    number = append_node(here, parent, code)
    node = here.nodes[number]
    node.prior = prior
    node.bonus = bonus
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
    """Write the iteration's result: evaluated, played out, or a mix of both."""
    trust = _trust(state, weights, int(here.nodes[here.root].visits))
    if trust > 0.0:
        evaluate(state, features, weights)
    for seat in range(players):
        here.points[seat] = trust * features.final[seat] if trust > 0.0 else 0.0
        here.reward[seat] = trust * features.share[seat] if trust > 0.0 else 0.0
    if trust < 1.0:
        _roll_out(state, scratch, here, features, weights, 1.0 - trust)
    total = 0.0
    for seat in range(players):
        total += here.points[seat]
    for seat in range(players):
        others = (total - here.points[seat]) / (players - 1)
        here.reward[seat] += weights.margin * (here.points[seat] - others)


@kernel
def _roll_out(
    state: StateRecord,
    scratch: Scratch,
    here: np.record,
    features: np.record,
    weights: np.record,
    share: float,
) -> None:
    """Play out the game and add a share of its result."""
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
    """Return the weight of the value network; the playout has the rest.

    Playouts have less bias but more variance, so the network helps most with few iterations. In the
    last round of more than two players it does not: what matters there is who completes which city.
    """
    if state.phase == OVER:
        return 0.0
    players = int(state.players)
    if players > 2 and in_play(players) - int(state.turn) <= players:
        return 0.0
    return float(weights.later_trust if iterations >= weights.first else weights.trust)
