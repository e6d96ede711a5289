"""Verdicts: the thresholds, in the stake of any number of players."""

import math

import pytest

from patrizier.analysis.verdicts import THRESHOLDS, Verdict, in_doubt, stake, verdict_on


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_threshold_is_the_same_part_of_the_deviation_between_equals(players: int) -> None:
    deviation = math.sqrt((1 / players) * (1 - 1 / players))
    for verdict, most in THRESHOLDS.items():
        limit = most * deviation / 0.5
        assert verdict_on(limit * 0.999, 0.0, players) is verdict
        assert verdict_on(limit * 1.001, 0.0, players) is not verdict
    assert stake(players) == pytest.approx(2 * deviation)


def test_doubt_is_in_favour_of_the_player() -> None:
    assert verdict_on(0.08, 0.0, 2) is Verdict.MISTAKE
    assert verdict_on(0.08, 0.02, 2) is Verdict.INACCURACY


def test_a_verdict_is_in_doubt_near_a_threshold_only() -> None:
    error = 0.004
    for most in THRESHOLDS.values():
        assert in_doubt(most + error, error, 2)
        assert not in_doubt(most + error, 0.0, 2)
    assert not in_doubt(0.05, error, 2)  # between two thresholds
    assert not in_doubt(-0.02, error, 2)  # the option played is the best, and far ahead
    assert in_doubt(0.05, 0.02, 2)  # but with much noise


def test_which_verdicts_are_errors() -> None:
    assert [verdict.value for verdict in Verdict if verdict.is_error] == [
        "inaccuracy",
        "mistake",
        "blunder",
    ]
