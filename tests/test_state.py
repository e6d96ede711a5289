"""A position is a value: threads may apply decisions at the same time."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from patrizier import Deal, Options, State

OPTIONS = Options(players=4, rules=("messengers",))


@pytest.fixture
def many_switches() -> Iterator[None]:
    """Let threads interrupt each other as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def position(turns: int) -> State:
    rng, state = Random(turns), State.start(OPTIONS, Deal.random(OPTIONS, seed=1))
    while state.turn < turns:
        state = state.apply(rng.choice(state.legal_decisions()))
    return state


def apply_often(state: State) -> set[bytes]:
    first, last = state.legal_decisions()[0], state.legal_decisions()[-1]
    return {state.apply(code).to_bytes() for _ in range(20_000) for code in (first, last)}


@pytest.mark.usefixtures("many_switches")
def test_threads_do_not_disturb_each_other() -> None:
    states = [position(turns) for turns in range(10, 14)]
    with ThreadPoolExecutor(len(states)) as pool:
        found = list(pool.map(apply_often, states))
    assert [len(positions) for positions in found] == [2, 2, 2, 2]
