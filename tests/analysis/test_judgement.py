"""Judging a choice: searches are repeated, and more often where the verdict is in doubt."""

from collections.abc import Callable

import numpy as np
import pytest

from analysis.games import random_game
from patrizier.analysis.calibration import calibration_for
from patrizier.analysis.judgement import Effort, Judge, Judged, Round
from patrizier.analysis.options import options_of
from patrizier.analysis.verdicts import in_doubt

EFFORT = Effort((Round(1000, 8), Round(3, 24)), nodes=3000, searches=3, most=6)


def judged(in_doubt: Callable[[float, float, int], bool] = in_doubt) -> tuple[list[Judged], Judged]:
    """Return the options of a turn, and the one that was played."""
    game = random_game(3, 4, turns=9)
    judge = Judge(3, calibration_for(game.options), EFFORT, in_doubt)
    played = options_of(game.state._cells)[-1].codes
    found = judge.judge(game.view(game.seat), played, seed=7)
    return found, next(each for each in found if each.option.codes == played)


@pytest.mark.parametrize(("doubt", "searches"), [(False, EFFORT.searches), (True, EFFORT.most)])
def test_doubt_is_searched_on(doubt: bool, searches: int) -> None:
    found, played = judged(lambda *_: doubt)
    assert len(found[0].batches) == len(played.batches) == searches
    assert all(EFFORT.searches <= len(each.batches) <= searches for each in found)


def test_what_is_told_is_the_mean_of_independent_searches() -> None:
    found, played = judged()
    for each in found:
        assert each.shares == pytest.approx(each.batches.mean(axis=0))
        assert each.shares.sum() == pytest.approx(1.0)
        assert len({tuple(batch) for batch in each.batches}) == len(each.batches)
    lead, error = found[0].lead(played, 0)
    assert lead == pytest.approx(float(found[0].shares[0] - played.shares[0]))
    assert error > 0


def test_searching_on_goes_on_where_it_was() -> None:
    before = {each.option: each.batches for each in judged(lambda *_: False)[0]}
    for each in judged(lambda *_: True)[0]:
        assert np.array_equal(each.batches[: EFFORT.searches], before[each.option])
