import tomllib
from pathlib import Path

import pytest

from patrizier import Deck, DeckError
from patrizier.rules.board import CITIES
from patrizier.rules.deck import Face, face_of_byte, most_floors


def classic() -> dict[str, str]:
    return {card: face.text for card, face in Deck.classic().faces}


def without_pistoia() -> dict[str, str]:
    return {card: text for card, text in classic().items() if card[:2] != "PI"}


def test_classic_has_the_counts_of_the_rules() -> None:
    faces = [face for card, face in Deck.classic().faces if card[:2] != "PI"]
    assert len(Deck.classic().faces) == 55
    assert len(faces) == 48
    assert sum(face.crests == 2 for face in faces) == 15
    assert sum(face.free_draw for face in faces) == 5
    assert sum(face.special_action for face in faces) == 4
    for noble in "LBK":
        assert sum(face.heads for face in faces if face.noble == noble) == 10
        assert sum(face.star for face in faces if face.noble == noble) == 5


def test_crests_fill_every_city_exactly() -> None:
    deck = Deck.classic()
    for city in CITIES:
        crests = sum(face.crests for card, face in deck.faces if card[:2] == city.code)
        assert crests == city.capacity


def test_supplies_are_the_most_anybody_can_need() -> None:
    assert [most_floors(Deck.classic(), players) for players in (2, 3, 4, 5)] == [39, 29, 21, 19]


@pytest.mark.parametrize("text", ["2", "?", ">", "L", "B", "K", "LL", "BB", "KK"])
@pytest.mark.parametrize("star", ["", "*"])
def test_faces_round_trip_through_their_byte(text: str, star: str) -> None:
    assert face_of_byte(Face(text + star).byte) == text + star


@pytest.mark.parametrize("byte", [0, 3, 6, 16, 0b11110000, 0b01000001, 0b11000000])
def test_bytes_that_are_no_face(byte: int) -> None:
    with pytest.raises(DeckError):
        face_of_byte(byte)


def test_toml_round_trip(tmp_path: Path) -> None:
    deck = Deck.of("mine", {**classic(), "BO3": ">"})
    file = tmp_path / "deck.toml"
    file.write_text(deck.to_toml(), "utf-8")
    assert Deck.load(file) == deck
    assert tomllib.loads(deck.to_toml())["cards"]["BO"][2] == ">"


def test_a_file_without_a_name_is_named_after_the_file(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_text(Deck.classic().to_toml().replace('name = "classic"\n', ""), "utf-8")
    assert Deck.load(file).name == "box"


def test_without_pistoia_for_two_to_four_players() -> None:
    deck = Deck.of("small", without_pistoia())
    assert not deck.has_pistoia
    assert Deck.classic().has_pistoia


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"BO1": "3"}, "BO1: '3' is not a card face"),
        ({"BO1": "LB"}, "BO1: 'LB' is not a card face"),
        ({"BO1": "L"}, "BO1 to BO7: their crests add up to 8, and Bologna has room for exactly 9"),
        ({"VE2": "2"}, "VE1 to VE4: their crests add up to 6"),
        ({"BO8": "L"}, "BO8: there is no such card"),
        ({"BO4": "L", "BO5": "B", "FI4": "B", "FI5": "K"}, "11 star cards for 4 players"),
        ({"BO1": "2*", "BO2": "2*"}, "with 3 players one player could need 31 floors"),
    ],
)
def test_a_broken_deck_is_refused_with_card_and_rule(change: dict[str, str], message: str) -> None:
    with pytest.raises(DeckError, match=r"^" + message.replace("?", r"\?")):
        Deck.of("broken", {**classic(), **change})


def test_a_missing_card_is_named() -> None:
    cards = classic()
    del cards["SI3"]
    with pytest.raises(DeckError, match="SI3 is missing: Siena has 5 cards"):
        Deck.of("broken", cards)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "not a TOML file"),
        ("cards = 3", r"no \[cards\] table"),
        ('[cards]\nXX = ["2"]', "XX: there is no such city"),
        ('[cards]\nBO = ["2"]', "BO has 1 cards, and needs exactly 7"),
        ("[cards]\nBO = 2", "BO: write its cards as a list"),
        ("[cards]\nBO = [1, 2]", "BO: write its cards as a list"),
        ("name = 3\n[cards]", "`name` must be a text"),
        ("[deck]", "unknown entry 'deck'"),
        ('name = "a\\"b"\n[cards]', "name is plain printable text"),
    ],
)
def test_a_broken_file_is_refused(text: str, message: str) -> None:
    with pytest.raises(DeckError, match=message):
        Deck.from_toml(text)


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    file = tmp_path / "deck.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(DeckError, match="UTF-8"):
        Deck.load(file)
