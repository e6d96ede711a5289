"""Self-play guided by the network: many games side by side, one in each lane.

A step is one decision in every lane. All lanes search at the same pace: in each iteration they meet
one position each, the network judges all of them at once, and the lanes go on. Kernels take the
arrays and the number of a lane, so that a GPU runs one thread per lane (`gpu_lanes`), and a
processor a loop.

The root is searched as in Gumbel AlphaZero (Danihelka et al., 2022): a few decisions, drawn without
replacement by the policy, share the iterations by sequential halving; the policy learns from what
all decisions are worth, by the search or else by the network. Below, it is PUCT.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from patrizier.bots.evaluation import impression_in
from patrizier.bots.learned.inputs import LOGITS, ONE_OUTPUT, outputs_of, write_inputs
from patrizier.bots.learned.network import POINTS
from patrizier.bots.search.guided import (
    back_up,
    descend,
    expand,
    plant,
    points_now,
)
from patrizier.bots.search.mirrors import drop_mirrored
from patrizier.bots.search.tree import NONE
from patrizier.rules.apply import apply
from patrizier.rules.board import MAX_CITIES, MAX_PLAYERS
from patrizier.rules.chance import below, deal_order, next_word, seed_game, sort_stars
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.jit import inner_kernel
from patrizier.rules.layout import aligned_record
from patrizier.rules.legal import legal
from patrizier.rules.playout import playout
from patrizier.rules.score import FLOORS, TOTAL, totals, winners
from patrizier.rules.scratch import Scratch
from patrizier.rules.state import OVER, StateRecord, in_play, set_up
from patrizier.rules.view import fill_in, hide

OUTPUTS = LOGITS + 2 * MAX_PLAYERS  # of the network, as the search needs them: shares, points
CONSIDERED = 8  # decisions at a root that share the iterations
NO_PLACE = NO_OUTPUT = 255
_VISITS, _SCALE = 50.0, 0.4  # how much a better value counts against the policy

# What a lane's guest is: an earlier network, a plain search by random playouts, or the evaluation
# of `greedy`, decision by decision. The other seats are the network itself.
NOBODY, EARLIER, PLAIN, GREEDY = range(4)

LANE = aligned_record(
    ("games", "i8"),  # begun so far
    ("blank", "i4"),  # options and deck
    ("kind", "i4"),  # of guest
    ("guest", "i4"),  # its seat, or NONE
    ("stray", "i4"),  # turn with a random decision, or more than there are
    ("waits", "i4"),  # whether its leaf needs an evaluation
    ("earlier", "i4"),  # whether an earlier network searches now
    ("scheduled", "i4"),  # decisions considered
)

# One decision, as it is kept until the end of the game is known.
STEP = aligned_record(
    ("share", "f4", MAX_PLAYERS),  # by the search, by seat
    ("final", "f4", MAX_PLAYERS),  # of the game, if this was its last decision
    ("points", "i2", MAX_PLAYERS),
    ("places", "u1", MAX_PLAYERS),
    ("tokens", "i1", (MAX_CITIES, 2)),
    ("now", "i2", MAX_PLAYERS),  # points before the decision
    ("seat", "u1"),
    ("players", "u1"),
    ("last", "u1"),  # of its game
    ("stray", "u1"),  # taken at random: what follows says nothing about what was before
    ("guest", "i1"),  # its seat, or NONE
    ("teaches", "u1"),  # whether the policy may learn from it
    ("one", "u1", MOST_DECISIONS),  # outputs of each legal decision, or NO_OUTPUT
    ("two", "u1", MOST_DECISIONS),
    ("policy", "u1", MOST_DECISIONS),  # improved, as shares of 255
)

# What the network learns from a decision, seats counted from the one to move.
TARGET = aligned_record(
    ("share", "f4", MAX_PLAYERS),
    ("points", "f4", MAX_PLAYERS),  # still to come
    ("places", "u1", MAX_PLAYERS),  # NO_PLACE if unknown
    ("tokens", "u1", (MAX_CITIES, 2)),
)


class Lanes(NamedTuple):
    """All arrays, of a processor or of a GPU."""

    lanes: Any  # LANE
    cells: Any  # three states a lane: the game, what its seat sees, the working state
    scratch: Any
    trees: Any
    inputs: Any  # INPUTS: the leaf to evaluate
    outputs: Any  # OUTPUTS floats: its evaluation
    blanks: Any
    schedule: Any  # visits of the decision to try next, by decisions considered and iteration


def schedule(iterations: int) -> np.ndarray[Any, np.dtype[np.int16]]:
    """Return how often the decision to try next has been tried, by sequential halving."""
    table = np.zeros((CONSIDERED + 1, iterations), np.int16)
    for considered in range(1, CONSIDERED + 1):
        visits, order = [0] * considered, []
        rounds = max(1, math.ceil(math.log2(considered)))
        left = considered
        while len(order) < iterations:
            for _ in range(max(1, iterations // (rounds * left))):
                order += visits[:left]
                visits[:left] = [n + 1 for n in visits[:left]]
            left = max(min(2, considered), left // 2)
        table[considered] = order[:iterations]
    return table


@inner_kernel
def uniform(scratch: Scratch) -> float:
    """Return a random number above zero and below one."""
    return (float(next_word(scratch) >> np.uint64(40)) + 0.5) / float(1 << 24)


@inner_kernel
def begin_lane(it: Any, lane: int) -> None:
    """Begin the next game in a lane."""
    here = it.lanes[lane]
    scratch = it.scratch[lane]
    state = it.cells[lane, 0]
    it.cells[lane, 0] = it.blanks[int(here.blank)]
    players = int(state.players)
    sort_stars(scratch, state)
    deal_order(scratch, players)
    set_up(state, scratch, below(scratch, players))
    here.games += 1
    here.guest = NONE
    if here.kind != NOBODY:
        here.guest = below(scratch, players)
    here.stray = below(scratch, 3 * in_play(players))
    skip_forced(state, scratch)


@inner_kernel
def skip_forced(state: StateRecord, scratch: Scratch) -> None:
    """Carry out decisions without a choice."""
    while state.phase != OVER:
        if drop_mirrored(state, scratch, legal(state, scratch)) > 1:
            break
        apply(state, int(scratch.codes[0]))


@inner_kernel
def begin_search(it: Any, lane: int) -> None:
    """Begin a tree; the root is its first leaf."""
    state = it.cells[lane, 0]
    tree = it.trees[lane]
    it.cells[lane, 1] = state
    hide(it.cells[lane, 1], int(state.seat))
    tree.players = int(state.players)
    tree.stamped = 0
    for code in range(len(tree.stamp)):
        tree.stamp[code] = 0
    plant(tree)
    it.cells[lane, 2] = it.cells[lane, 1]
    fill_in(it.cells[lane, 2], it.scratch[lane])
    descend(it.cells[lane, 2], it.scratch[lane], tree, NONE)
    write_inputs(it.cells[lane, 2], it.inputs[lane])
    here = it.lanes[lane]
    here.waits = 1
    here.earlier = int(here.kind == EARLIER and here.guest == int(state.seat))


@inner_kernel
def back_up_leaf(it: Any, lane: int) -> None:
    """Expand the leaf with the network's evaluation, and back it up."""
    if it.lanes[lane].waits == 0:
        return
    tree = it.trees[lane]
    state = it.cells[lane, 2]
    expand(state, it.scratch[lane], tree, it.outputs[lane])
    players = int(state.players)
    highest = np.float32(-1e9)
    for relative in range(players):
        highest = max(highest, it.outputs[lane, LOGITS + relative])
    total = np.float32(0.0)
    for relative in range(players):
        total += math.exp(it.outputs[lane, LOGITS + relative] - highest)
    for seat in range(MAX_PLAYERS):
        tree.share[seat] = 0.0
        tree.points[seat] = 0.0
    seat = int(state.seat)
    for relative in range(players):
        tree.share[seat] = math.exp(it.outputs[lane, LOGITS + relative] - highest) / total
        to_come = it.outputs[lane, LOGITS + MAX_PLAYERS + relative]
        tree.points[seat] = points_now(state, seat) + np.float32(POINTS) * to_come
        seat = seat + 1 if seat + 1 < players else 0
    back_up(tree)


