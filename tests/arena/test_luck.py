"""Luck-adjusted standings: the mean stays the same, and every game counts."""

import numpy as np
import pytest

from patrizier.analysis.luck import luck_of_cards
from patrizier.arena.luck import PRIOR, LuckTally, coefficients
from patrizier.arena.schedule import Plan
from patrizier.arena.tournament import play_game
from patrizier.game import Game
from patrizier.options import Options


def test_results_are_adjusted_by_the_luck_of_each_seat() -> None:
    plan = Plan.of(["greedy", "random"], Options(players=2), games=6, seed=3)
    tally, seen = LuckTally(plan.entrants), {"greedy": np.zeros((3, 3)), "random": np.zeros((3, 3))}
    for result in (play_game(plan, number) for number in range(plan.games)):
        tally.on_end(result)
        luck = luck_of_cards(Game.from_record(result.record))
        for name, share, lucky in zip(result.names, result.shares, luck, strict=True):
            seen[name][:, result.deal] += (1, share, lucky)
    found = {each.name: each for each in tally.standings()}
    assert list(found) == sorted(found, key=lambda name: -found[name].wins.value)
    for name, (games, shares, luck) in seen.items():
        counted = coefficients(games, shares, luck)
        assert found[name].wins.value == pytest.approx((shares - counted * luck).sum() / 6)
        assert found[name].wins.count == 6
    assert sum(each.wins.value for each in found.values()) == pytest.approx(1.0)


def test_a_single_deal_counts_its_luck_fully() -> None:
    assert coefficients(np.array([2.0]), np.array([1.0]), np.array([0.3])).tolist() == [1.0]
    assert coefficients(np.full(3, 2.0), np.ones(3), np.zeros(3)).tolist() == [1.0] * 3


def test_how_much_luck_counts_in_a_deal_is_told_by_the_others() -> None:
    chance = np.random.default_rng(1)
    games, luck = np.full(40, 2.0), chance.normal(0, 0.2, 40)
    shares = chance.random(40) * 2
    before = coefficients(games, shares, luck)
    shares[7], luck[7] = 2.0, 1.5
    after = coefficients(games, shares, luck)
    assert before[7] == pytest.approx(after[7], abs=1e-12)
    assert np.abs(before - after).max() > 0.01
    others = np.arange(40) != 7
    centred = shares[others] - shares[others].mean()
    slope = (centred * luck[others]).sum() / (luck[others] ** 2).sum()
    assert after[7] == pytest.approx((39 * slope + PRIOR) / (39 + PRIOR))


@pytest.mark.parametrize("slope", [0.0, 0.6, 1.0])
def test_unequal_bots_keep_their_mean_and_vary_less(slope: float) -> None:
    """Luck may matter less than it appears to, and a few deals show that only roughly."""
    chance, runs, deals = np.random.default_rng(2), 4000, 30
    raw, adjusted = np.empty(runs), np.empty(runs)
    for run in range(runs):
        games, luck = np.full(deals, 2.0), chance.exponential(0.3, deals) - 0.3  # skewed
        rest = chance.random(deals) < 0.3 + 0.1 * (luck > 0)  # less orderly than a line
        shares = 2 * rest + slope * luck
        raw[run] = shares.sum() / games.sum()
        adjusted[run] = (shares - coefficients(games, shares, luck) * luck).sum() / games.sum()
    gap = adjusted - raw
    assert abs(gap.mean()) < 4 * gap.std() / np.sqrt(runs)
    if slope:
        assert adjusted.std() < raw.std()
