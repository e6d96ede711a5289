"""The examples run; those that need PyTorch only where it is installed."""

import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from patrizier.batch import Batch

LEARNING = Path(__file__).parents[2] / "examples" / "learning"


def needs(package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_spec(package) is None, reason=f"needs {package}")


def run(example: str, *arguments: str) -> str:
    command = [sys.executable, str(LEARNING / example), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_mcts_of_open_spiel_plays_against_ours() -> None:
    told = run("spiel_mcts.py", "--games=2", "--simulations=2")
    assert re.fullmatch(r"MCTS won \d+% of 2 games against greedy\n", told)


def test_actions_by_slot_are_the_legal_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(LEARNING))
    features = import_module("features")
    batch = Batch(50, 2, seed=1, threads=1)
    for _ in range(100):
        codes, legal = features.actions(batch.observations, batch.mask)
        for game in range(0, 50, 7):
            state, found = batch.state(game), codes[game, legal[game]].tolist()
            assert sorted(found) == state.legal_decisions()
            judged = features.outlooks(state, codes[game], legal[game])
            other = state.view(state.seat).sample(1)  # other hidden cards, the same outlook
            assert np.array_equal(judged, features.outlooks(other, codes[game], legal[game]))
            assert not judged[~legal[game]].any()
        shown = features.features(batch.observations)
        assert shown.dtype == np.float32
        assert np.isfinite(shown).all()
        batch.step(batch.random_codes())


@needs("torch")
def test_self_play() -> None:
    told = run("self_play.py", "--games=16", "--rounds=2", "--width=16", "--players=3")
    assert re.fullmatch(r"round 2: [\d.]+% against random play, [\d,]+ decisions/s\n", told)


@needs("sb3_contrib")
def test_maskable_ppo(tmp_path: Path) -> None:
    out = tmp_path / "policy.zip"
    settings = "--minutes=0.01", "--envs=2", "--watch=100", "--games=2", f"--out={out}"
    assert " of 2 games against greedy" in run("maskable_ppo.py", *settings)
    assert out.exists()
