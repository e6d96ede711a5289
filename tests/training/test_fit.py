"""Fitting: the net is the value that plays, and what is saved is what was fitted."""

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from patrizier.bots.learned.value import evaluate_cells, load_weights, new_features, read_weights
from patrizier.rules.apply import apply
from patrizier.rules.legal import legal
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import OVER, new_cells

torch: Any = pytest.importorskip("torch")
fit: Any = importlib.import_module("fit")
selfplay: Any = importlib.import_module("selfplay")
examples: Any = importlib.import_module("examples")


@pytest.fixture(scope="module")
def games() -> Any:
    return selfplay.play(3, load_weights(3), 8, iterations=5, seed=2)


@pytest.fixture(scope="module")
def found(games: Any) -> Any:
    return examples.Examples(*map(torch.from_numpy, examples.examples_of(games, every=1)))


def judged(games: Any, game: int) -> list[np.ndarray]:
    """Return what the value says at every decision of a game, the seat to move first."""
    cells, buffer, shares = new_cells(), new_scratch(), []
    cells[0] = selfplay.blank_games(3, games.seed)[game]
    selfplay.deal(cells, buffer, np.uint64(games.seed), game)
    codes = iter(games.codes[game].tolist())
    while cells[0].phase != OVER:
        if legal(cells[0], buffer[0]) > 1:
            features = new_features()
            evaluate_cells(cells, features, load_weights(3))
            shares.append(np.roll(features["share"][0, :3], -int(cells[0].seat)))
            apply(cells[0], next(codes))
        else:
            apply(cells[0], int(buffer[0].codes[0]))
    return shares


def test_the_net_is_the_value_that_plays(games: Any, found: Any) -> None:
    net = fit.Net.of(3, load_weights(3))
    index = torch.where(found.about[:, examples.GAME] == 4)[0]
    batch = fit.batch_of(found, index)
    with torch.no_grad():
        logits, _ = net(batch.rows, batch.numbers, batch.now, batch.left)
    assert torch.softmax(logits, 1).numpy() == pytest.approx(np.array(judged(games, 4)), abs=1e-3)


def test_a_fit_learns_and_is_saved(found: Any, tmp_path: Path) -> None:
    base = load_weights(3)
    net, quality = fit.fit_value(3, [found], 8, size=64, warm_up=4)
    assert quality.victory < 3
    assert sum(count for _, _, count in quality.table) > 0
    _, loss_before = fit.fit_priors([found], 1, size=128)
    priors, loss = fit.fit_priors([found], 12, size=128)
    assert loss < loss_before
    fit.save(tmp_path / "3.npz", net, priors, base, trust=0.25)
    weights = read_weights(tmp_path / "3.npz")
    assert weights["trust"][0] == 0.25
    assert weights["exploration"] == base["exploration"]
    again, batch = fit.Net.of(3, weights), fit.batch_of(found, torch.arange(50))
    with torch.no_grad():
        one, two = (n(batch.rows, batch.numbers, batch.now, batch.left)[1] for n in (net, again))
    assert one.numpy() == pytest.approx(two.numpy(), abs=0.03)
    fit.save(tmp_path / "same.npz", None, None, base)
    same = read_weights(tmp_path / "same.npz")
    for name in base.dtype.names or ():
        assert same[name] == pytest.approx(base[name], rel=2e-3, abs=1e-4), name
