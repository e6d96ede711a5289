"""Setting up: supplies, hands, pile, display, who starts, colours."""

from collections import Counter

import pytest

from patrizier import Deal, Deck, Game, Options
from rulebook.positions import deal_with, new_game

SEEDS = range(40)


@pytest.mark.parametrize(("players", "floors"), [(2, 39), (3, 29), (4, 21), (5, 21)])
def test_floors_of_each_player(players: int, floors: int) -> None:
    view = Game(Options(players), seed=1).view(None)
    assert [seat.supply for seat in view.seats] == [floors] * players


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everyone_is_dealt_three_star_cards(players: int) -> None:
    deck = Deck.classic()
    for seed in SEEDS:
        hands = Deal.random(Options(players), seed).hands
        assert [len(hand) for hand in hands] == [3] * players
        assert all(deck[card].star for hand in hands for card in hand)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_whole_deck_is_dealt_once(players: int) -> None:
    in_play = {card for card, _ in Deck.classic().faces if players == 5 or card[:2] != "PI"}
    for seed in SEEDS:
        deal = Deal.random(Options(players), seed)
        cards = [*(card for hand in deal.hands for card in hand), *deal.display, *deal.pile]
        assert len(cards) == len(in_play)
        assert set(cards) == in_play


def test_undealt_star_cards_are_shuffled_into_all_the_others() -> None:
    deals = [Deal.random(Options(2), seed) for seed in SEEDS]
    stars = {card for card, face in Deck.classic().faces if face.star}
    assert any(stars & set(deal.display) for deal in deals)
    assert any(stars & set(deal.pile[-5:]) for deal in deals)


def test_every_star_card_reaches_every_hand() -> None:
    deals = [Deal.random(Options(5), seed) for seed in range(400)]
    stars = {card for card, face in Deck.classic().faces if face.star}
    for seat in range(5):
        assert {card for deal in deals for card in deal.hands[seat]} == stars


@pytest.mark.parametrize(
    ("players", "cities", "pile"), [(2, 9, 33), (3, 9, 30), (4, 9, 27), (5, 10, 30)]
)
def test_one_card_lies_face_up_at_each_city(players: int, cities: int, pile: int) -> None:
    view = Game(Options(players), seed=1).view(None)
    assert len([city for city in view.cities if city.card]) == cities
    assert view.pile_left == pile


def test_a_face_up_card_may_name_any_city() -> None:
    names = Counter[bool]()
    for seed in SEEDS:
        for city in Game(Options(3), seed=seed).view(None).cities:
            names[city.card is not None and city.card[:2] == city.code] += 1
    assert names[False] > names[True] > 0


def test_pistoia_is_out_below_five_players() -> None:
    assert "PI" not in {city.code for city in Game(Options(4), seed=1).view(None).cities}


def test_pistoia_is_in_with_five_players() -> None:
    assert "PI" in {city.code for city in Game(Options(5), seed=1).view(None).cities}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_any_player_may_start(players: int) -> None:
    assert {Deal.random(Options(players), seed).start for seed in SEEDS} == set(range(players))


def test_play_goes_round_from_the_start_seat() -> None:
    game = new_game(4, start=2)
    seats = [game.play(game.legal_moves[0]).seat for _ in range(6)]
    assert seats == [2, 3, 0, 1, 2, 3]


def test_the_same_seed_deals_the_same_cards() -> None:
    assert Deal.random(Options(3), 11) == Deal.random(Options(3), 11)
    assert Deal.random(Options(3), 11) != Deal.random(Options(3), 12)


@pytest.mark.parametrize(
    ("players", "colours"),
    [
        (2, "black white"),
        (2, "white black"),
        (3, "red black white"),
        (4, "blue yellow red white"),
        (4, "black white red yellow"),
        (5, "black white red yellow blue"),
    ],
)
def test_colours_may_be_chosen(players: int, colours: str) -> None:
    options = Options(players, colours=colours.split())
    view = Game(options, seed=1).view(None)
    assert [seat.colour for seat in view.seats] == colours.split()


@pytest.mark.parametrize(
    ("players", "colours"),
    [
        (2, "black red"),  # there are not enough red floors
        (3, "black white yellow"),
        (4, "black white red green"),
        (4, "black white red red"),
        (4, "black white red"),
    ],
)
def test_colours_that_the_box_does_not_have(players: int, colours: str) -> None:
    with pytest.raises(ValueError, match="colour"):
        Options(players, colours=colours.split())


@pytest.mark.parametrize("players", [0, 1, 6])
def test_two_to_five_can_play(players: int) -> None:
    with pytest.raises(ValueError, match="the game is for 2 to 5"):
        Options(players)


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown rule 'mesengers'"):
        Options(3, {"mesengers"})


def test_messenger_at_built_city_needs_the_messengers() -> None:
    with pytest.raises(ValueError, match="requires messengers"):
        Options(3, {"messenger-at-built-city"})


def test_five_need_a_deck_with_pistoia() -> None:
    cards = {card: face.text for card, face in Deck.classic().faces if card[:2] != "PI"}
    with pytest.raises(ValueError, match="no cards of Pistoia"):
        Options(5, deck=Deck.of("small", cards))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("BO4", "BO6", "BO6 is dealt twice"),
        ("BO6", "PI6", "'PI6' is not a card of a game of 2"),
        ("BO6", "BO8", "'BO8' is not a card of a game of 2"),
        ("BO4 ", "", "the hand of seat 1 has 2 cards, not 3"),
        ("|", "/", "a deal has three parts"),
        ("/", " ", "the deal has 1 hands for 2 players"),
        (" VE2", "", "VE2 is missing"),
    ],
)
def test_a_wrong_deal_is_refused(old: str, new: str, message: str) -> None:
    options = Options(2)
    text = str(deal_with(options, ["BO4 BO5 FE3"], pile="VE1 VE2"))
    assert old in text
    with pytest.raises(ValueError, match=message):
        Game(options, deal=Deal.from_text(text.replace(old, new, 1)))


def test_hands_of_other_than_star_cards_are_refused() -> None:
    options = Options(2)
    with pytest.raises(ValueError, match="BO6 in the hand of seat 2 has no star"):
        Game(options, deal=deal_with(options, ["", "BO6"]))


def test_a_start_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="seat 4 cannot start a game of 3"):
        new_game(3, start=3)
