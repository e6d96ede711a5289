"""A turn, step 3: the special action."""

import pytest

from patrizier.rules.codes import decision_code
from rulebook.positions import game_at, legal, towers

pytestmark = pytest.mark.plain


def moves(game_towers: dict[str, str], card: str = "LU3") -> set[str]:
    """Return the towers whose top floor seat 0 may move after building on the left."""
    game = game_at(game_towers, card)
    return {text.partition(">")[2] for text in legal(game, f"{card}:L")} - {""}


@pytest.mark.parametrize("top", ["0", "1", "2"])
def test_the_top_floor_of_any_colour_moves_to_the_other_site(top: str) -> None:
    game = game_at({"MI": f"10{top}/2"}, "LU3")
    game.play("LU3:L>MI.L")
    assert towers(game, "MI") == f"10/2{top}"


def test_only_the_top_floor_moves() -> None:
    game = game_at({"MI": "012/0"}, "LU3")
    game.play("LU3:L>MI.R")
    assert towers(game, "MI") == "0120/"


def test_either_tower_of_the_city_may_give_its_top() -> None:
    assert moves({"MI": "01/2"}) == {"MI.L", "MI.R"}


def test_an_empty_site_has_nothing_to_move() -> None:
    assert moves({"MI": "01/"}) == {"MI.L"}


def test_not_in_the_city_just_built_in() -> None:
    assert moves({"LU": "00/1", "MI": "0/"}) == {"MI.L"}


def test_only_where_one_owns_a_floor() -> None:
    assert moves({"MI": "12/1", "PA": "20/1"}) == {"PA.L", "PA.R"}


def test_a_buried_floor_in_the_other_tower_is_enough() -> None:
    assert moves({"MI": "1/021"}) == {"MI.L", "MI.R"}


def test_not_in_a_scored_city() -> None:
    assert moves({"FE": "001/12", "PA": "001/1"}) == {"PA.L", "PA.R"}


def test_it_may_be_declined() -> None:
    game = game_at({"MI": "01/2"}, "LU3")
    game.play("LU3:L")
    assert towers(game, "MI") == "01/2"


def test_declining_is_a_decision_of_its_own() -> None:
    game = game_at({"MI": "01/2"}, "LU3")
    game.decide(decision_code("LU3:L"))
    assert game.phase == "move"
    assert {game.state.decision_text(code) for code in game.legal_decisions()} == {
        ">",
        ">MI.L",
        ">MI.R",
    }
    game.decide(decision_code(">"))
    assert game.turn == 1


def test_where_no_move_is_possible_nothing_is_asked() -> None:
    game = game_at({"MI": "12/1"}, "LU3")
    assert game.decide(decision_code("LU3:L"))
    assert game.turn == 1


def test_only_cards_with_the_symbol_move() -> None:
    game = game_at({"MI": "01/2"}, "LU3 LU4 BO3")
    assert {text[:3] for text in legal(game) if ">" in text} == {"LU3"}


def test_a_lone_floor_may_be_moved_across() -> None:
    game = game_at({"MI": "0/"}, "LU3")
    game.play("LU3:L>MI.L")
    assert towers(game, "MI") == "/0"


def test_a_site_may_become_empty() -> None:
    game = game_at({"MI": "1/00"}, "LU3")
    game.play("LU3:L>MI.L")
    assert towers(game, "MI") == "/001"


def test_what_another_player_just_moved_may_be_moved_back() -> None:
    game = game_at({"MI": "01/1"}, "LU3", others=["FI3"])
    game.play("LU3:L>MI.R")
    assert towers(game, "MI") == "011/"
    game.play("FI3:L>MI.L")
    assert towers(game, "MI") == "01/1"


def test_moving_takes_nothing_from_a_supply() -> None:
    game = game_at({"MI": "01/2"}, "LU3")
    before = [seat.supply for seat in game.view(None).seats]
    game.play("LU3:L>MI.L")
    after = [seat.supply for seat in game.view(None).seats]
    assert after == [before[0] - 1, before[1], before[2]]


def test_moving_scores_nothing() -> None:
    game = game_at({"FE": "01/01"}, "LU3")
    assert game.play("LU3:L>FE.L").scored is None


def test_the_worked_example() -> None:
    """Red (seat 0) builds in Lucca; black is seat 1, white seat 2. The page draws these towers."""
    game = game_at({"LU": "01/2", "PA": "12/1", "MI": "221/00"}, "LU3")
    assert legal(game, "LU3:L") == {"LU3:L", "LU3:L>MI.L", "LU3:L>MI.R"}
    before = {city.name: city for city in game.view(None).cities}
    assert (before["Milano"].taller, before["Milano"].leaders) == ("L", (2, 0))
    game.play("LU3:L>MI.L")
    cities = {city.name: city for city in game.view(None).cities}
    milano, lucca, parma = cities["Milano"], cities["Lucca"], cities["Parma"]
    assert (milano.left, milano.right) == ((2, 2), (0, 0, 1))
    assert (milano.taller, milano.leaders) == ("R", (2, 0))
    assert (lucca.left, lucca.right) == ((0, 1, 0), (2,))
    assert (lucca.taller, lucca.leaders) == ("L", (0, 2))
    assert (parma.taller, parma.leaders) == ("L", (2, 1))
