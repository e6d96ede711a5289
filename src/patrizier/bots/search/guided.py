"""PUCT over information sets, guided by a network; the search behind `zero`.

An iteration has two halves. `descend` walks the tree in one world down to a position with decisions
that have no nodes yet. Then the network evaluates this position, on a processor, or on a GPU for
thousands of games at once; `expand` adds the nodes with their priors, and `back_up` the estimate.
The end of a game needs no network.

The tree is one of decisions: if one is legal in this world that was not in earlier ones, the
network evaluates its position again.
"""

import math
from typing import Any

import numpy as np

from patrizier.bots.learned.inputs import logit_of, write_inputs
from patrizier.bots.learned.network import Activations, Inputs, Network, infer
from patrizier.bots.learned.value import FeatureBuffer, Weights, evaluate
from patrizier.bots.search.mirrors import drop_mirrored
from patrizier.bots.search.playout_policy import play_by_policy
from patrizier.bots.search.tree import DEEPEST, NONE, Search, append_node
from patrizier.rules.apply import apply
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.codes import DECISIONS, MOST_DECISIONS
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.layout import aligned_record
from patrizier.rules.legal import legal
from patrizier.rules.score import SET_POINTS, SET_SIZE, TOTAL, totals, winners
from patrizier.rules.scratch import Scratch, ScratchBuffer
from patrizier.rules.state import OVER, Cells, StateRecord
from patrizier.rules.view import fill_in

GUIDED_NODE = aligned_record(
    ("code", "i4"),  # decision that leads here
    ("child", "i4"),  # first child
    ("sibling", "i4"),  # next child of the same parent
    ("visits", "i4"),
    ("available", "f4"),  # how often it could have been chosen
    ("prior", "f4"),
    ("value", "f4"),  # mean reward of the seat that decided; undefined without visits
    ("noise", "f4"),  # of self-play, at children of the root
    ("share", "f4", MAX_PLAYERS),  # sums by seat
    ("points", "f4", MAX_PLAYERS),
)


def guided_type(room: int) -> np.dtype[np.void]:
    """Return the record type of a search with room for this many nodes."""
    return aligned_record(
        ("players", "i8"),
        ("root", "i8"),
        ("used", "i8"),  # nodes in use
        ("room", "i8"),  # nodes allowed
        ("depth", "i8"),  # length of the path
        ("stamped", "i8"),  # last stamp used
        ("path", "i4", DEEPEST),  # nodes of the current iteration, the root first
        ("chooser", "i4", DEEPEST),  # seats that chose them
        ("stamp", "i4", DECISIONS),  # marks decisions that are legal in this iteration
        ("logits", "f4", MOST_DECISIONS),
        ("share", "f4", MAX_PLAYERS),  # result of the current iteration, by seat
        ("points", "f4", MAX_PLAYERS),
        ("table", "i8", (MAX_PLAYERS, 6)),
        ("winners", "i8", MAX_PLAYERS),
        ("exploration", "f4"),  # weight of the prior
        ("caution", "f4"),  # how much less than the parent an unvisited decision counts
        ("margin", "f4"),  # reward of a point ahead of the others' mean
        ("mix", "f4", 3),  # shares of an estimate: network, value tables, a playout
        ("nodes", GUIDED_NODE, room),
    )


ROOM = 1_500_000  # most nodes of a tree
GUIDED = guided_type(ROOM)
MARGIN = {2: 0.002, 3: 0.0003, 4: 0.0003, 5: 0.0003}  # with more than two, only to break ties
EXPLORATION = {2: 0.3, 3: 0.5, 4: 0.5, 5: 0.5}
CAUTION = 0.05
# Shares of an estimate: the network, the value tables of `mcts`, a playout by its policy.
MIX = {
    2: (0.5, 0.5, 0.0),
    3: (0.25, 0.25, 0.5),
    4: (0.25, 0.25, 0.5),
    5: (0.25, 0.25, 0.5),
}