@inner_kernel
def open_root(it: Any, lane: int, noise: bool) -> None:
    """Draw noise for the root's decisions, so that the best are a sample of the policy."""
    tree = it.trees[lane]
    count = 0
    child = int(tree.nodes[int(tree.root)].child)
    while child != NONE:
        count += 1
        if noise:
            tree.nodes[child].noise = -math.log(-math.log(uniform(it.scratch[lane])))
        child = int(tree.nodes[child].sibling)
    it.lanes[lane].scheduled = min(CONSIDERED, count)


@inner_kernel
def next_iteration(it: Any, lane: int, iteration: int) -> None:
    """Walk to the next leaf; the end of a game is backed up at once."""
    tree = it.trees[lane]
    wanted = int(it.schedule[int(it.lanes[lane].scheduled), iteration])
    most = _most_visits(tree)
    best = -1e9
    first = NONE
    child = int(tree.nodes[int(tree.root)].child)
    while child != NONE:
        if tree.nodes[child].visits == wanted:
            score = _score(tree, child, most, 0.0)
            if score > best:
                best = score
                first = child
        child = int(tree.nodes[child].sibling)
    it.cells[lane, 2] = it.cells[lane, 1]
    fill_in(it.cells[lane, 2], it.scratch[lane])
    judge = descend(it.cells[lane, 2], it.scratch[lane], tree, first)
    it.lanes[lane].waits = int(judge)
    if judge:
        write_inputs(it.cells[lane, 2], it.inputs[lane])
    else:
        back_up(tree)


