"""Scoring a city: as soon as it is complete, by majorities in its two towers."""

import pytest

from patrizier import Scored
from patrizier.rules.codes import decision_code
from rulebook.positions import game_at, legal, new_game, tokens_of, towers

pytestmark = pytest.mark.plain


def score_ferrara(before: str, build: str = "FE3:L") -> Scored:
    """Complete Ferrara with a build of seat 0 and return who took what."""
    game = game_at({"FE": before}, build[:3])
    scored = game.play(build).scored
    assert scored is not None
    return scored


def test_a_city_is_scored_when_its_last_floor_is_built() -> None:
    # The cards of Ferrara go from hand to hand.
    game = new_game(hands=["FE3 BO4 BO5", "FE4 RO4 RO5"], display={"FE": "FE1"}, pile="FE2")
    assert game.play("FE3:L").scored is None
    assert game.play("FE4:R").scored is None
    assert game.play("FE1:LL").scored is None
    assert towers(game, "FE") == "000/1"
    record = game.play("FE2:R")
    assert record.scored == Scored("FE", taller=0, lower=1, chips=0)
    assert tokens_of(game, 0) == (5,)
    assert tokens_of(game, 1) == (2,)


def test_a_city_is_scored_at_once_before_the_rest_of_the_turn() -> None:
    game = game_at({"FE": "01/01", "MI": "0/"}, "FE2", players=2)
    game.decide(decision_code("FE2:L"))
    assert game.phase == "move"
    assert game.view(None).cities[1].winners == (0, 1)
    assert tokens_of(game, 0) == (5,)


@pytest.mark.parametrize(
    ("city", "before", "build", "tokens"),
    [
        ("BO", "0000/1111", "BO4:L", (9, 6)),
        ("FI", "0000/1111", "FI4:L", (9, 6)),
        ("RO", "0000/1111", "RO4:L", (9, 6)),
        ("PI", "0000/1111", "PI4:L", (9, 6)),
        ("LU", "000/111", "LU4:L", (7, 4)),
        ("MI", "000/111", "MI4:L", (7, 4)),
        ("SI", "000/111", "SI4:L", (7, 4)),
        ("FE", "00/11", "FE3:L", (5, 2)),
        ("PA", "00/11", "PA3:L", (5, 2)),
        ("VE", "00/11", "VE3:L", (5, 2)),
    ],
)
def test_the_taller_tower_brings_the_higher_token(
    city: str, before: str, build: str, tokens: tuple[int, int]
) -> None:
    game = game_at({city: before}, build[:3], players=5)
    record = game.play(build)
    assert record.scored == Scored(city, taller=0, lower=1, chips=0)
    assert record.scored.tokens == tokens
    assert (tokens_of(game, 0), tokens_of(game, 1)) == ((tokens[0],), (tokens[1],))
    assert [score.tokens for score in game.scores()] == [*tokens, 0, 0, 0]


def test_the_taller_tower_may_stand_on_the_right() -> None:
    assert score_ferrara("1/222") == Scored("FE", taller=2, lower=0, chips=0)


def test_most_floors_in_a_tower_win_it_not_the_top() -> None:
    assert score_ferrara("211/2") == Scored("FE", taller=1, lower=2, chips=0)


def test_each_tower_counts_for_itself() -> None:
    """Seat 1 has most floors in the city, but not in the taller tower."""
    assert score_ferrara("11/10", "FE3:R") == Scored("FE", taller=0, lower=1, chips=0)


def test_who_wins_no_tower_gets_nothing() -> None:
    game = game_at({"FE": "110/2"}, "FE3")
    game.play("FE3:R")
    assert tokens_of(game, 1) == (5,)
    assert tokens_of(game, 0) == (2,)
    assert tokens_of(game, 2) == ()


@pytest.mark.parametrize(
    ("before", "taller"),
    [
        ("12/22", 0),  # 120: all three tied, seat 0 on top
        ("112/2", 1),  # 1120: no tie
        ("011/2", 0),  # 0110: two each
        ("110/2", 0),  # 1100: two each
    ],
)
def test_a_tie_in_a_tower_goes_to_the_highest_floor(before: str, taller: int) -> None:
    assert score_ferrara(before).taller == taller


@pytest.mark.parametrize(
    ("before", "taller"),
    [
        ("1221/33", 1),  # 12210
        ("2112/33", 2),  # 21120
        ("1122/33", 2),  # 11220
        ("2121/33", 1),  # 21210
        ("22113/3", 1),  # 221130: two floors above belong to others
    ],
)
def test_a_tie_below_a_top_that_is_not_tied_goes_to_the_highest_floor_of_the_tied(
    before: str, taller: int
) -> None:
    game = game_at({"LU": before}, "LU4", players=4)
    assert game.play("LU4:L").scored == Scored("LU", taller, lower=3, chips=0)


def test_a_tie_in_the_lower_tower_too() -> None:
    assert score_ferrara("222/1", "FE3:R") == Scored("FE", taller=2, lower=0, chips=0)
    assert score_ferrara("22/01") == Scored("FE", taller=2, lower=1, chips=0)


def test_the_highest_floor_counts_as_the_tower_stands_after_a_special_action() -> None:
    game = game_at(
        {"FE": "1/20"}, "LU3 BO4 BO5", players=4, others=["RO4 RO5 SI4", "VE3 VE4 MI4", "FE1"]
    )
    game.play("LU3:L>FE.R")  # seat 0's floor comes to lie above seat 1's
    assert towers(game, "FE") == "10/2"
    game.play("RO4:L")
    game.play("VE3:L")
    assert game.play("FE1:RR").scored == Scored("FE", taller=3, lower=0, chips=0)


def test_without_the_special_action_the_tie_would_go_the_other_way() -> None:
    game = game_at(
        {"FE": "01/2"}, "LU3 BO4 BO5", players=4, others=["RO4 RO5 SI4", "VE3 VE4 MI4", "FE1"]
    )
    for move in ("LU3:L", "RO4:L", "VE3:L"):
        game.play(move)
    assert game.play("FE1:RR").scored == Scored("FE", taller=3, lower=1, chips=0)


def test_the_same_player_may_take_both_tokens() -> None:
    game = game_at({"FE": "00/10"}, "FE3")
    assert game.play("FE3:L").scored == Scored("FE", taller=0, lower=0, chips=0)
    assert tokens_of(game, 0) == (5, 2)


def test_the_towers_stay() -> None:
    game = game_at({"FE": "01/01"}, "FE3")
    game.play("FE3:L")
    assert towers(game, "FE") == "010/01"


def test_a_city_short_of_a_floor_is_not_scored() -> None:
    game = game_at({"FE": "01/0"}, "FE3")
    assert game.play("FE3:L").scored is None
    assert game.view(None).cities[1].winners is None


def test_a_scored_city_is_never_touched_again() -> None:
    game = game_at({"FE": "01/010"}, "LU3", players=2)
    assert legal(game, "LU3:L>FE") == set()
