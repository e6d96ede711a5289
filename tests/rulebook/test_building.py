"""A turn, steps 1 and 2: playing a card and building."""

import pytest

from rulebook.positions import game_at, hand_of, legal, new_game, towers

pytestmark = pytest.mark.plain


def sites(towers_before: str, card: str, city: str = "FE") -> str:
    """Return the ways to lay the floors of a card."""
    game = game_at({city: towers_before}, card)
    return " ".join(sorted(text.split(":")[1] for text in legal(game, f"{card}:")))


def test_the_card_played_leaves_the_hand_for_the_own_pile() -> None:
    game = new_game(hands=["BO4 FE3 FI4"])
    game.play("FE3:L")
    view = game.view(0)
    assert "FE3" not in hand_of(game, 0)
    assert view.seats[0].pile == ("FE3",)
    assert view.seats[0].top == "FE3"
    assert view.seats[1].pile == ()


def test_the_last_card_played_lies_on_top() -> None:
    game = new_game(hands=["FE3 BO4 FI4", "RO4 RO5 SI4"])
    for move in ("FI4:L", "RO4:L", "BO4:L"):
        game.play(move)
    assert game.view(None).seats[0].top == "BO4"
    assert set(game.view(None).seats[0].pile) == {"FI4", "BO4"}


def test_only_cards_in_the_own_hand_are_played() -> None:
    game = new_game(hands=["BO4 FE3 FI4", "RO4 RO5 SI4"])
    assert {text.split(":")[0] for text in legal(game)} == {"BO4", "FE3", "FI4"}


@pytest.mark.parametrize(("site", "after"), [("L", "0/"), ("R", "/0")])
def test_a_floor_goes_on_either_site_of_the_cards_city(site: str, after: str) -> None:
    game = new_game(hands=["BO4 FE3 FI4"])
    game.play(f"FI4:{site}")
    assert towers(game, "FI") == after


def test_a_floor_goes_on_top_of_whatever_stands_there_whoever_built_it() -> None:
    game = game_at({"FI": "12/2"}, "FI4")
    game.play("FI4:L")
    assert towers(game, "FI") == "120/2"


@pytest.mark.parametrize(("way", "after"), [("LL", "100/2"), ("LR", "10/20"), ("RR", "1/200")])
def test_two_crests_build_both_on_one_tower_or_one_on_each(way: str, after: str) -> None:
    game = game_at({"FI": "1/2"}, "FI1")
    game.play(f"FI1:{way}")
    assert towers(game, "FI") == after


def test_floors_come_from_the_own_supply() -> None:
    game = game_at(hand="FI1", others=["BO4"])
    game.play("FI1:LR")
    game.play("BO4:L")
    assert [seat.supply for seat in game.view(None).seats] == [27, 28, 29]


@pytest.mark.parametrize(
    ("before", "ways"),
    [
        ("/", "L R"),
        ("01/", "L R"),
        ("010/", "L R"),  # two missing: the next one is the last
        ("0101/", "R"),
        ("/0101", "L"),
        ("010/1", "L R"),
        ("1/010", "L R"),
    ],
)
def test_the_last_floor_must_go_to_an_empty_site(before: str, ways: str) -> None:
    assert sites(before, "FE3") == ways


@pytest.mark.parametrize(
    ("before", "ways"),
    [
        ("/", "LL LR RR"),
        ("01/", "LL LR RR"),  # three missing: another card brings the last floor
        ("/01", "LL LR RR"),
        ("010/", "LR RR"),
        ("/010", "LL LR"),
        ("01/0", "LL LR RR"),
        ("0/01", "LL LR RR"),
    ],
)
def test_two_last_floors_leave_no_site_empty(before: str, ways: str) -> None:
    assert sites(before, "FE1") == ways


@pytest.mark.parametrize(
    ("before", "way", "after"),
    [("010/", "LR", "0100/0"), ("010/", "RR", "010/00"), ("/010", "LL", "00/010")],
)
def test_two_last_floors_one_on_each_or_both_on_the_empty_site(
    before: str, way: str, after: str
) -> None:
    game = game_at({"FE": before}, "FE1")
    game.play(f"FE1:{way}")
    assert towers(game, "FE") == after


def test_a_site_emptied_by_a_special_action_is_filled_last() -> None:
    game = game_at({"FE": "012/0"}, "LU3 BO4 BO5", others=["FE3 RO4 RO5"])
    game.play("LU3:L>FE.R")
    assert towers(game, "FE") == "0120/"
    assert legal(game, "FE3") == {"FE3:R"}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_card_can_always_be_played(players: int) -> None:
    game = new_game(players)
    while not game.is_over:
        moves = game.legal_moves
        assert {move.card for move in moves} == hand_of(game, game.turn % players)
        game.play(moves[0])