@inner_kernel
def _most_visits(tree: np.record) -> int:
    most = 0
    child = int(tree.nodes[int(tree.root)].child)
    while child != NONE:
        most = max(most, int(tree.nodes[child].visits))
        child = int(tree.nodes[child].sibling)
    return most


@inner_kernel
def _score(tree: np.record, child: int, most: int, untried: float) -> float:
    """Return noise, policy and value of a root's decision."""
    node = tree.nodes[child]
    value = float(node.value) if node.visits > 0 else untried
    worth = (_VISITS + most) * _SCALE * value
    return float(node.noise) + math.log(float(node.prior) + 1e-9) + worth


@inner_kernel
def _mixed_value(tree: np.record, seat: int) -> float:
    """Return the value of decisions that were not tried: the network's and the others', mixed."""
    root = tree.nodes[int(tree.root)]
    # The root was judged once by the network; each other visit went to a child.
    total, prior, worth = 0, 0.0, 0.0
    sums = 0.0
    child = int(root.child)
    while child != NONE:
        node = tree.nodes[child]
        if node.visits > 0:
            total += int(node.visits)
            prior += float(node.prior)
            worth += float(node.prior) * float(node.value)
            sums += float(node.visits) * float(node.value)
        child = int(node.sibling)
    others = 0.0
    for other in range(MAX_PLAYERS):
        others += float(root.points[other])
    others = (others - float(root.points[seat])) / (int(tree.players) - 1)
    whole = float(root.share[seat]) + float(tree.margin) * (float(root.points[seat]) - others)
    judged = whole - sums
    if total == 0:
        return judged
    return (judged + total * worth / prior) / (1.0 + total)


