"""Verdicts: the thresholds, in the stake of any number of players."""

import math

import pytest

from patrizier.analysis.verdicts import THRESHOLDS, Verdict, stake, verdict_on


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


def test_which_verdicts_are_errors() -> None:
    assert [verdict.value for verdict in Verdict if verdict.is_error] == [
        "inaccuracy",
        "mistake",
        "blunder",
    ]
