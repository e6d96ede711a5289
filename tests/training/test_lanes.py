"""Lanes of self-play: legal games; and all that they teach, found a second time, slowly.

A network of random numbers guides them, so that seats, cards and decisions differ to it.
"""

import importlib
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from bots.learned.outputs_by_text import outputs_by_text
from bots.learned.random_network import random_arrays, write_network
from patrizier import State
from patrizier.bots.evaluation import worth
from patrizier.bots.learned.inputs import BUILDS, INPUTS, LOGITS, ONE_OUTPUT
from patrizier.bots.learned.network import (
    POINTS,
    infer,
    new_activations,
    read_network,
)
from patrizier.bots.search.guided import CAUTION, MARGIN, guided_type
from patrizier.bots.search.tree import children_of
from patrizier.options import Options
from patrizier.rules.board import HAND, MAX_PLAYERS
from patrizier.rules.jit import kernel
from patrizier.rules.scratch import SCRATCH
from patrizier.rules.state import STATE, new_cells

lanes: Any = importlib.import_module("lanes")
variety: Any = importlib.import_module("variety")
NO_PLACE = lanes.NO_PLACE

ITERATIONS = 12
STEPS = 170  # more than a game has
KINDS = [lanes.NOBODY, lanes.NOBODY, lanes.EARLIER, lanes.PLAIN, lanes.GREEDY]
WATCHED = 8  # lanes whose searches are checked, of every number of players and kind of rules
_ROOM = 14 * ITERATIONS + 60


@kernel
def _begin(it: Any, seed: np.uint64) -> None:
    for lane in range(len(it.lanes)):
        lanes.seed_lane(it, lane, seed)


@kernel
def _start(it: Any) -> None:
    for lane in range(len(it.lanes)):
        lanes.start(it, lane)


@kernel
def _judge(it: Any, activations: Any, network: Any) -> None:
    """Evaluate the leaves as the network in PyTorch would."""
    for lane in range(len(it.lanes)):
        if it.lanes[lane].waits:
            infer(it.inputs[lane], activations[0], network[0])
            for i in range(LOGITS):
                it.outputs[lane, i] = activations[0].logits[i]
            for seat in range(MAX_PLAYERS):
                share, points = activations[0].share[seat], activations[0].points[seat]
                it.outputs[lane, LOGITS + seat] = math.log(share) if share > 0.0 else 1e3
                it.outputs[lane, LOGITS + MAX_PLAYERS + seat] = points / np.float32(POINTS)


@kernel
def _iterate(it: Any, iteration: int) -> None:
    for lane in range(len(it.lanes)):
        lanes.iterate(it, lane, iteration, True)


@kernel
def _finish(it: Any, steps: Any, kept: Any, t: int) -> None:
    for lane in range(len(it.lanes)):
        lanes.finish(it, lane, steps, kept, t, 4)


@kernel
def _write_targets(steps: Any, targets: Any, horizon: float) -> None:
    for lane in range(steps.shape[1]):
        lanes.write_targets(steps, targets, lane, horizon)


class Watched(NamedTuple):
    """A search and the position it was for, copied while they lasted."""

    t: int
    lane: int
    state: State  # of the game: nothing is hidden
    logits: Any  # of the root
    leaves: list[tuple[Any, Any]]  # shares and points of every evaluation, by seat
    tree: Any


class Played(NamedTuple):
    it: Any
    steps: Any
    kept: Any
    targets: Any
    watched: list[Watched]


def state_of(it: Any, lane: int, place: int = 0) -> State:
    """Return a lane's position."""
    cells = new_cells()
    cells[0] = it.cells[lane, place]
    return State(options_of(it, lane), cells)


def options_of(it: Any, lane: int) -> Options:
    """Return the options of a lane; the deck is the one in its cells."""
    record = it.blanks[int(it.lanes["blank"][lane])]
    number = int(it.lanes["blank"][lane]) % variety.KINDS
    return Options(int(record["players"]), variety.VARIANTS[number % len(variety.VARIANTS)])


