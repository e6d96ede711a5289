"""The parts of a final count add up to the outcome, and say what the record of the game says."""

from random import Random

import pytest

from patrizier import Game, Options
from patrizier.final_count import FinalCount, FinishedTower, final_count
from support.kinds import STARRY
from support.referee import tower_winner

LATE = ("messengers", "messenger-at-built-city")
KINDS = [Options(players, rules) for players in (2, 3, 4, 5) for rules in ((), ("messengers",))]
KINDS += [Options(3, LATE, STARRY), Options(5, LATE, STARRY)]


def random_game(options: Options, seed: int) -> Game:
    game, rng = Game(options, seed=seed), Random(seed)
    while not game.is_over:
        game.decide(rng.choice(game.legal_decisions()))
    return game


def towers(found: FinalCount) -> list[FinishedTower]:
    return [tower for city in found.cities for tower in (city.left, city.right)]


@pytest.mark.parametrize("options", KINDS, ids=lambda o: f"{o.players}-{o.rules_text or 'base'}")
def test_the_parts_add_up(options: Options) -> None:
    seen_chips = seen_minus = False
    for seed in range(12):
        game = random_game(options, seed)
        found, outcome = final_count(game), game.outcome()
        assert outcome is not None
        for seat, score in enumerate(outcome.scores):
            won = [tower for tower in towers(found) if tower.seat == seat]
            assert sum(tower.token for tower in won) == score.tokens
            assert sum(tower.chips for tower in won) == score.chips
            assert sum(each.points for each in found.portraits[seat]) == score.sets
            assert sum(tower.floors.count(seat) for tower in towers(found)) == score.floors
            seen_chips, seen_minus = seen_chips or score.chips > 0, seen_minus or score.minus < 0
        assert found.curve[-1] == outcome.points
    assert seen_chips == seen_minus == ("messengers" in options.rules)


@pytest.mark.parametrize("options", KINDS, ids=lambda o: f"{o.players}-{o.rules_text or 'base'}")
def test_towers_are_the_final_ones(options: Options) -> None:
    game = random_game(options, 3)
    cities = {city.code: city for city in game.state.view(None).cities}
    found = final_count(game)
    assert {city.code for city in found.cities} == set(cities)
    for city in found.cities:
        there = cities[city.code]
        assert (city.left.floors, city.right.floors) == (there.left, there.right)
        assert city.left.chips == city.right.chips == 2 * city.chips
        higher, lower = sorted((city.left, city.right), key=lambda t: -len(t.floors))
        assert (higher.token, lower.token) == there.tokens
        assert all(tower.seat == tower_winner(list(tower.floors)) for tower in (higher, lower))


def test_the_curve_begins_at_nothing_and_takes_the_minus_last() -> None:
    game = random_game(Options(4, ("messengers",)), 1)
    found, outcome = final_count(game), game.outcome()
    assert outcome is not None
    assert found.curve[0] == (0, 0, 0, 0)
    assert len(found.curve) == game.turn + 1
    for before, after in zip(found.curve[:-1], found.curve[1:-1], strict=False):
        assert all(one <= two for one, two in zip(before, after, strict=True))


def test_portraits_gather_in_threes() -> None:
    game = random_game(Options(2), 5)
    for seat, kinds in enumerate(final_count(game).portraits):
        heads = game.state.view(None).seats[seat].heads
        assert {each.noble: each.heads for each in kinds} == heads
        assert all(each.heads == 3 * each.sets + each.single for each in kinds)
        assert all(each.single < 3 and each.points == 6 * each.sets for each in kinds)


def test_a_game_that_goes_on_has_no_reckoning() -> None:
    with pytest.raises(ValueError, match="not over"):
        final_count(Game(Options(2), seed=1))