def new_guided(room: int, players: int) -> Search:
    """Return an empty search with room for this many nodes; memory is committed as it grows."""
    search = np.zeros(1, GUIDED)
    search["room"] = min(room, ROOM)
    search["players"] = players
    search["exploration"], search["caution"] = EXPLORATION[players], CAUTION
    search["margin"], search["mix"] = MARGIN[players], MIX[players]
    replant(search)
    return search


@kernel
def replant(search: Search) -> None:
    """Remove all nodes but a new root."""
    plant(search[0])


@kernel
def search_guided(
    cells: Cells,
    buffer: ScratchBuffer,
    search: Search,
    inputs: Inputs,
    activations: Activations,
    network: Network,
    features: FeatureBuffer,
    weights: Weights,
    iterations: int,
) -> None:
    """Search from cells[0], a state with masked cards; cells[1] is the working state.

    A full tree is not expanded any more, but its statistics still improve. Looking at a new root
    does not count as an iteration: it tries no decision.
    """
    here = search[0]
    state = cells[1]
    if here.nodes[int(here.root)].visits == 0:
        iterations += 1
    for _ in range(iterations):
        cells[1] = cells[0]
        fill_in(state, buffer[0])
        if descend(state, buffer[0], here, NONE):
            write_inputs(state, inputs[0])
            infer(inputs[0], activations[0], network[0])
            expand(state, buffer[0], here, activations[0].logits)
            _estimate(state, buffer[0], here, activations[0], features[0], weights[0])
        back_up(here)


@inner_kernel
def _estimate(
    state: StateRecord,
    scratch: Scratch,
    here: np.record,
    activations: np.record,
    features: np.record,
    weights: np.record,
) -> None:
    """Write what a position is worth by seat: a mix of estimates. A playout changes the state."""
    players = int(state.players)
    seat = int(state.seat)
    for other in range(MAX_PLAYERS):
        here.share[other] = 0.0
        here.points[other] = 0.0
    for distance in range(players):
        here.share[seat] = here.mix[0] * activations.share[distance]
        here.points[seat] = here.mix[0] * (activations.points[distance] + points_now(state, seat))
        seat = seat + 1 if seat + 1 < players else 0
    if here.mix[1] > 0.0:
        evaluate(state, features, weights)
        for other in range(players):
            here.share[other] += here.mix[1] * np.float32(features.share[other])
            here.points[other] += here.mix[1] * np.float32(features.final[other])
    if here.mix[2] > 0.0:
        play_by_policy(state, scratch, features, weights)
        totals(state, here.table)
        count = winners(players, here.table, here.winners)
        for other in range(players):
            here.points[other] += here.mix[2] * np.float32(here.table[other, TOTAL])
        for i in range(count):
            here.share[int(here.winners[i])] += here.mix[2] / np.float32(count)