@inner_kernel
def decide(it: Any, lane: int, step: np.record, playouts: int) -> int:
    """Choose the lane's decision, and write what is kept of it."""
    state = it.cells[lane, 0]
    scratch = it.scratch[lane]
    tree = it.trees[lane]
    here = it.lanes[lane]
    seat = int(state.seat)
    players = int(state.players)
    root = tree.nodes[int(tree.root)]
    untried = _mixed_value(tree, seat)
    most = _most_visits(tree)
    chosen = NONE
    best = -1e9
    highest = -1e9
    child = int(root.child)
    while child != NONE:
        node = tree.nodes[child]
        score = _score(tree, child, most, untried)
        highest = max(highest, score - float(node.noise))
        if node.visits == most and score > best:
            best = score
            chosen = child
        child = int(node.sibling)
    total = 0.0
    child = int(root.child)
    while child != NONE:
        node = tree.nodes[child]
        total += math.exp(_score(tree, child, most, untried) - float(node.noise) - highest)
        child = int(node.sibling)
    step.seat = seat
    step.players = players
    step.last = 0
    step.stray = 0
    step.guest = here.guest
    step.teaches = 1
    for i in range(MOST_DECISIONS):
        step.one[i] = NO_OUTPUT
        step.two[i] = ONE_OUTPUT
        step.policy[i] = 0
    for other in range(MAX_PLAYERS):
        step.share[other] = root.share[other] / np.float32(root.visits)
        step.now[other] = int(points_now(state, other)) if other < players else 0
    count = drop_mirrored(state, scratch, legal(state, scratch))
    for i in range(count):
        code = int(scratch.codes[i])
        child = int(root.child)
        while child != NONE:
            node = tree.nodes[child]
            if node.code == code:
                weight = math.exp(_score(tree, child, most, untried) - float(node.noise) - highest)
                step.policy[i] = int(255.0 * weight / total + 0.5)
            child = int(node.sibling)
        step.one[i], step.two[i] = outputs_of(it.cells[lane, 1], code)  # as the network sees it
    code = int(tree.nodes[chosen].code)
    if here.kind == PLAIN and seat == here.guest:
        step.teaches = 0
        code = _try_by_playouts(it, lane, playouts)
    elif here.kind == GREEDY and seat == here.guest:
        step.teaches = 0
        code = _take_best_looking(it, lane)
    elif here.kind == EARLIER and seat == here.guest:
        step.teaches = 0
    if here.stray <= state.turn and here.kind == NOBODY:
        here.stray = 1 << 20
        step.stray = 1
        count = drop_mirrored(state, scratch, legal(state, scratch))
        code = int(scratch.codes[below(scratch, count)])
    return code