def leaf_of(it: Any, lane: int) -> tuple[Any, Any]:
    """Return what the network says of a leaf, by seat: shares, and points at the end."""
    state, players = state_of(it, lane, 2), int(it.cells[lane, 2]["players"])
    if not it.lanes["waits"][lane]:  # the end
        outcome = state.outcome()
        assert outcome is not None
        shares = np.bincount(outcome.winners, minlength=players) / len(outcome.winners)
        return shares, np.array([score.total for score in outcome.scores])
    outputs = it.outputs[lane, LOGITS:].astype(float)
    odds = np.exp(outputs[:players] - outputs[:players].max())
    seat = int(it.cells[lane, 2]["seat"])
    ahead = [score.total - score.minus for score in state.scores()]
    order = (np.arange(players) - seat) % players
    to_come = POINTS * outputs[MAX_PLAYERS : MAX_PLAYERS + players][order]
    return (odds / odds.sum())[order], np.array(ahead) + to_come


def play(it: Any, network: Any, steps: Any, kept: Any, every: int) -> list[Watched]:
    """Play; watch some searches from the outside."""
    activations, found = new_activations(), []
    for t in range(len(steps)):
        _start(it)
        watching = t % every == 0
        lots = range(WATCHED if watching else 0)
        states = [state_of(it, lane) for lane in lots]
        logits: list[Any] = []
        leaves: list[list[tuple[Any, Any]]] = [[] for _ in lots]
        for iteration in range(ITERATIONS + 1):
            _judge(it, activations, network)
            for lane in lots:
                leaves[lane].append(leaf_of(it, lane))
            if iteration == 0:
                logits = [it.outputs[lane, :LOGITS].astype(float) for lane in lots]
            if iteration < ITERATIONS:
                _iterate(it, iteration)
        _finish(it, steps, kept, t)
        for lane in lots:
            tree = it.trees[lane : lane + 1].copy()
            found.append(Watched(t, lane, states[lane], logits[lane], leaves[lane], tree))
    return found


def new_lanes() -> Any:
    """Return lanes of every number of players, rules, deck and guest."""
    blanks = np.concatenate([variety.blank_games(players, 3) for players in (2, 3, 4, 5)])
    count = len(KINDS) * 8
    own = np.zeros(count, lanes.LANE)
    own["kind"] = np.repeat(KINDS, 8)
    # Without messengers and with them, at the city built in too; with another deck or the classic.
    own["blank"] = np.tile([3, 240 + 35, 480 + 9, 720 + 4, 31, 240 + 11, 480 + 30, 720], len(KINDS))
    trees = np.zeros(count, guided_type(_ROOM))
    trees["room"], trees["exploration"], trees["caution"] = _ROOM, 1.2, CAUTION
    trees["margin"] = [MARGIN[int(players)] for players in blanks["players"][own["blank"]]]
    return lanes.Lanes(
        *(own, np.zeros((count, 3), STATE), np.zeros(count, SCRATCH), trees),
        *(np.zeros(count, INPUTS), np.zeros((count, lanes.OUTPUTS), np.float32), blanks),
        lanes.schedule(ITERATIONS),
    )


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("network")
    return read_network(write_network(random_arrays(4), folder / "network.npz"))


@pytest.fixture(scope="module")
def played(network: Any) -> Played:
    it = new_lanes()
    steps = np.zeros((STEPS, len(it.lanes)), lanes.STEP)
    kept = np.zeros(steps.shape, INPUTS)
    targets = np.zeros(steps.shape, lanes.TARGET)
    _begin(it, np.uint64(5))
    watched = play(it, network, steps, kept, 9)
    _write_targets(steps, targets, 1.0)
    return Played(it, steps, kept, targets, watched)


def test_halving_gives_every_decision_its_turn() -> None:
    assert lanes.schedule(8)[1].tolist() == list(range(8))
    assert lanes.schedule(8)[2].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert lanes.schedule(8)[4].tolist() == [0, 0, 0, 0, 1, 1, 2, 2]
    assert lanes.schedule(4)[8].tolist() == [0, 0, 0, 0]


def test_every_lane_plays_whole_games(played: Played) -> None:
    assert (played.it.lanes["games"] >= 2).all()
    assert (played.steps["last"].sum(0) == played.it.lanes["games"] - 1).all()
    assert (played.steps["players"] >= 2).all()


# -- searches, from the outside


