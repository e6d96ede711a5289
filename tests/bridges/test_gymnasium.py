"""Gymnasium's own check, and what it does not cover."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from bridges.kinds_of_games import every_game
from patrizier import IllegalMove
from patrizier.batch import Batch, decode, observe
from patrizier.bots.registry import make_bot
from patrizier.bridges.gymnasium import BatchEnv, SeatEnv
from patrizier.rules.board import SUPPLY


@every_game
@pytest.mark.parametrize("observation", ["bytes", "floats"])
def test_their_check(players: int, rules: tuple[str, ...], observation: str) -> None:
    made = gymnasium.make(
        "patrizier/Seat-v1", players=players, rules=rules, observation=observation
    )
    check_env(made.unwrapped)


@pytest.mark.parametrize("opponents", ["random", "greedy"])
def test_a_game_to_its_end(opponents: str) -> None:
    env = SeatEnv(3, ["messengers"], opponents=opponents, illegal="raise")
    rng, seats = np.random.default_rng(1), set()
    for number in range(4):
        seen, info = env.reset(seed=number)
        seats.add(env.seat)
        over, reward = False, 0.0
        while not over:
            game = env.table.game
            assert game.seat == env.seat
            assert np.array_equal(seen, observe(game.view(env.seat)))
            assert np.array_equal(info["action_mask"], env.action_masks())
            legal = np.flatnonzero(env.action_masks())
            assert legal.tolist() == game.legal_decisions()
            assert reward == 0
            seen, reward, over, cut, info = env.step(int(rng.choice(legal)))
            assert not cut
        outcome = env.table.game.outcome()
        assert outcome is not None
        assert (reward > 0) == (env.seat in outcome.winners)
        with pytest.raises(RuntimeError, match="reset"):
            env.step(0)
    assert len(seats) > 1


def test_the_same_seed_gives_the_same_game_with_any_bot() -> None:
    games = []
    for _ in range(2):
        env = SeatEnv(3, opponents=["greedy", make_bot("random")], seat=1)
        env.reset(seed=9)
        for _ in range(10):
            env.step(int(np.flatnonzero(env.action_masks())[0]))
        games.append(env.table.game.decisions)
    assert games[0] == games[1]


def test_an_illegal_action_loses_or_raises() -> None:
    env = SeatEnv(2)
    env.reset(seed=1)
    bad = int(np.flatnonzero(~env.action_masks())[0])
    _, reward, over, _, info = env.step(bad)
    assert (reward, over, info["illegal"]) == (-1, True, bad)
    strict = SeatEnv(2, illegal="raise")
    strict.reset(seed=1)
    before = strict.table.game.state
    with pytest.raises(IllegalMove, match=f"decision {bad}"):
        strict.step(bad)
    assert strict.table.game.state == before


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"opponents": "nobody"}, "there is no bot 'nobody'"),
        ({"opponents": ["random", "random"]}, "1 opponents play in a game of 2, not 2"),
        ({"seat": 2}, "no seat 2"),
        ({"seat": 0.5}, r"no seat 0\.5"),
        ({"illegal": "ignore"}, "unknown illegal"),
        ({"observation": "image"}, "unknown observation"),
        ({"render_mode": "human"}, "render_mode"),
        ({"players": 6}, "2 to 5"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        SeatEnv(**settings)


def test_what_is_no_bot_is_refused() -> None:
    with pytest.raises(TypeError, match="a bot or its name, not 3"):
        SeatEnv(2, opponents=[3])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="the name of a bot or a function, not 3"):
        BatchEnv(2, opponents=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [9.0, "9", None, np.array([9, 9])], ids=repr)
def test_an_action_is_a_whole_number(action: Any) -> None:
    env = SeatEnv(2)
    env.reset(seed=1)
    before = env.table.game.state
    with pytest.raises(TypeError, match="an action is a whole number, not"):
        env.step(action)
    assert env.table.game.state == before


def lowest(batch: Batch) -> Any:
    return batch.mask.argmax(1)


@every_game
@pytest.mark.parametrize("opponents", ["random", lowest], ids=["random", "function"])
def test_many_games_at_once(players: int, rules: tuple[str, ...], opponents: Any) -> None:
    env = BatchEnv(30, players, rules, opponents=opponents, threads=1)
    seen, info = env.reset(seed=1)
    rng = np.random.default_rng(1)
    finished = np.zeros(30, int)
    while finished.min() < 2:
        assert env.observation_space.contains(seen)
        own = (np.arange(30) + finished) % players
        assert np.array_equal(env.batch.seats, own)
        assert np.array_equal(info["action_mask"], env.action_masks())
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in env.action_masks()])
        seen, rewards, over, cut, info = env.step(actions)
        assert not cut.any()
        check_ends(info, over, rewards, own)
        assert not rewards[~over].any()
        assert (np.abs(rewards[over]) > 0).any() or not over.any()
        assert (rewards >= -1).all()
        assert (rewards <= players - 1).all()
        finished += over


def check_ends(info: dict[str, Any], over: Any, rewards: Any, own: Any) -> None:
    """What a learner saw at the end of a game is that seat's, and shows who has won."""
    assert info.get("_final_obs", np.zeros(len(over), bool)).tolist() == over.tolist()
    for game in np.flatnonzero(over):
        last = decode(info["final_obs"][game])
        assert last["phase"] == 5
        assert last["turn"] == (55 if last["players"] == 5 else 48)
        assert not info["final_info"]["action_mask"][game].any()
        assert info["final_info"]["_action_mask"][game]
        assert last["supply"][0] + last["counts"][:, :, 0].sum() == SUPPLY[last["players"]]
        points = last["tokens"] + last["chips"] + 6 * (last["heads"] // 3).sum(1)
        if last["rules"] == 0 and points[0] > points[1:].max():
            assert rewards[game] > 0
        if points[0] + 3 < points[1:].max():
            assert rewards[game] == -1


def test_a_finished_game_ends_as_it_does_alone() -> None:
    """The last observation is that of the same game played with single steps."""
    env = BatchEnv(8, 2, opponents=lowest, threads=1)
    env.reset(seed=3)
    alone = [Batch.from_bytes(env.batch.part(g, g + 1).to_bytes(), threads=1) for g in range(8)]
    own, open_games = env.batch.seats.copy(), set(range(8))
    while open_games:
        *_, over, _, info = env.step(env.action_masks().argmax(1))
        for game in sorted(open_games & set(np.flatnonzero(over))):
            state = alone[game].state(0)
            while not state.is_over:
                state = state.apply(state.legal_decisions()[0])
            expected = observe(state.view(int(own[game])))
            assert np.array_equal(info["final_obs"][game], expected)
            open_games.remove(game)


def test_a_bot_plays_all_games_of_a_batch() -> None:
    env: Any = gymnasium.make_vec("patrizier/Batch-v1", num_envs=3, opponents="greedy")
    env.reset(seed=1)
    for _ in range(3):
        env.step(env.unwrapped.action_masks().argmax(1))


def test_an_illegal_action_steps_no_game_of_a_batch() -> None:
    env = BatchEnv(4, threads=1)
    env.reset(seed=1)
    before = env.batch.to_bytes()
    with pytest.raises(IllegalMove, match="game 0: code 208"):
        env.step(np.full(4, 208))
    assert env.batch.to_bytes() == before


def test_a_batch_is_dealt_before_it_is_stepped() -> None:
    env = BatchEnv(4, threads=1)
    before = env.batch.to_bytes()
    with pytest.raises(RuntimeError, match=r"reset\(\) comes first"):
        env.step(env.batch.mask.argmax(1))
    assert env.batch.to_bytes() == before
