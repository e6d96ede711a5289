"""PettingZoo's own conformance tests, and what they do not cover."""

import numpy as np
import pytest
from pettingzoo import make
from pettingzoo.test import api_test, seed_test

from bridges.kinds_of_games import every_game
from patrizier import IllegalMove
from patrizier.batch import explain, observe
from patrizier.bridges.bots import Decider
from patrizier.bridges.pettingzoo import env, raw_env
from patrizier.rules.board import cities_in_play

# The test was written for observations that are arrays; those of games with masks are dicts.
dicts_are_fine = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably", "ignore:Observation is not a NumPy array"
)


@dicts_are_fine
@every_game
def test_their_tests(players: int, rules: tuple[str, ...]) -> None:
    api_test(env(players=players, rules=rules), num_cycles=60)
    seed_test(lambda: env(players=players, rules=rules), num_cycles=60)


@dicts_are_fine
def test_their_tests_with_floats() -> None:
    api_test(env(players=3, observation="floats"), num_cycles=60)


def test_it_is_registered() -> None:
    made = make("aec", "patrizier_v1", players=3, rules=["messengers"])
    made.reset(seed=1)
    assert made.unwrapped.options.players == 3
    assert made.possible_agents == ["player_0", "player_1", "player_2"]


@every_game
def test_a_game_to_its_end(players: int, rules: tuple[str, ...]) -> None:
    world = raw_env(players, rules)
    world.reset(seed=5)
    rng = np.random.default_rng(5)
    rewards = {}
    for agent in world.agent_iter():
        seen, reward, over, cut, info = world.last()
        assert not cut
        if over:
            rewards[agent] = reward
            assert not seen["action_mask"].any()
            world.step(None)
            continue
        game = world.table.game
        assert game.seat is not None
        assert agent == f"player_{game.seat}"
        assert np.flatnonzero(seen["action_mask"]).tolist() == game.legal_decisions()
        assert np.array_equal(seen["action_mask"], info["action_mask"])
        assert np.array_equal(seen["observation"], observe(game.view(game.seat)))
        other = (game.seat + 1) % players
        unseen = world.observe(f"player_{other}")
        assert np.array_equal(unseen["observation"], observe(game.view(other)))
        assert not unseen["action_mask"].any()
        world.step(int(rng.choice(game.legal_decisions())))
    outcome = world.table.game.outcome()
    assert outcome is not None
    assert sum(rewards.values()) == pytest.approx(0)
    for seat in range(players):
        won = players / len(outcome.winners) - 1 if seat in outcome.winners else -1
        assert rewards[f"player_{seat}"] == pytest.approx(won)
    assert world.agents == []


def test_mistakes_are_said_and_change_nothing() -> None:
    world = raw_env(2)
    with pytest.raises(RuntimeError, match="reset"):
        world.observe("player_0")
    with pytest.raises(RuntimeError, match="reset"):
        world.step(0)
    world.reset(seed=1)
    before = world.table.game.state
    bad = next(c for c in range(209) if c not in world.table.game.legal_decisions())
    with pytest.raises(IllegalMove, match=f"decision {bad} is not legal"):
        world.step(bad)
    with pytest.raises(IllegalMove, match="has to act"):
        world.step(None)
    for wrong in (3.0, "3", [3]):
        with pytest.raises(TypeError, match="an action is a whole number, not"):
            world.step(wrong)  # type: ignore[arg-type]
    assert world.table.game.state == before
    with pytest.raises(ValueError, match="render_mode"):
        raw_env(2, render_mode="human")
    with pytest.raises(ValueError, match="unknown observation"):
        raw_env(2, observation="image")


def test_our_bots_play_in_their_loop() -> None:
    world = env(players=3, rules=["messengers"])
    world.reset(seed=8)
    deciders = {
        agent: Decider(bot, seed)
        for seed, (agent, bot) in enumerate(
            zip(world.possible_agents, ("greedy", "ismcts:20", "random"), strict=True)
        )
    }
    rewards, turns = {}, 0
    for agent in world.agent_iter():
        seen, reward, over, _, _ = world.last()
        if over:
            rewards[agent] = reward
            world.step(None)
            continue
        game = world.unwrapped.table.game
        code = deciders[agent].code(game.view(game.seat))
        assert seen["action_mask"][code]
        world.step(code)
        turns = game.turn
    assert turns == world.unwrapped.table.game.turn > 0
    assert set(rewards) == set(deciders)
    assert sum(rewards.values()) == pytest.approx(0)


def test_the_board_as_text() -> None:
    world = raw_env(2, render_mode="ansi")
    world.reset(seed=1)
    lines = (world.render() or "").splitlines()
    assert lines[0] == f"turn 0 of 48, player {world.table.game.seat} to build"
    assert [line[:2] for line in lines[1:]] == [c.code for c in cities_in_play(2)]
    seen = explain(world.observe("player_0")["observation"])
    assert lines[1].split()[2] == seen["display"]["BO"]