@inner_kernel
def _try_by_playouts(it: Any, lane: int, playouts: int) -> int:
    """Return the decision that wins most random playouts, each tried equally often."""
    tree = it.trees[lane]
    scratch = it.scratch[lane]
    seat = int(it.cells[lane, 0].seat)
    players = int(it.cells[lane, 0].players)
    best = -1.0
    chosen = 0
    count = drop_mirrored(it.cells[lane, 0], scratch, legal(it.cells[lane, 0], scratch))
    for i in range(count):
        won = 0.0
        code = 0
        for _ in range(max(1, playouts // count)):
            code = _try_decision(it, lane, i)
            state = it.cells[lane, 2]
            playout(state, scratch)
            totals(state, tree.table)
            number = winners(players, tree.table, tree.winners)
            for k in range(number):
                won += 1.0 / number if tree.winners[k] == seat else 0.0
            won += 0.002 * tree.table[seat, TOTAL]
        if won > best:
            best = won
            chosen = code
    return chosen


@inner_kernel
def _try_decision(it: Any, lane: int, number: int) -> int:
    """Sample the hidden cards in cells[2], take a legal decision there, and return its code."""
    state = it.cells[lane, 2]
    scratch = it.scratch[lane]
    it.cells[lane, 2] = it.cells[lane, 1]
    fill_in(state, scratch)
    drop_mirrored(state, scratch, legal(state, scratch))
    code = int(scratch.codes[number])
    apply(state, code)
    return code


@inner_kernel
def _take_best_looking(it: Any, lane: int) -> int:
    """Return the decision after which the position looks best, as `greedy` evaluates it.

    The turn is finished first, without a special action or a messenger of choice: within a turn
    complete cities have no winners yet.
    """
    tree = it.trees[lane]
    scratch = it.scratch[lane]
    seat = int(it.cells[lane, 0].seat)
    turn = int(it.cells[lane, 0].turn)
    best = -1e9
    chosen = 0
    count = drop_mirrored(it.cells[lane, 0], scratch, legal(it.cells[lane, 0], scratch))
    for i in range(count):
        code = _try_decision(it, lane, i)
        state = it.cells[lane, 2]
        while state.turn == turn and state.phase != OVER:
            legal(state, scratch)
            apply(state, int(scratch.codes[0]))
        # The search is over: its last result is memory to work in.
        looks = impression_in(state, seat, True, True, tree.share, tree.points)
        if looks > best:
            best = looks
            chosen = code
    return chosen


@inner_kernel
def carry_out(it: Any, lane: int, code: int, step: np.record) -> bool:
    """Take a decision and what follows without a choice; note a finished game, begin another."""
    state = it.cells[lane, 0]
    scratch = it.scratch[lane]
    tree = it.trees[lane]
    apply(state, code)
    skip_forced(state, scratch)
    if state.phase != OVER:
        return False
    players = int(state.players)
    totals(state, tree.table)
    count = winners(players, tree.table, tree.winners)
    for seat in range(MAX_PLAYERS):
        step.final[seat] = 0.0
        step.points[seat] = 0
        step.places[seat] = NO_PLACE
    for seat in range(players):
        step.points[seat] = tree.table[seat, TOTAL]
        rank = 1000 * tree.table[seat, TOTAL] - tree.table[seat, FLOORS]
        better = 0
        for other in range(players):
            better += int(1000 * tree.table[other, TOTAL] - tree.table[other, FLOORS] > rank)
        step.places[seat] = better
    for i in range(count):
        step.final[int(tree.winners[i])] = 1.0 / count
    for city in range(MAX_CITIES):
        for token in range(2):
            step.tokens[city, token] = state.winners[city, token]
    step.last = 1
    begin_lane(it, lane)
    return True


@inner_kernel
def write_targets(steps: Any, targets: Any, lane: int, horizon: float) -> None:
    """Write what each decision of a lane teaches, from the last to the first.

    The share of victory is a mean of the later estimates of the search and of the result; with a
    longer horizon the result counts more. Positions up to a random decision learn from the search's
    estimate before it, and nothing from the end of the game.
    """
    final = NONE  # the step that ended the current game, if it is known
    for t in range(len(steps) - 1, -1, -1):
        step = steps[t, lane]
        players = int(step.players)
        seat = int(step.seat)
        if step.last == 1:
            final = t
        if step.stray == 1:
            final = NONE
        for relative in range(MAX_PLAYERS):
            other = seat + relative
            other = other - players if other >= players else other
            target = targets[t, lane]
            target.places[relative] = NO_PLACE
            target.points[relative] = 0.0
            target.share[relative] = 0.0
            if relative < players:
                if step.last == 1 and step.stray == 0:
                    value = float(step.final[other])
                elif t == len(steps) - 1 or step.stray == 1:
                    value = float(step.share[other])
                else:
                    later = targets[t + 1, lane]
                    behind = other - int(steps[t + 1, lane].seat)
                    behind = behind + players if behind < 0 else behind
                    value = horizon * float(later.share[behind])
                    value += (1.0 - horizon) * float(steps[t + 1, lane].share[other])
                target.share[relative] = value
                if final != NONE:
                    end = steps[final, lane]
                    target.points[relative] = float(end.points[other]) - float(step.now[other])
                    target.places[relative] = end.places[other]
        for city in range(MAX_CITIES):
            for token in range(2):
                place = NO_PLACE
                if final != NONE:
                    winner = int(steps[final, lane].tokens[city, token])
                    if winner != NONE:
                        place = winner - seat
                        place = place + players if place < 0 else place
                targets[t, lane].tokens[city, token] = place


# A whole step of one lane, in four parts; the network judges between them.


@inner_kernel
def seed_lane(it: Any, lane: int, seed: np.uint64) -> None:
    """Seed a lane and begin its first game."""
    seed_game(it.scratch[lane], seed, lane)
    begin_lane(it, lane)


@inner_kernel
def start(it: Any, lane: int) -> None:
    """Begin the search for a decision."""
    begin_search(it, lane)


@inner_kernel
def iterate(it: Any, lane: int, iteration: int, noise: bool) -> None:
    """Back up the last evaluation, and walk to the next leaf."""
    back_up_leaf(it, lane)
    if iteration == 0:
        open_root(it, lane, noise)
    next_iteration(it, lane, iteration)


@inner_kernel
def finish(it: Any, lane: int, steps: Any, kept: Any, t: int, playouts: int) -> None:
    """Decide, and keep what was seen and found."""
    back_up_leaf(it, lane)
    code = decide(it, lane, steps[t, lane], playouts)
    write_inputs(it.cells[lane, 1], kept[t, lane])
    carry_out(it, lane, code, steps[t, lane])
