"""Intervals are those of the textbooks, however few deals there are."""

import math

import numpy as np
import pytest
from scipy import stats

from patrizier.arena.intervals import Clustered, quantile, wilson


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


def test_a_share_stays_between_nothing_and_everything() -> None:
    assert Clustered(enumerate([1.0, 1.0])).share().high == 1
    found = Clustered(enumerate([0.0, 1.0])).share()
    assert 0 < found.low < 0.5 < found.high < 1
    assert wilson(0.5, 100) == pytest.approx(
        stats.binomtest(50, 100).proportion_ci(method="wilson"), rel=1e-9
    )