def test_a_search_adds_up_what_the_network_says(played: Played) -> None:
    """Shares and points come back from the eyes of whoever moves to the seats they belong to."""
    for seen in played.watched:
        root, players = seen.tree["nodes"][0][int(seen.tree["root"][0])], seen.state.options.players
        shares, points = (np.sum(parts, axis=0) for parts in zip(*seen.leaves, strict=True))
        assert root["visits"] == ITERATIONS + 1
        assert root["share"][:players] == pytest.approx(shares, abs=1e-3)
        assert root["points"][:players] == pytest.approx(points, abs=1e-2)
        kept = played.steps["share"][seen.t, seen.lane][:players]
        assert kept == pytest.approx(shares / (ITERATIONS + 1), abs=1e-4)


def decisions_of(state: State) -> list[int]:
    """Return the legal decisions, without mirror images: the right site of a bare city."""
    bare = state.record.heights.sum(axis=1) == 0
    texts = {code: state.decision_text(code) for code in state.legal_decisions()}
    cities = {
        "BO": 0,
        "FE": 1,
        "FI": 2,
        "LU": 3,
        "MI": 4,
        "PA": 5,
        "PI": 6,
        "RO": 7,
        "SI": 8,
        "VE": 9,
    }
    return [
        code
        for code, text in texts.items()
        if not (text.endswith((":R", ":RR")) and bare[cities[text[:2]]])
    ]  # fmt: skip


def softmax(numbers: Any) -> Any:
    odds = np.exp(np.asarray(numbers) - np.max(numbers))
    return odds / odds.sum()


def test_priors_are_those_of_the_outputs_for_each_decision(played: Played) -> None:
    for seen in played.watched:
        codes = decisions_of(seen.state)
        outputs = [outputs_by_text(seen.state, code) for code in codes]
        logits = [sum(seen.logits[i] for i in both if i != ONE_OUTPUT) for both in outputs]
        nodes = seen.tree["nodes"][0]
        priors = {child.code: nodes["prior"][child.number] for child in children(seen)}
        assert sorted(priors) == sorted(codes)
        assert [priors[code] for code in codes] == pytest.approx(softmax(logits), abs=1e-4)


def children(seen: Watched) -> Any:
    return list(children_of(seen.tree["nodes"][0], int(seen.tree["root"][0])))


def test_the_policy_learns_what_the_search_found(played: Played) -> None:
    """Prior times value, as in Gumbel AlphaZero, for the outputs that the network has for it."""
    sharp = 0
    for seen in played.watched:
        nodes, step = seen.tree["nodes"][0], played.steps[seen.t, seen.lane]
        seat, players = int(step["seat"]), seen.state.options.players
        margin = float(seen.tree["margin"][0])

        def reward(shares: Any, points: Any, s: int = seat, m: float = margin) -> float:
            others = (points.sum() - points[s]) / (len(points) - 1)
            return float(shares[s] + m * (points[s] - others))

        tried, priors = {}, {}
        for child in children(seen):
            priors[child.code] = float(nodes["prior"][child.number])
            if child.visits:
                sums = (nodes[name][child.number][:players] for name in ("share", "points"))
                tried[child.code] = (child.visits, reward(*sums) / child.visits)
        visits = sum(count for count, _ in tried.values())
        weight = sum(priors[code] for code in tried)
        mean = sum(priors[code] * value for code, (_, value) in tried.items()) / weight
        others = (reward(*seen.leaves[0]) + visits * mean) / (1 + visits)
        most = max(count for count, _ in tried.values())
        logits = {
            code: math.log(prior + 1e-9) + (50 + most) * 0.4 * tried.get(code, (0, others))[1]
            for code, prior in priors.items()
        }
        wanted = dict(zip(logits, softmax(list(logits.values())), strict=True))
        sharp += max(wanted.values()) > 0.5
        found = {
            (int(one), int(two)): int(share) / 255
            for one, two, share in zip(step["one"], step["two"], step["policy"], strict=True)
            if one != NO_PLACE
        }
        expected = {outputs_by_text(seen.state, code): share for code, share in wanted.items()}
        assert found == pytest.approx(expected, abs=0.006)
    assert 10 < sharp < len(played.watched)


def test_what_is_kept_is_what_the_seat_sees(played: Played) -> None:
    for seen in played.watched:
        state, kept = seen.state, played.kept[seen.t, seen.lane]
        assert played.steps["seat"][seen.t, seen.lane] == state.seat
        view = state.view(state.seat)
        again = np.zeros(1, INPUTS)
        _look(view.known(), again)
        assert again.tobytes() == kept.tobytes()


