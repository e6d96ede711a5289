"""The examples run; those that need PyTorch only where it is installed."""

import json
import pickle
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.tabular_qlearner import QLearner

from patrizier.batch import Batch
from patrizier.bots.greedy import evaluate_turns
from patrizier.rules.board import CITY_OF_CARD, PISTOIA
from patrizier.rules.codes import DECISIONS
from patrizier.server.workers.guest_bots import invite

LEARNING = Path(__file__).parents[2] / "examples" / "learning"


def needs(package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_spec(package) is None, reason=f"needs {package}")


def run(example: str, *arguments: str) -> str:
    command = [sys.executable, str(LEARNING / example), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_mcts_of_open_spiel_plays_against_ours() -> None:
    told = run("spiel_mcts.py", "--games=2", "--simulations=2", "--opponents", "greedy", "mcts:3")
    share = r"MCTS won [\d.]+% \(\d+% to \d+%\) of 2 games against"
    assert re.fullmatch(rf"{share} greedy\n{share} mcts:3\n", told)


def play_in_the_arena(example: str, bot: str, folder: Path, *settings: str) -> dict[str, Any]:
    """Train by a copy of an example; return what the arena says of its bot against random play."""
    shutil.copy(LEARNING / example, folder)
    patrizier = str(Path(sysconfig.get_path("scripts")) / "patrizier")
    path = f"{Path(example).stem}.{bot}"
    for command in (
        [sys.executable, example, *settings],
        [patrizier, "arena", path, "random", "--games", "2", "--seed", "1", "--json"],
    ):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["games"] == 2
    found: dict[str, Any] = next(row for row in report["bots"] if row["name"] == path)
    return found


def test_an_agent_of_open_spiel_plays_in_our_arena(tmp_path: Path) -> None:
    told = play_in_the_arena("spiel_agent.py", "AgentBot", tmp_path, "--games=2")
    assert told["incidents"] == {}
    assert told["points"]["value"] > 0


def test_an_agent_of_open_spiel_sees_what_it_was_trained_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a position of its training it finds the entry of its table."""
    shutil.copy(LEARNING / "spiel_agent.py", tmp_path / "spiel_agent_seen.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    example = import_module("spiel_agent_seen")
    state = pyspiel.load_game("patrizier(players=2)").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    seat, legal = state.current_player(), state.legal_actions()
    agent = QLearner(0, DECISIONS)
    agent._q_values[str(state.observation_tensor(seat))][legal[-2]] = 1.0
    example.FILE.write_bytes(pickle.dumps(agent))
    view = state.view(seat)
    assert example.AgentBot().decide(view, np.random.default_rng(1)) == legal[-2]
    (guest,) = invite(["agent=spiel_agent_seen.AgentBot"])  # a server would offer it
    assert guest.about == example.AgentBot.about


@needs("sb3_contrib")
def test_the_ten_lines_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parents[2] / "docs" / "bridges.md"
    (text,) = re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)
    monkeypatch.chdir(tmp_path)
    exec(compile(text.replace("learn(20_000)", "learn(64)"), "bridges.md", "exec"), {})
    assert (tmp_path / "policy.zip").exists()


@needs("sb3_contrib")
def test_stock_maskable_ppo_plays_in_our_arena(tmp_path: Path) -> None:
    told = play_in_the_arena("ppo_seat.py", "PpoBot", tmp_path, "--decisions=64")
    assert told["incidents"] == {}


def test_actions_by_slot_are_the_legal_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(LEARNING))
    features = import_module("features")
    batch = Batch(50, 2, seed=1, threads=1)
    for _ in range(100):
        codes, legal = features.actions(batch.observations, batch.mask)
        for game in range(0, 50, 7):
            found = codes[game, legal[game]].tolist()
            assert sorted(found) == batch.state(game).legal_decisions()
        shown = features.features(batch.observations)
        assert shown.dtype == np.float32
        assert np.isfinite(shown).all()
        batch.step(batch.random_codes())


def test_blocks_of_features_are_where_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(LEARNING))
    features = import_module("features")
    batch = Batch(1, 2, seed=1, threads=1)
    state = batch.state(0)
    slots, cities, lying = features.blocks(features.features(batch.observations))
    assert np.allclose(cities[0, :, 0] * 9, state.record["missing"])
    cards = [CITY_OF_CARD[card] for card in sorted(state.record["hands"][state.seat])]
    assert np.allclose(slots[0, :, features.CARD : features.CARD + features.CITY], cities[0, cards])
    shown = [CITY_OF_CARD[card] for card in state.record["display"] if card >= 0]
    assert np.allclose(np.delete(lying[0], PISTOIA, 0)[:, features.CARD :], cities[0, shown])


def test_foresight_thinks_as_greedy_does_and_sees_nothing_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(LEARNING))
    foresight = import_module("foresight")
    batch = Batch(20, 2, seed=3, threads=1)
    here, there = foresight.Foresight(20), foresight.Foresight(20)
    cells = batch.cells()
    for _ in range(60):
        here.look(batch.cells())
        for game in range(20):
            view = batch.view(game)
            cells[game] = view.sample(1).record  # other hidden cards, the same evaluation
            values = evaluate_turns(view, np.random.default_rng(1))
            best = dict.fromkeys(batch.state(game).legal_decisions(), foresight.WORST)
            for move, value in zip(view.legal, values, strict=True):
                code = move.decision(view.phase)
                best[code] = max(best[code], value)
            expected = np.full(DECISIONS, foresight.WORST)
            expected[list(best)] = list(best.values())
            assert np.allclose(here.values[game], expected)
        there.look(cells)
        assert np.array_equal(here.values, there.values)
        assert np.array_equal(here.leads, there.leads)
        batch.step(batch.random_codes())


@pytest.mark.parametrize("players", [2, 3, 5])
def test_rewards_of_a_game_add_up_to_zero(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where finished games wait for longer ones."""
    monkeypatch.syspath_prepend(str(LEARNING))
    results = import_module("results").results
    batch = Batch(30, players, seed=2, threads=1, restart=False)
    rewards, wins, waited = np.zeros((30, players)), np.zeros((30, players)), 0
    while not batch.done.all():
        waited += int(batch.done.sum())
        batch.step(batch.random_codes())
        rewards += results(batch.shares, batch.points)
        wins += batch.shares
    assert waited
    assert np.allclose(rewards.sum(1), 0)
    for game in range(30):
        outcome = batch.state(game).outcome()
        assert outcome is not None
        assert tuple(np.flatnonzero(wins[game])) == outcome.winners
        best, others = max(outcome.points), sum(outcome.points) - max(outcome.points)
        if len(outcome.winners) == 1:
            lead = best - others / (players - 1)
            assert rewards[game].max() == pytest.approx(players - 1 + lead / 20)


@needs("torch")
@pytest.mark.parametrize("players", [2, 3])
def test_advantages_of_self_play_count_every_game_once(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a value function, what all seats are credited with adds up to zero."""
    monkeypatch.syspath_prepend(str(LEARNING))
    torch, self_play = import_module("torch"), import_module("self_play")
    torch.manual_seed(1)
    table = self_play.Table(20, players, "cpu")
    network = self_play.Network(8)
    torch.nn.init.zeros_(network.value.weight)
    torch.nn.init.zeros_(network.value.bias)
    rollout = self_play.play(table, network, seed=3)
    for game in range(20):
        mine = rollout["game"] == game
        last = {
            int(seat): float(advantage)
            for seat, advantage in zip(
                rollout["seat"][mine], rollout["advantage"][mine], strict=True
            )
        }
        assert sum(last.values()) == pytest.approx(0, abs=1e-4)
        assert max(last.values()) > 0


def test_self_play_is_short() -> None:
    lines = [(LEARNING / file).read_text("utf-8") for file in ("self_play.py", "results.py")]
    assert "".join(lines).count("\n") < 200  # as docs/bridges.md says


@needs("torch")
def test_self_play() -> None:
    told = run("self_play.py", "--games=16", "--rounds=2", "--width=16", "--players=3")
    shares = r"[\d.]+% against random, [\d.]+% against greedy"
    assert re.fullmatch(rf"round 2: {shares}; [\d,]+ decisions, \d+ s\n", told)


@needs("sb3_contrib")
def test_maskable_ppo(tmp_path: Path) -> None:
    out = tmp_path / "policy.zip"
    settings = "--minutes=0.01", "--envs=2", "--watch=400", "--games=2", f"--out={out}"
    assert " of 2 games against greedy" in run("maskable_ppo.py", *settings)
    assert out.exists()
