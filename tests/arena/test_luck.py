"""Luck-adjusted standings: the mean keeps its place, and every game counts."""

import numpy as np
import pytest

from patrizier.analysis.luck import luck_of_cards
from patrizier.arena.luck import LuckTally
from patrizier.arena.schedule import Plan
from patrizier.arena.tournament import play_game
from patrizier.game import Game
from patrizier.options import Options


def test_results_are_adjusted_by_the_luck_of_each_seat() -> None:
    plan = Plan.of(["greedy", "random"], Options(players=2), games=4, seed=3)
    tally, wanted = LuckTally(plan.entrants), {"greedy": list[float](), "random": list[float]()}
    for result in (play_game(plan, number) for number in range(plan.games)):
        tally.on_end(result)
        luck = luck_of_cards(Game.from_record(result.record))
        for name, share, lucky in zip(result.names, result.shares, luck, strict=True):
            wanted[name].append(share - lucky)
    found = {each.name: each for each in tally.standings()}
    assert list(found) == sorted(found, key=lambda name: -found[name].wins.value)
    for name, values in wanted.items():
        assert found[name].wins.value == pytest.approx(np.mean(values))
        assert found[name].wins.count == 4
    assert sum(each.wins.value for each in found.values()) == pytest.approx(1.0)
