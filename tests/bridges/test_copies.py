"""Copies of environments, by `copy.deepcopy` and `pickle`, play on as the original does."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo import make

from patrizier.batch import Batch
from patrizier.bots.registry import make_bot
from patrizier.bridges.gymnasium import BatchEnv, SeatEnv
from patrizier.bridges.pettingzoo import raw_env

RULES = ["messengers"]


def again(it: Any) -> Any:
    return pickle.loads(pickle.dumps(it))


every_way = pytest.mark.parametrize("copied", [copy.deepcopy, again])


def lowest(batch: Batch) -> Any:
    return batch.mask.argmax(1)


def equal(one: Any, two: Any) -> bool:
    """Whether two answers of an environment are the same."""
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(equal(one[key], two[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(two) and all(map(equal, one, two))
    if isinstance(one, np.ndarray) and one.dtype == object:
        return len(one) == len(two) and all(map(equal, one, two))
    return bool(np.array_equal(one, two))


def seat_steps(env: Any, count: int) -> list[Any]:
    """Play, through the ends of games."""
    told: list[Any] = []
    for _ in range(count):
        legal = np.flatnonzero(env.unwrapped.action_masks())
        told.append(env.step(int(legal[len(legal) // 2])))
        if told[-1][2]:
            told.append(env.reset())
    return told


@every_way
@pytest.mark.parametrize("observation", ["bytes", "floats"])
@pytest.mark.parametrize(
    "opponents", ["greedy", ["ismcts:20", make_bot("random")]], ids=["one", "two"]
)
def test_a_seat(copied: Callable[[Any], Any], observation: str, opponents: Any) -> None:
    players = 2 if opponents == "greedy" else 3
    settings: dict[str, Any] = {"opponents": opponents, "observation": observation}
    for env in (
        SeatEnv(players, RULES, **settings),
        gymnasium.make("patrizier/Seat-v1", players=players, rules=RULES, **settings),
    ):
        env.reset(seed=3)
        seat_steps(env, 7)
        other = copied(env)
        one = seat_steps(env, 40)
        assert equal(tuple(one), tuple(seat_steps(other, 40)))


@every_way
@pytest.mark.parametrize("observation", ["bytes", "floats"])
@pytest.mark.parametrize("opponents", ["random", "greedy", lowest])
def test_a_batch_of_seats(copied: Callable[[Any], Any], observation: str, opponents: Any) -> None:
    env = BatchEnv(4, 3, RULES, opponents=opponents, observation=observation, threads=1)
    env.reset(seed=3)

    def steps(env: BatchEnv, count: int) -> list[Any]:
        return [env.step(env.action_masks().argmax(1)) for _ in range(count)]

    steps(env, 10)
    other = copied(env)
    kept = other.batch.to_bytes()
    one = steps(env, 25)
    assert other.batch.to_bytes() == kept
    assert equal(tuple(one), tuple(steps(other, 25)))
    assert np.array_equal(env.own, other.own)
    assert equal(env.reset(), other.reset())


@every_way
@pytest.mark.parametrize("observation", ["bytes", "floats"])
@pytest.mark.parametrize("wrapped", [True, False])
def test_an_environment_of_agents(
    copied: Callable[[Any], Any], observation: str, wrapped: bool
) -> None:
    settings: dict[str, Any] = {"players": 3, "rules": RULES, "observation": observation}
    env = make("aec", "patrizier_v1", **settings) if wrapped else raw_env(**settings)
    env.reset(seed=3)

    def steps(env: Any, most: int) -> list[Any]:
        told = []
        for agent in env.agent_iter(most):
            seen, reward, over, cut, info = env.last()
            told.append((agent, seen, reward, over, cut, info))
            env.step(None if over else int(np.flatnonzero(seen["action_mask"])[-1]))
        return told

    steps(env, 31)
    other = copied(env)
    one, two = steps(env, 1000), steps(other, 1000)
    assert not env.agents  # to the end of the game
    assert len(one) > 30
    assert equal(tuple(one), tuple(two))
    env.reset()
    other.reset()
    assert equal(tuple(steps(env, 50)), tuple(steps(other, 50)))
