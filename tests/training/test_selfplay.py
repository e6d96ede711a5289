"""Self-play: games that can be played again, split anywhere, and are worth learning from."""

import importlib
from typing import Any

import numpy as np
import pytest

from patrizier.arena.executors import Processes
from patrizier.bots.learned.priors import PRIORS
from patrizier.bots.learned.value import ROWS, load_weights

selfplay: Any = importlib.import_module("selfplay")
examples: Any = importlib.import_module("examples")
match: Any = importlib.import_module("match")

ITERATIONS = 6


def played(players: int, count: int, **given: Any) -> Any:
    return selfplay.play(players, load_weights(players), count, iterations=ITERATIONS, **given)


@pytest.mark.parametrize("players", [2, 5])
def test_a_series_can_be_split_anywhere(players: int) -> None:
    whole = played(players, 6, seed=3)
    rest = played(players, 2, seed=3, first=4, executor=Processes(2))
    assert (whole.codes[4:] == rest.codes).all()
    assert (whole.visits[4:] == rest.visits).all()
    assert (whole.lengths > 40).all()
    other = played(players, 2, seed=4)
    assert (other.codes != whole.codes[:2]).any()


def test_games_are_kept(tmp_path: Any) -> None:
    games = played(3, 2, seed=1, visits=False)
    games.save(tmp_path / "games.npz")
    again = selfplay.Games.load(tmp_path / "games.npz")
    assert again.players == 3
    for one, two in zip(games, again, strict=True):
        assert np.array_equal(one, two)


def test_a_guest_plays_by_playouts() -> None:
    plain, guests = played(3, 3, seed=5), played(3, 3, seed=5, guests=2)
    assert (plain.codes[:2] != guests.codes[:2]).any(axis=1).all()
    assert (plain.codes[2] == guests.codes[2]).all()


@pytest.mark.parametrize("players", [2, 4])
def test_examples_tell_how_games_ended(players: int) -> None:
    games = played(players, 5, seed=7)
    found = examples.examples_of(games, every=2)
    assert found.share.sum(axis=1) == pytest.approx(1)
    best = found.points.max(axis=1, keepdims=True)
    assert ((found.share == 0) | (found.points == best)).all()
    game, left = found.about[:, examples.GAME], found.about[:, examples.LEFT]
    assert (np.diff(game) >= 0).all()
    assert (np.bincount(game) >= games.lengths // 2).all()
    assert (left > 0).all()
    for number in range(5):
        assert (np.diff(left[game == number]) <= 0).all()
        seats = found.about[game == number, examples.SEAT]
        assert set(seats.tolist()) == set(range(players))
    seen = found.rows[found.rows != ROWS]
    assert seen.min() >= 0
    assert seen.max() < ROWS
    assert (found.now <= found.points[game].max(axis=1, keepdims=True)).all()
    tried = found.visits >= 0
    assert (tried.sum(axis=1) >= 1).all()
    assert (np.where(tried, found.visits, 0).sum(axis=1) <= selfplay.ALL).all()
    assert (found.parts[~tried] == PRIORS).all()
    assert (found.parts[tried][:, 0] < PRIORS).all()


def test_what_came_before_a_random_decision_does_not_count() -> None:
    games = played(2, 12, seed=8)
    assert (games.strays >= 0).any()
    assert (games.strays < 0).any()
    found = examples.examples_of(games, every=1)
    for number, stray in enumerate(games.strays):
        counts = found.about[found.about[:, examples.GAME] == number, examples.COUNTS]
        assert counts.tolist() == [int(n > stray) for n in range(int(games.lengths[number]))]


@pytest.mark.parametrize("players", [2, 3])
def test_equals_share_every_deal(players: int) -> None:
    """Whoever sits where, the same weights play the same game of a deal: shares add up to one."""
    weights = load_weights(players)
    shares = match.match(players, weights, weights, 3, iterations=5, others_iterations=5, seed=1)
    assert shares.sum(axis=1) == pytest.approx(1)


def test_who_searches_longer_wins_more() -> None:
    weights = load_weights(2)
    shares = match.match(2, weights, weights, 12, iterations=150, others_iterations=1, seed=2)
    assert shares.mean() > 0.6
    assert "of 24 games" in match.in_words(shares)
