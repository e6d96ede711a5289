"""What is in the box: cities, neighbours, cards."""

from collections import Counter

import pytest

from patrizier import Deck, DeckError
from patrizier.rules.board import CITIES, COLOURS, EDGES, cards_in_play, cities_in_play
from patrizier.rules.deck import NOBLES, most_floors

BOX = {
    "BO": ("Bologna", 9, 7, (9, 6)),
    "FE": ("Ferrara", 5, 4, (5, 2)),
    "FI": ("Firenze", 9, 7, (9, 6)),
    "LU": ("Lucca", 7, 5, (7, 4)),
    "MI": ("Milano", 7, 5, (7, 4)),
    "PA": ("Parma", 5, 4, (5, 2)),
    "PI": ("Pistoia", 9, 7, (9, 6)),
    "RO": ("Roma", 9, 7, (9, 6)),
    "SI": ("Siena", 7, 5, (7, 4)),
    "VE": ("Verona", 5, 4, (5, 2)),
}
CLASSIC = """
BO 2 2 ? L* B* K LL
FI 2 2 > B* K* L BB
RO 2 2 ? K* L* B KK
PI 2 2 > L* B* K LL
LU 2 2 > B* LL
SI 2 2 ? K* BB
MI 2 2 ? L* KK
FE 2 > L* B*
PA 2 ? B* K*
VE 2 > K* L*
"""


def classic_with(**changed: str) -> dict[str, str]:
    """Return the cards of the classic deck, some of them changed."""
    return {card: face.text for card, face in Deck.classic().faces} | changed


def test_ten_cities_with_capacities_cards_and_tokens() -> None:
    assert {c.code: (c.name, c.capacity, c.cards, c.tokens) for c in CITIES} == BOX


def test_capacities_are_odd_so_that_finished_towers_differ_in_height() -> None:
    assert all(city.capacity % 2 == 1 for city in CITIES)


def test_neighbours() -> None:
    drawn = "RO-SI SI-LU SI-BO LU-MI LU-FE MI-PA PA-VE VE-FE FE-BO BO-FI RO-PI PI-FI"
    assert {frozenset(edge.split("-")) for edge in EDGES} == {
        frozenset(edge.split("-")) for edge in drawn.split()
    }


def test_five_colours() -> None:
    assert COLOURS == ("black", "white", "red", "yellow", "blue")


@pytest.mark.parametrize(("players", "cities", "cards"), [(2, 9, 48), (4, 9, 48), (5, 10, 55)])
def test_pistoia_and_its_cards_are_for_five_players_only(
    players: int, cities: int, cards: int
) -> None:
    assert len(cities_in_play(players)) == cities
    assert len(cards_in_play(players)) == cards
    assert ("PI" in {card[:2] for card in cards_in_play(players)}) == (players == 5)


def test_the_classic_deck_card_by_card() -> None:
    table = {
        f"{line.split()[0]}{number}": face
        for line in CLASSIC.strip().splitlines()
        for number, face in enumerate(line.split()[1:], 1)
    }
    assert classic_with() == table


def test_the_classic_deck_without_pistoia_in_numbers() -> None:
    faces = [face for card, face in Deck.classic().faces if card[:2] != "PI"]
    heads, stars = Counter[str](), Counter[str]()
    for face in faces:
        if face.noble:
            heads[face.noble] += face.heads
            stars[face.noble] += face.star
    assert heads == dict.fromkeys(NOBLES, 10)
    assert stars == dict.fromkeys(NOBLES, 5)
    assert sum(face.crests == 2 for face in faces) == 15
    assert sum(face.free_draw for face in faces) == 5
    assert sum(face.special_action for face in faces) == 4


def test_star_cards_of_the_classic_deck_show_one_crest_and_one_portrait() -> None:
    stars = [face for _, face in Deck.classic().faces if face.star]
    assert len(stars) >= 15
    assert {(face.crests, face.heads) for face in stars} == {(1, 1)}


def test_the_crests_of_a_citys_cards_add_up_to_its_capacity() -> None:
    crests = Counter[str]()
    for card, face in Deck.classic().faces:
        crests[card[:2]] += face.crests
    assert crests == {city.code: city.capacity for city in CITIES}


def test_nobody_can_need_more_floors_than_the_supply() -> None:
    assert [most_floors(Deck.classic(), players) for players in (2, 3, 4, 5)] == [39, 29, 21, 19]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"BO8": "L"}, "BO8: there is no such card"),
        ({"BO6": "X"}, "BO6: 'X' is not a card face"),
        ({"BO6": "LB"}, "BO6: 'LB' is not a card face"),
        ({"BO6": "2"}, "crests add up to 10"),
        ({"BO1": "?"}, "crests add up to 8"),
        ({"BO4": "L", "BO5": "B", "FI4": "B", "FI5": "K"}, "11 star cards for 4 players"),
        ({"BO4": "L", "BO5": "B", "PI4": "L"}, "14 star cards for 5 players"),
        ({"BO1": "2*"}, "one player could need 30 floors, and has only 29"),
    ],
)
def test_a_loaded_deck_that_cannot_be_played_is_refused(
    changed: dict[str, str], message: str
) -> None:
    with pytest.raises(DeckError, match=message):
        Deck.of("mine", classic_with(**changed))


def test_a_missing_card_is_refused() -> None:
    cards = classic_with()
    del cards["SI3"]
    with pytest.raises(DeckError, match="SI3 is missing"):
        Deck.of("mine", cards)


def test_a_deck_without_pistoia_serves_up_to_four() -> None:
    cards = {card: face for card, face in classic_with().items() if card[:2] != "PI"}
    assert not Deck.of("mine", cards).has_pistoia
