"""The other seats of a batch: seeded anew by every reset, and unable to leave a step half done."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from patrizier import IllegalMove, Move, View
from patrizier.batch import DECISIONS, Batch
from patrizier.bots.base import Bot
from patrizier.bots.registry import make_bot
from patrizier.bridges.gymnasium import BatchEnv, SeatEnv


def lowest(batch: Batch) -> Any:
    return batch.mask.argmax(1)


def first_legal(env: BatchEnv) -> Any:
    return env.action_masks().argmax(1)


def shown(env: BatchEnv) -> list[bytes]:
    """Return all that an environment shows."""
    batch = env.batch
    parts = (batch.seats, batch.mask, batch.observations, batch.done, batch.points, env.own)
    return [batch.to_bytes(), *(part.tobytes() for part in parts)]


@pytest.mark.parametrize("bot", ["random", "greedy", "ismcts:20"])
def test_a_seed_gives_the_same_games_again(bot: str) -> None:
    env = BatchEnv(3, 3, opponents=bot, threads=1)
    played = []
    for seed in (7, 7, 8):
        env.reset(seed=seed)
        for _ in range(8):
            env.step(first_legal(env))
        played.append(env.batch.to_bytes())
    assert played[0] == played[1] != played[2]
    other = BatchEnv(3, 3, opponents=bot, threads=1)
    other.reset(seed=7)
    for _ in range(8):
        other.step(first_legal(other))
    assert other.batch.to_bytes() == played[0]


class Counting(Bot):
    """Keeps state, as a bot may: a new one is made for every seat of every game."""

    name = "counting"
    about = "Counts its turns."
    made = 0

    def __init__(self) -> None:
        type(self).made += 1
        self.seat: int | None = None
        self.turn = -1

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        assert self.seat in (None, view.viewer)
        assert view.turn >= self.turn
        self.seat, self.turn = view.viewer, view.turn
        return view.legal[0]


def test_every_seat_of_every_game_gets_a_bot_of_its_own() -> None:
    name = f"{__name__}.Counting"
    kind: Any = type(make_bot(name))  # the class as the environment finds it
    env = BatchEnv(2, 3, opponents=name, threads=1)
    env.reset(seed=1)
    before, ended = kind.made, 0
    while ended < 4:
        *_, over, _, _ = env.step(first_legal(env))
        ended += int(over.sum())
    assert kind.made >= before + 2 * 2  # two games at least began anew, with two opponents


@pytest.mark.parametrize("opponents", ["random", "greedy", lowest])
def test_a_learner_cannot_wait(opponents: Any) -> None:
    env = BatchEnv(4, opponents=opponents, threads=1)
    env.reset(seed=1)
    codes, before = first_legal(env), shown(env)
    codes[2] = -1
    with pytest.raises(IllegalMove, match=r"game 2: code -1 is not legal here: \["):
        env.step(codes)
    assert shown(env) == before


def after(calls: int, wrong: Callable[[Any], Any]) -> Callable[[Batch], Any]:
    """Return a policy that answers well some times, wrongly once, and then well again."""
    told = 0

    def policy(batch: Batch) -> Any:
        nonlocal told
        told += 1
        codes = lowest(batch)
        return wrong(codes) if told == calls + 1 else codes

    return policy


def everywhere(code: int) -> Callable[[Any], Any]:
    return lambda codes: np.full(len(codes), code)


def fail(_: Any) -> Any:
    raise ZeroDivisionError("no idea")


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda codes: codes[1:], ValueError, r"the opponents' policy gave codes of shape \(7,\)"),
        (lambda codes: codes[:, None], ValueError, "the opponents' policy gave codes of shape"),
        (lambda _: 0, ValueError, "the opponents' policy gave codes of shape"),
        (lambda codes: codes + 0.5, TypeError, "the opponents' policy: codes are whole numbers"),
        (everywhere(-1), IllegalMove, r"the opponents' policy: game \d: code -1 is not legal"),
        (everywhere(DECISIONS), IllegalMove, r"the opponents' policy: game \d: code 209 is not"),
        (everywhere(208), IllegalMove, r"the opponents' policy: game \d: code 208 is not legal"),
        (fail, ZeroDivisionError, "no idea"),
    ],
)
def test_a_policy_that_fails_undoes_the_step(wrong: Any, error: type[Exception], text: str) -> None:
    env = BatchEnv(8, 3, opponents=after(40, wrong), threads=1)
    env.reset(seed=2)
    before: list[bytes] = []

    def play() -> None:
        while True:
            before[:] = shown(env)
            env.step(first_legal(env))

    with pytest.raises(error, match=text):
        play()
    assert shown(env) == before
    other = BatchEnv(8, 3, opponents=lowest, threads=1)
    other.reset(seed=2)
    while shown(other) != before:
        other.step(first_legal(other))
    for _ in range(60):  # also past the ends of games
        one, two = env.step(first_legal(env)), other.step(first_legal(other))
        assert all(np.array_equal(a, b) for a, b in zip(one[:4], two[:4], strict=True))


def test_a_policy_that_fails_at_the_beginning_deals_nothing_to_play() -> None:
    env = BatchEnv(4, opponents=after(30, fail), threads=1)
    env.reset(seed=1)

    def deal() -> None:
        for seed in range(100):
            env.reset(seed=seed)

    with pytest.raises(ZeroDivisionError):
        deal()
    with pytest.raises(RuntimeError, match=r"reset\(\) comes first"):
        env.step(first_legal(env))


class Failing(Bot):
    name = "failing"
    about = "Fails in its third turn."

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        if view.turn > 4:
            raise ZeroDivisionError("no idea")
        return view.legal[0]


def test_an_opponent_that_fails_ends_the_game_of_a_seat() -> None:
    env = SeatEnv(2, opponents=Failing(), seat=0)
    env.reset(seed=1)

    def play() -> None:
        while True:
            env.step(int(env.action_masks().argmax()))

    with pytest.raises(ZeroDivisionError):
        play()
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))


def test_masks_are_the_callers_own() -> None:
    env = BatchEnv(4, threads=1)
    env.reset(seed=1)
    kept = env.action_masks()
    legal = kept.copy()
    env.step(first_legal(env))
    assert np.array_equal(kept, legal)
    kept[:] = True
    assert not env.batch.mask.all()