@kernel
def _look(cells: Any, inputs: Any) -> None:
    lanes.write_inputs(cells[0], inputs[0])


def test_the_policy_is_one_of_the_legal_decisions(played: Played) -> None:
    steps = played.steps
    legal = steps["one"] != NO_PLACE
    assert (legal.sum(2) > 1).all()  # a decision without a choice is not asked for
    assert (steps["policy"][~legal] == 0).all()
    assert (steps["policy"].sum(2, dtype=int) > 240).all()
    assert (steps["one"][legal] < LOGITS).all()
    assert (steps["two"][legal] <= ONE_OUTPUT).all()


def test_outputs_belong_to_the_cards_that_the_network_sees(played: Played) -> None:
    """A hand has another order in the game than in the eyes of its seat."""
    doubles = 0
    for t in range(STEPS):
        for lane in range(played.steps.shape[1]):
            seen, outputs = played.kept[t, lane], played.steps["one"][t, lane]
            for output in outputs[outputs < BUILDS * HAND]:
                card = int(output) // BUILDS
                assert seen["goals"][card] >= 0
                assert bool(seen["cards"][card, 0]) == (int(output) % BUILDS >= 2)
                doubles += int(seen["cards"][card, 0])
    assert doubles > 100


def test_a_guest_teaches_no_policy(played: Played) -> None:
    steps = played.steps
    own = steps["guest"] == steps["seat"].astype(int)
    assert own.any()
    assert (steps["teaches"] == ~own).all()
    assert (steps["guest"][:, :16] == -1).all()


def test_a_greedy_guest_takes_what_looks_best(network: Any) -> None:
    """By the rules and the evaluation alone: no other decision looks better."""
    it = new_lanes()
    steps = np.zeros((1, len(it.lanes)), lanes.STEP)
    kept, activations = np.zeros(steps.shape, INPUTS), new_activations()
    greedy = np.flatnonzero(it.lanes["kind"] == lanes.GREEDY).tolist()
    _begin(it, np.uint64(7))
    lost: list[float] = []  # by what the others would have taken
    for _ in range(60):
        before = {lane: state_of(it, lane) for lane in greedy}
        guests = it.lanes["guest"].tolist()
        _start(it)
        _judge(it, activations, network)
        _finish(it, steps, kept, 0)
        for lane, state in before.items():
            if steps["last"][0, lane] or state.seat != guests[lane]:
                continue
            looks = {code: look(state, code, guests[lane]) for code in decisions_of(state)}
            (taken,) = (code for code in looks if moved_on(state, code) == state_of(it, lane))
            assert looks[taken] == pytest.approx(max(looks.values()), abs=1e-4)
            lost.append(looks[taken] - float(np.mean(list(looks.values()))))
    assert len(lost) > 100
    assert np.mean(lost) > 0.5


def look(state: State, code: int, seat: int) -> float:
    """Return what a decision is worth by the evaluation of `greedy`, at the end of the turn."""
    turn, state, cells = state.turn, state.apply(code), new_cells()
    while state.turn == turn and not state.is_over:
        state = state.apply(min(state.legal_decisions()))  # rather nothing than something
    cells[0] = state.record
    return worth(cells, seat)


def moved_on(state: State, code: int) -> State:
    """Return the position after a decision and what follows without a choice."""
    state = state.apply(code)
    while not state.is_over and len(decisions_of(state)) == 1:
        state = state.apply(decisions_of(state)[0])
    return state


# -- targets


def test_targets_follow_from_the_end(played: Played) -> None:
    """Except before a random decision: there the search's estimate is all that is known."""
    steps, targets = played.steps, played.targets
    checked, before_strays = 0, 0
    for lane in range(steps.shape[1]):
        ends = np.flatnonzero(steps["last"][:, lane])
        strays = np.flatnonzero(steps["stray"][:, lane])
        for t in range(int(ends[-1]) + 1):
            last = int(ends[ends >= t][0])
            stray = [int(s) for s in strays if t <= s <= last]
            now = steps[t, lane]
            seats = (int(now["seat"]) + np.arange(now["players"])) % now["players"]
            target, players = targets[t, lane], len(seats)
            if stray:
                share = steps[stray[0], lane]["share"][seats]
                assert target["share"][:players] == pytest.approx(share, abs=1e-5)
                assert (target["places"] == NO_PLACE).all()
                assert (target["tokens"] == NO_PLACE).all()
                before_strays += 1
                continue
            end = steps[last, lane]
            assert target["share"][:players] == pytest.approx(end["final"][seats], abs=1e-5)
            to_come = end["points"][seats] - now["now"][seats]
            assert target["points"][:players].tolist() == to_come.tolist()
            assert target["places"][:players].tolist() == end["places"][seats].tolist()
            winners = end["tokens"].astype(int)
            known = winners >= 0
            assert (seats[target["tokens"][known]] == winners[known]).all()
            assert (target["tokens"][~known] == NO_PLACE).all()
            checked += 1
        assert (targets["places"][int(ends[-1]) + 1 :, lane] == NO_PLACE).all()
    assert checked > 1000
    assert before_strays > 50


