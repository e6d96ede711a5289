"""Intervals are those of the textbooks, however few deals there are."""

import math

import numpy as np
import pytest
from scipy import stats

from patrizier.arena.intervals import Clustered, Estimate, quantile, wilson


@pytest.mark.parametrize("freedom", [*range(1, 130), 1.5, 2.25, 99.9, 100.1, 200, 1e3, 1e4, 1e6])
def test_quantiles_are_those_of_students_t(freedom: float) -> None:
    assert quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=2e-8)


@pytest.mark.parametrize("freedom", [0, 0.5, -1, math.nan])
def test_less_than_one_degree_of_freedom_says_nothing(freedom: float) -> None:
    with pytest.raises(ValueError, match="at least one degree"):
        quantile(freedom)


def test_a_mean_of_independent_deals_has_the_interval_of_the_textbook() -> None:
    rng = np.random.default_rng(1)
    for size in (2, 3, 5, 50):
        values = rng.normal(size=size)
        found = Clustered(enumerate(values.tolist())).mean()
        low, high = stats.t.interval(0.95, size - 1, values.mean(), stats.sem(values))
        assert (found.low, found.high) == pytest.approx((low, high))


def test_wilson_is_the_known_interval() -> None:
    known = stats.binomtest(81, 263).proportion_ci(method="wilson")
    assert wilson(81 / 263, 263) == pytest.approx((known.low, known.high))


def test_one_observation_a_deal_is_the_usual_mean() -> None:
    values = [3.0, 5.0, 4.0, 9.0, 7.0, 1.0]
    estimate = Clustered(enumerate(values)).mean()
    error = np.std(values, ddof=1) / math.sqrt(len(values))
    assert estimate.value == pytest.approx(np.mean(values))
    assert estimate.high - estimate.value == pytest.approx(quantile(5) * error)
    assert estimate.count == 6


def test_repeating_a_deal_adds_no_certainty() -> None:
    once = Clustered((deal, deal % 3 == 0) for deal in range(30))
    often = Clustered((deal, deal % 3 == 0) for deal in range(30) for _ in range(8))
    for kind in ("mean", "share"):
        one, many = getattr(once, kind)(), getattr(often, kind)()
        assert (one.low, one.high) == pytest.approx((many.low, many.high))
        assert many.count == 8 * one.count


def test_luck_that_cancels_out_narrows_the_interval() -> None:
    """If the first seat always wins, duplicate deals show exactly equal strength."""
    rng = np.random.default_rng(1)
    blurred = Clustered((deal, float(rng.integers(2))) for deal in range(400))
    cancelled = Clustered((deal, won) for deal in range(400) for won in (0.0, 1.0))
    cancelled.add(400, 1.0)
    wide, narrow = blurred.share(), cancelled.share()
    assert narrow.high - narrow.low < 0.1 * (wide.high - wide.low)


def test_shares_stay_shares() -> None:
    always = Clustered((deal, 1.0) for deal in range(20)).share()
    never = Clustered((deal, 0.0) for deal in range(20)).share()
    assert always.value == always.high == 1
    assert never.value == never.low == 0
    assert 0.75 < always.low < 0.9
    assert always.low == pytest.approx(1 - never.high)


def test_a_single_deal_says_nothing_about_the_spread() -> None:
    one = Clustered([(0, 1.0), (0, 0.0)])
    assert one.share() == Estimate(0.5, 0, 1, 2)
    assert one.mean().to_json() == {"value": 0.5, "low": None, "high": None, "count": 2}
    with pytest.raises(ValueError, match="no observations"):
        Clustered().mean()


@pytest.mark.parametrize(
    ("share", "luck", "deals"), [(0.5, 2.0, 40), (0.8, 0.5, 60), (0.9, 0, 100)]
)
def test_the_interval_covers_the_truth_as_often_as_it_says(
    share: float, luck: float, deals: int
) -> None:
    """Four games a deal; the deal favours a bot by chance, the same in all its games."""
    rng = np.random.default_rng(7)
    runs = 400
    strength = math.log(share / (1 - share))
    shifts = rng.normal(0, luck, 200_000)
    truth = float(np.mean(1 / (1 + np.exp(-strength - shifts))))
    covered_share = covered_mean = naive = 0
    for _ in range(runs):
        chances = 1 / (1 + np.exp(-strength - rng.normal(0, luck, deals)))
        won = (rng.random((deals, 4)) < chances[:, None]).astype(float)
        sums = Clustered((deal, w) for deal in range(deals) for w in won[deal].tolist())
        estimate, mean = sums.share(), sums.mean()
        covered_share += estimate.low <= truth <= estimate.high
        covered_mean += mean.low <= truth <= mean.high
        low, high = wilson(float(won.mean()), won.size)
        naive += low <= truth <= high
    assert 0.92 <= covered_share / runs <= 0.985
    assert 0.90 <= covered_mean / runs <= 0.985
    if luck > 1:
        assert naive / runs < 0.9  # counting games instead of deals promises too much
