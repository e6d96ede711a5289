"""OpenSpiel's own algorithms and loops run on our game, with small budgets."""

from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.algorithms.mccfr import AVG_POLICY_INDEX, REGRET_INDEX
from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver

from patrizier.bridges.open_spiel import SpielBot

GAMES = [(2, ""), (3, "messengers"), (5, "messengers")]
every_kind = pytest.mark.parametrize(("players", "rules"), GAMES)


def load(players: int, rules: str = "") -> Any:
    return pyspiel.load_game("patrizier", {"players": players, "rules": rules})


def walk(game: Any, seed: int) -> Any:
    """Play at random and give every state in which somebody decides."""
    state, rng = game.new_initial_state(), Random(seed)
    while not state.is_terminal():
        if not state.is_chance_node():
            yield state
        state.apply_action(rng.choice(state.legal_actions()))


@every_kind
def test_ismcts_samples_states_and_searches_them(players: int, rules: str) -> None:
    """It resamples what its player does not know before every simulation."""
    game, random = load(players, rules), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    for use_observations in (False, True):
        bot = ismcts.ISMCTSBot(
            game, evaluator, 2.0, 4, random_state=random, use_observation_string=use_observations
        )
        for state in islice(walk(game, 3), 10, None, 25):
            before, asked = str(state), bot.step(state)
            assert asked in state.legal_actions()
            assert str(state) == before


def test_ismcts_plays_a_bot_of_ours() -> None:
    game, random = load(2), np.random.RandomState(2)
    evaluator = mcts.RandomRolloutEvaluator(1, random)

    class Restarting(ismcts.ISMCTSBot):  # type: ignore[misc]
        def restart_at(self, state: Any) -> None:
            self.reset()

        def inform_action(self, state: Any, player: int, action: int) -> None:
            pass

    theirs = Restarting(game, evaluator, 2.0, 2, random_state=random)
    ours = SpielBot("greedy", 1, seed=1)
    returns = evaluate_bots(game.new_initial_state(), [theirs, ours], random)
    assert sum(returns) == pytest.approx(0)
    assert any(returns)


@every_kind
def test_outcome_sampling_learns_from_whole_games(
    players: int, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load(players, rules)
    monkeypatch.setattr(np.random, "choice", np.random.RandomState(3).choice)
    solver = OutcomeSamplingSolver(game)
    solver.iteration()
    table = solver._infostates
    assert len(table) > 20 * players
    assert all(np.isfinite(row[REGRET_INDEX]).all() for row in table.values())
    assert all((row[AVG_POLICY_INDEX] >= 0).all() for row in table.values())
    assert any((row[REGRET_INDEX] != 0).any() for row in table.values())
    state = next(walk(game, 4))
    chances = solver.average_policy().action_probabilities(state)
    assert set(chances) == set(state.legal_actions())
    assert sum(chances.values()) == pytest.approx(1)


@every_kind
def test_their_environment_plays_games(players: int, rules: str) -> None:
    environment = rl_environment.Environment(load(players, rules))
    environment.seed(5)
    spec, rng = environment.observation_spec(), Random(5)
    for _ in range(2):
        step, decisions = environment.reset(), 0
        assert step.first()
        while not step.last():
            seat = step.observations["current_player"]
            legal = step.observations["legal_actions"][seat]
            seen = step.observations["info_state"][seat]
            assert len(seen) == spec["info_state"][0]
            assert max(legal) < environment.action_spec()["num_actions"]
            step = environment.step([rng.choice(legal)])
            decisions += 1
        assert decisions >= 48
        assert sum(step.rewards) == pytest.approx(0)
        assert any(step.rewards)