def test_ends_are_those_of_the_rules(network: Any) -> None:
    """A lane's last position, played on by the rules alone, has the result that is kept."""
    it = new_lanes()
    steps = np.zeros((1, len(it.lanes)), lanes.STEP)
    kept, activations = np.zeros(steps.shape, INPUTS), new_activations()
    _begin(it, np.uint64(6))
    ended = set()
    for _ in range(STEPS):
        before = [state_of(it, lane) for lane in range(len(it.lanes))]
        _start(it)
        for iteration in range(ITERATIONS):
            _judge(it, activations, network)
            _iterate(it, iteration)
        _judge(it, activations, network)
        _finish(it, steps, kept, 0)
        for lane in np.flatnonzero(steps["last"][0]).tolist():
            step = steps[0, lane]
            results = {result_of(end) for end in ends_of(before[lane])}
            players = before[lane].options.players
            assert (
                tuple(step["points"][:players].tolist()),
                tuple(step["places"][:players].tolist()),
                tuple(round(float(share), 3) for share in step["final"][:players]),
                tuple(step["tokens"].ravel().tolist()),
            ) in results
            now = [score.total - score.minus for score in before[lane].scores()]
            assert step["now"][:players].tolist() == now
            ended.add(lane)
    assert len(ended) == len(it.lanes)


def ends_of(state: State) -> list[State]:
    """Return the ends that one decision and what follows without a choice lead to."""
    found = []
    for code in decisions_of(state):
        after = moved_on(state, code)
        found += [after] if after.is_over else []
    return found


def result_of(state: State) -> tuple[Any, ...]:
    """Return points, places, shares of the victory, and who took the tokens."""
    outcome = state.outcome()
    assert outcome is not None
    ranks = [(-score.total, score.floors) for score in outcome.scores]
    places = tuple(sum(other < rank for other in ranks) for rank in ranks)
    shares = [
        round((seat in outcome.winners) / len(outcome.winners), 3) for seat in range(len(ranks))
    ]
    tokens = tuple(int(winner) for winner in state.record.winners.ravel())
    return tuple(score.total for score in outcome.scores), places, tuple(shares), tokens


def test_a_horizon_mixes_later_estimates_and_the_end(played: Played) -> None:
    """By the definition, from the present to the end, instead of backwards."""
    steps, horizon = played.steps, 0.9
    targets = np.zeros(steps.shape, lanes.TARGET)
    _write_targets(steps, targets, horizon)
    for lane in range(0, steps.shape[1], 3):
        for t in range(0, STEPS, 5):
            expected, weight, at = np.zeros(MAX_PLAYERS), 1.0, t
            while True:
                step = steps[at, lane]
                if step["stray"] or (at == STEPS - 1 and not step["last"]):
                    expected += weight * step["share"]
                    break
                if step["last"]:
                    expected += weight * step["final"]
                    break
                at += 1
                expected += weight * (1 - horizon) * steps[at, lane]["share"]
                weight *= horizon
            now = steps[t, lane]
            seats = (int(now["seat"]) + np.arange(now["players"])) % now["players"]
            found = targets["share"][t, lane][: len(seats)]
            assert found == pytest.approx(expected[seats], abs=1e-4)


def test_the_same_seed_plays_the_same(played: Played, network: Any) -> None:
    it = new_lanes()
    more, seen = np.zeros_like(played.steps[:20]), np.zeros_like(played.kept[:20])
    _begin(it, np.uint64(5))
    play(it, network, more, seen, 1000)
    for name in more.dtype.names:
        assert (more[name] == played.steps[name][:20]).all()
    assert seen.tobytes() == played.kept[:20].tobytes()
