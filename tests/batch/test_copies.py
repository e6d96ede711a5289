"""Copies and parts of a batch play on as it does, with arrays of their own."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from batch.devices import GAMES, SLOW, buffers, codes_for, host, new_batch, same
from patrizier import Options
from patrizier.batch import Batch

KINDS = [Options(2), Options(4, ["messengers"])]
DONE = 3  # games that may end in these tests


def again(batch: Any) -> Any:
    return pickle.loads(pickle.dumps(batch))


every_way = pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, again])


def advance(batch: Batch, steps: int) -> None:
    for _ in range(steps):
        batch.step(batch.random_codes())


@pytest.mark.plain
@every_way
@pytest.mark.parametrize("observation", ["bytes", "floats", "none"])
def test_a_copy_plays_on_alike(copied: Callable[[Batch], Batch], observation: str) -> None:
    batch = new_batch(KINDS[1], 3 if SLOW else 30, observation=observation, first=5)
    advance(batch, 3 if SLOW else 100)
    kept, other = batch.to_bytes(), copied(batch)
    same(other, batch)
    assert (other.seed, other.first, other.observation) == (1, 5, observation)
    before = buffers(batch)
    for _ in range(4 if SLOW else 80):
        other.step(other.random_codes())
    assert batch.to_bytes() == kept
    for name, array in buffers(batch).items():
        assert np.array_equal(array, before[name]), name
    for _ in range(4 if SLOW else 80):
        batch.step(batch.random_codes())
    same(other, batch)
    assert np.array_equal(host(other.mask).sum(1), [len(o) for o in legal(other)]) or (
        observation == "none"
    )


def legal(batch: Batch) -> list[list[int]]:
    return [batch.state(game).legal_decisions() for game in range(batch.games)]


@every_way
def test_a_copy_has_the_rewards_of_the_last_step(copied: Callable[[Batch], Batch]) -> None:
    if SLOW:
        pytest.skip("whole games take too long here")
    batch = new_batch(KINDS[0])
    while not host(batch.done).any():
        batch.step(batch.random_codes())
    other = copied(batch)
    assert host(other.points).any()
    same(other, batch)


def test_a_batch_goes_back() -> None:
    batch = new_batch(KINDS[0])
    advance(batch, 5)
    kept, moment, shown = batch.to_bytes(), batch.moment(), buffers(batch)
    advance(batch, 5)
    assert batch.to_bytes() != kept
    mask = batch.mask
    batch.go_back(moment)
    assert batch.mask is mask
    assert batch.to_bytes() == kept
    for name, array in buffers(batch).items():
        assert np.array_equal(array, shown[name]), name


def test_a_finished_game_is_done_wherever_it_goes() -> None:
    """A loop until all are done ends, in parts and copies as in the whole."""
    if SLOW:
        pytest.skip("whole games take too long here")
    batch = new_batch(KINDS[0], 20, restart=False)
    while host(batch.done).sum() < DONE:
        batch.step(batch.random_codes())
    over = host(batch.seats) < 0
    assert np.array_equal(host(batch.done), over)
    batch.step(batch.random_codes())  # rewards are those of one step, being over stays
    over = host(batch.seats) < 0
    assert np.array_equal(host(batch.done), over)
    others = (
        Batch.join([batch.part(0, 7), batch.part(7, 20)]),
        Batch.from_bytes(batch.to_bytes(), threads=1),
        again(batch),
    )
    for other in others:
        assert np.array_equal(host(other.done), over)
        while not host(other.done).all():
            other.step(other.random_codes())
        assert (host(other.seats) == -1).all()
    whole = others[0]
    whole.reset()
    assert not host(whole.done).any()


def test_a_game_that_goes_on_is_not_done_in_a_part() -> None:
    if SLOW:
        pytest.skip("whole games take too long here")
    batch = new_batch(KINDS[0])
    while not host(batch.done).any():
        batch.step(batch.random_codes())
    part = batch.part(0, GAMES)
    assert not host(part.done).any()  # it was dealt anew, and rewards are not copied
    codes = np.full(GAMES, -1)
    batch.step(codes_for(batch, codes))
    assert not host(batch.done).any()  # the last step ended nothing


def test_only_neighbours_joined_are_dealt_as_the_whole() -> None:
    batch = new_batch(KINDS[0])
    fresh = batch.to_bytes()
    cut = GAMES // 2
    parts = [batch.part(0, cut), batch.part(cut, GAMES)]
    for number, row in enumerate((parts, parts[::-1])):
        joined = Batch.join(row)
        joined.reset()
        assert (joined.to_bytes() == fresh) == (number == 0)
        assert joined.first == row[0].first


@pytest.mark.plain
@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.int8])
def test_a_seed_may_be_a_number_of_numpy(kind: Any) -> None:
    assert new_batch(KINDS[0], seed=kind(5)).to_bytes() == new_batch(KINDS[0], seed=5).to_bytes()
    with pytest.raises(TypeError, match="a seed is an int"):
        new_batch(KINDS[0], seed=np.bool_(True))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="whole number from 0"):
        new_batch(KINDS[0], seed=np.int64(-1))  # type: ignore[arg-type]
