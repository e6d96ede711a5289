"""Lanes of self-play: legal games, and targets that follow from how they end."""

import importlib
from typing import Any

import numpy as np
import pytest

from patrizier.bots.learned.inputs import BUILDS, INPUTS, LOGITS, ONE_OUTPUT
from patrizier.bots.search.guided import CAUTION, MARGIN, guided_type
from patrizier.rules.board import HAND
from patrizier.rules.jit import kernel
from patrizier.rules.scratch import SCRATCH
from patrizier.rules.state import STATE

lanes: Any = importlib.import_module("lanes")
variety: Any = importlib.import_module("variety")
NO_PLACE = lanes.NO_PLACE

ITERATIONS = 6
STEPS = 170  # more than a game has
KINDS = [lanes.NOBODY, lanes.NOBODY, lanes.EARLIER, lanes.PLAIN]
_ROOM = 14 * ITERATIONS + 60


@kernel
def _begin(it: Any, seed: np.uint64) -> None:
    for lane in range(len(it.lanes)):
        lanes.seed_lane(it, lane, seed)


@kernel
def _play(it: Any, steps: Any, kept: Any) -> None:
    """Play with a network that says nothing: all decisions and seats are equal to it."""
    for t in range(len(steps)):
        for lane in range(len(it.lanes)):
            lanes.start(it, lane)
            for iteration in range(ITERATIONS):
                lanes.iterate(it, lane, iteration, True)
            lanes.finish(it, lane, steps, kept, t, 4)


@kernel
def _write_targets(steps: Any, targets: Any, horizon: float) -> None:
    for lane in range(steps.shape[1]):
        lanes.write_targets(steps, targets, lane, horizon)


Played = tuple[Any, Any, Any, Any]


@pytest.fixture(scope="module")
def played() -> Played:
    blanks = np.concatenate([variety.blank_games(players, 3) for players in (2, 3, 4, 5)])
    count = len(KINDS) * 4
    own = np.zeros(count, lanes.LANE)
    own["kind"] = np.repeat(KINDS, 4)
    own["blank"] = np.tile([3, 243, 483, 723], len(KINDS))  # with messengers
    trees = np.zeros(count, guided_type(_ROOM))
    trees["room"], trees["exploration"], trees["caution"] = _ROOM, 1.2, CAUTION
    trees["margin"] = [MARGIN[int(players)] for players in blanks["players"][own["blank"]]]
    it = lanes.Lanes(
        *(own, np.zeros((count, 3), STATE), np.zeros(count, SCRATCH), trees),
        *(np.zeros(count, INPUTS), np.zeros((count, lanes.OUTPUTS), np.float32), blanks),
        lanes.schedule(ITERATIONS),
    )
    steps = np.zeros((STEPS, count), lanes.STEP)
    kept, targets = (
        np.zeros((STEPS, count), INPUTS),
        np.zeros((STEPS, count), lanes.TARGET),
    )
    _begin(it, np.uint64(5))
    _play(it, steps, kept)
    _write_targets(steps, targets, 1.0)
    return it, steps, kept, targets


def test_halving_gives_every_decision_its_turn() -> None:
    assert lanes.schedule(8)[1].tolist() == list(range(8))
    assert lanes.schedule(8)[2].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert lanes.schedule(8)[4].tolist() == [0, 0, 0, 0, 1, 1, 2, 2]
    assert lanes.schedule(4)[8].tolist() == [0, 0, 0, 0]


def test_every_lane_plays_whole_games(played: Played) -> None:
    it, steps, _, _ = played
    assert (it.lanes["games"] >= 2).all()
    assert (steps["last"].sum(0) == it.lanes["games"] - 1).all()
    assert ((steps["policy"].sum(2, dtype=int) > 240) & (steps["players"] >= 2)).all()


def test_the_policy_is_one_of_the_legal_decisions(played: Played) -> None:
    _, steps, _, _ = played
    legal = steps["one"] != NO_PLACE
    assert (legal.sum(2) > 1).all()  # a decision without a choice is not asked for
    assert (steps["policy"][~legal] == 0).all()
    assert (steps["one"][legal] < LOGITS).all()
    assert (steps["two"][legal] <= ONE_OUTPUT).all()


def test_outputs_belong_to_the_cards_that_the_network_sees(played: Played) -> None:
    """A hand has another order in the game than in the eyes of its seat."""
    _, steps, kept, _ = played
    doubles = 0
    for t in range(STEPS):
        for lane in range(steps.shape[1]):
            seen, outputs = kept[t, lane], steps["one"][t, lane]
            for output in outputs[outputs < BUILDS * HAND]:
                card = int(output) // BUILDS
                assert seen["goals"][card] >= 0
                assert bool(seen["cards"][card, 0]) == (int(output) % BUILDS >= 2)
                doubles += int(seen["cards"][card, 0])
    assert doubles > 100


def test_a_guest_teaches_no_policy(played: Played) -> None:
    _, steps, _, _ = played
    own = steps["guest"] == steps["seat"].astype(int)
    assert own.any()
    assert (steps["teaches"] == ~own).all()
    assert (steps["guest"][:, :8] == -1).all()


def test_targets_follow_from_the_end(played: Played) -> None:
    _, steps, _, targets = played
    checked = 0
    for lane in range(steps.shape[1]):
        ends = np.flatnonzero(steps["last"][:, lane])
        for t in range(int(ends[-1]) + 1):
            end, now = steps[ends[ends >= t][0], lane], steps[t, lane]
            seats = (int(now["seat"]) + np.arange(now["players"])) % now["players"]
            target = targets[t, lane]
            players = len(seats)
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


def test_a_short_horizon_trusts_the_search(played: Played) -> None:
    _, steps, _, _ = played
    targets = np.zeros(steps.shape, lanes.TARGET)
    _write_targets(steps, targets, 0.0)
    last = steps["last"] == 1
    for t in range(STEPS - 1):
        for lane in np.flatnonzero(~last[t])[:4]:
            now, later = steps[t, lane], steps[t + 1, lane]
            seats = (int(now["seat"]) + np.arange(now["players"])) % now["players"]
            assert targets["share"][t, lane][: len(seats)] == pytest.approx(later["share"][seats])


def test_the_same_seed_plays_the_same(played: Played) -> None:
    it, steps, kept, _ = played
    own = it.lanes.copy()
    own["games"] = 0
    again = it._replace(lanes=own, cells=np.zeros_like(it.cells), scratch=np.zeros_like(it.scratch))
    more, seen = np.zeros_like(steps[:20]), np.zeros_like(kept[:20])
    _begin(again, np.uint64(5))
    _play(again, more, seen)
    for name in more.dtype.names:
        assert (more[name] == steps[name][:20]).all()
    assert seen.tobytes() == kept[:20].tobytes()
