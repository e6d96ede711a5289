"""A turn, steps 4 and 5: drawing and refilling."""

import pytest

from patrizier.rules.codes import decision_code
from rulebook.positions import card_at, game_at, hand_of, legal, new_game

pytestmark = pytest.mark.plain

CITIES = ["BO", "FE", "FI", "LU", "MI", "PA", "RO", "SI", "VE"]


def test_the_card_at_the_city_built_in_is_taken() -> None:
    game = new_game(hands=["BO4 FE3 FI4"], display={"BO": "FI1"})
    assert game.play("BO4:L").drawn == "FI1"
    assert hand_of(game, 0) == {"FE3", "FI1", "FI4"}


def test_a_forced_draw_is_not_written() -> None:
    game = new_game(hands=["BO4 FE3 FI4"])
    assert legal(game, "BO4") == {"BO4:L", "BO4:R"}


def test_the_space_is_refilled_with_the_top_card_of_the_pile() -> None:
    game = new_game(hands=["BO4 FE3 FI4"], display={"BO": "FI1"}, pile="SI1 SI2")
    assert game.play("BO4:L").refill == "SI1"
    assert card_at(game, "BO") == "SI1"
    assert game.view(None).pile_left == 32


def test_the_refilled_card_is_not_the_one_drawn() -> None:
    game = new_game(hands=["BO4 FE3 FI4", "BO5 RO4 RO5"], display={"BO": "FI1"}, pile="SI1 SI2")
    game.play("BO4:L")
    assert game.play("BO5:L").drawn == "SI1"
    assert card_at(game, "BO") == "SI2"


def test_a_question_mark_draws_the_card_of_any_city_the_own_one_included() -> None:
    game = game_at(hand="BO3")
    assert legal(game, "BO3:L") == {f"BO3:L+{city}" for city in CITIES}


def test_with_five_players_pistoias_card_can_be_drawn_too() -> None:
    game = game_at(hand="BO3", players=5)
    assert legal(game, "BO3:L") == {f"BO3:L+{city}" for city in [*CITIES, "PI"]}


@pytest.mark.parametrize("city", ["BO", "RO"])
def test_the_space_of_a_free_draw_is_refilled(city: str) -> None:
    game = game_at(hand="BO3", display={city: "FI1"})
    before = card_at(game, "SI")
    record = game.play(f"BO3:L+{city}")
    assert record.drawn == "FI1"
    assert record.refill is not None
    assert card_at(game, city) == record.refill
    assert card_at(game, "SI") == before


def test_where_no_card_lies_at_the_own_city_the_draw_is_free() -> None:
    game = game_at(hand="BO4", display={"FE": "FI1", "RO": "RO1"}, last_cards=True)
    assert legal(game, "BO4:L") == {"BO4:L+FE", "BO4:L+RO"}
    assert game.play("BO4:L+RO").drawn == "RO1"


def test_an_empty_pile_leaves_the_space_empty() -> None:
    game = game_at(hand="BO4", display={"BO": "FI1", "RO": "RO1"}, last_cards=True)
    assert game.play("BO4:L").refill is None
    assert card_at(game, "BO") is None
    assert card_at(game, "RO") == "RO1"


def test_a_free_draw_of_the_only_card_is_written_but_not_asked() -> None:
    game = game_at(hand="BO4", display={"FE": "FI1"}, last_cards=True)
    assert legal(game, "BO4:L") == {"BO4:L+FE"}
    assert game.decide(decision_code("BO4:L"))
    assert game.records[0].move.text == "BO4:L+FE"
    assert game.records[0].drawn == "FI1"


def test_a_question_mark_with_only_the_own_card_left_is_written_too() -> None:
    game = game_at(hand="BO3", display={"BO": "FI1"}, last_cards=True)
    assert legal(game, "BO3:L") == {"BO3:L+BO"}


@pytest.mark.parametrize("card", ["BO3", "BO4"])
def test_where_no_card_lies_anywhere_the_draw_is_skipped(card: str) -> None:
    game = game_at(hand=f"{card} FE3 FI4", last_cards=True)
    assert legal(game, f"{card}:L") == {f"{card}:L"}
    record = game.play(f"{card}:L")
    assert (record.drawn, record.refill) == (None, None)
    assert hand_of(game, 0) == {"FE3", "FI4"}


def test_drawing_is_not_optional() -> None:
    game = game_at(hand="BO3 FE3 FI4", display={"BO": "RO1"})
    assert all(move.draw for move in game.legal_moves if move.card == "BO3")
    game.play("FE3:L")
    assert len(hand_of(game, 0)) == 3


def test_the_space_of_a_completed_city_is_refilled() -> None:
    game = game_at({"FE": "01/01"}, "FE3", display={"FE": "VE1"})
    record = game.play("FE3:L")
    assert record.scored is not None
    assert record.drawn == "VE1"
    assert record.refill is not None
    assert card_at(game, "FE") == record.refill


def test_the_card_of_a_completed_city_is_reached_by_a_free_draw() -> None:
    game = game_at({"FE": "001/01"}, "BO3 BO4 BO5", display={"FE": "VE1"})
    assert "BO3:L+FE" in legal(game)
    record = game.play("BO3:L+FE")
    assert record.drawn == "VE1"
    assert card_at(game, "FE") == record.refill is not None


def test_draws_are_public() -> None:
    game = new_game(3, hands=["BO4 FE3 FI4"], display={"BO": "FI1"})
    game.play("BO4:L")
    for viewer in (1, 2, None):
        assert game.view(viewer).seats[0].hand == ("FI1",)
        assert game.view(viewer).seats[0].unknown == 2