@inner_kernel
def points_now(state: StateRecord, seat: int) -> Any:
    """Return a seat's points without the minus chip."""
    points = int(state.tokens[seat]) + int(state.chips[seat])
    for noble in range(3):
        points += SET_POINTS * (int(state.heads[seat, noble]) // SET_SIZE)
    return np.float32(points)


@inner_kernel
def plant(here: np.record) -> None:
    """Remove all nodes but a new root."""
    here.used = 0
    here.root = add_node(here, NONE, NONE, 1.0)


@inner_kernel
def add_node(here: np.record, parent: int, code: int, prior: float) -> int:
    """Add an unvisited node; return its number."""
    number = append_node(here, parent, code)
    node = here.nodes[number]
    node.prior = prior
    node.noise = 0.0
    for seat in range(MAX_PLAYERS):
        node.share[seat] = 0.0
        node.points[seat] = 0.0
    return number


@inner_kernel
def descend(state: StateRecord, scratch: Scratch, here: np.record, first: int) -> bool:
    """Walk to a position that needs an evaluation; False if the end of the game was reached.

    ``first`` is the child of the root to begin with; NONE leaves it to the search.
    """
    node = int(here.root)
    here.path[0] = node
    here.chooser[0] = 0
    here.depth = 1
    while state.phase != OVER:
        count = drop_mirrored(state, scratch, legal(state, scratch))
        if count == 1:
            apply(state, int(scratch.codes[0]))
            continue
        seat = int(state.seat)
        if first != NONE:
            chosen = first
            first = NONE
        else:
            chosen = _select(scratch, here, node, seat, count)
            if chosen == NONE:
                return True
        here.path[int(here.depth)] = chosen
        here.chooser[int(here.depth)] = seat
        here.depth += 1
        apply(state, int(here.nodes[chosen].code))
        node = chosen
    _write_end(state, here)
    return False


@inner_kernel
def _select(scratch: Scratch, here: np.record, node: int, seat: int, count: int) -> int:
    """Return the most promising child; NONE if a legal decision has no node yet."""
    stamp = int(here.stamped) + 1
    here.stamped = stamp
    for i in range(count):
        here.stamp[int(scratch.codes[i])] = stamp
    parent = here.nodes[node]
    untried = np.float32(-here.caution)
    if parent.visits > 0:
        untried += _reward(parent, here, seat) / np.float32(parent.visits)
    known = 0
    best = np.float32(-1e9)
    chosen = NONE
    child = int(parent.child)
    while child != NONE:
        candidate = here.nodes[child]
        if here.stamp[int(candidate.code)] == stamp:
            known += 1
            candidate.available += np.float32(1.0)
            mean = candidate.value if candidate.visits > 0 else untried
            bonus = candidate.prior * np.float32(math.sqrt(candidate.available))
            score = mean + here.exploration * bonus / np.float32(1 + candidate.visits)
            if score > best:
                best = score
                chosen = child
        child = int(candidate.sibling)
    return chosen if known == count else NONE


@inner_kernel
def _reward(node: np.record, here: np.record, seat: int) -> np.float32:
    """Return the sum of a node's rewards for a seat: share of victory, and points ahead."""
    total = np.float32(0.0)
    for other in range(MAX_PLAYERS):
        total += node.points[other]
    others = (total - node.points[seat]) / np.float32(here.players - 1)
    return np.float32(node.share[seat] + here.margin * (node.points[seat] - others))


@inner_kernel
def _write_end(state: StateRecord, here: np.record) -> None:
    """Write the result of a finished game."""
    players = int(state.players)
    totals(state, here.table)
    count = winners(players, here.table, here.winners)
    for seat in range(MAX_PLAYERS):
        here.share[seat] = 0.0
        here.points[seat] = float(here.table[seat, TOTAL]) if seat < players else 0.0
    for i in range(count):
        here.share[int(here.winners[i])] = 1.0 / count


@inner_kernel
def expand(state: StateRecord, scratch: Scratch, here: np.record, logits: np.ndarray) -> None:
    """Add a node for every decision that has none, with its prior by the network's outputs."""
    count = drop_mirrored(state, scratch, legal(state, scratch))
    if here.used + count > here.room:
        return
    node = int(here.path[int(here.depth) - 1])
    stamp = int(here.stamped) + 1
    here.stamped = stamp
    child = int(here.nodes[node].child)
    while child != NONE:
        here.stamp[int(here.nodes[child].code)] = stamp
        child = int(here.nodes[child].sibling)
    highest = np.float32(-1e9)
    for i in range(count):
        here.logits[i] = logit_of(state, int(scratch.codes[i]), logits)
        highest = max(highest, here.logits[i])
    total = np.float32(0.0)
    for i in range(count):
        here.logits[i] = math.exp(here.logits[i] - highest)
        total += here.logits[i]
    for i in range(count):
        code = int(scratch.codes[i])
        if here.stamp[code] != stamp:
            add_node(here, node, code, here.logits[i] / total)


@inner_kernel
def back_up(here: np.record) -> None:
    """Add the iteration's result to every node of its path."""
    for step in range(int(here.depth)):
        node = here.nodes[int(here.path[step])]
        node.visits += 1
        for seat in range(MAX_PLAYERS):
            node.share[seat] += here.share[seat]
            node.points[seat] += here.points[seat]
        node.value = _reward(node, here, int(here.chooser[step])) / np.float32(node.visits)
