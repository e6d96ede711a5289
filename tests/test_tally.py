"""Floors counted by owner: who leads stands first, as an independent referee sees it."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from patrizier import Game, Options
from patrizier.tally import tally
from support.referee import tower_winner


@given(st.lists(st.integers(0, 4), max_size=9))
def test_who_is_behind_stands_behind(floors: list[int]) -> None:
    leader = tower_winner(floors) if floors else None
    found = tally(tuple(floors), leader)
    assert dict(found) == Counter(floors)
    highest = {seat: level for level, seat in enumerate(floors)}
    assert list(found) == sorted(found, key=lambda entry: (-entry[1], -highest[entry[0]]))
    assert (found[0][0] if found else None) == leader


def test_views_count_the_floors_of_every_tower() -> None:
    game, rng = Game(Options(4, ("messengers",)), seed=2), Random(2)
    while not game.is_over:
        for city in game.view(None).cities:
            for tower, leader, counted in zip(
                (city.left, city.right), city.leaders, city.tallies, strict=True
            ):
                assert dict(counted) == Counter(tower)
                assert (counted[0][0] if counted else None) == leader
        game.decide(rng.choice(game.legal_decisions()))
