from typing import Any

import pytest

from patrizier import Deck, Options
from patrizier.rules.board import CITIES


def test_defaults() -> None:
    options = Options()
    assert options.players == 4
    assert options.rules == frozenset()
    assert options.deck.name == "classic"
    assert options.colours == ("black", "white", "red", "yellow")


def test_rules_are_written_in_one_order() -> None:
    rules = {"open-tokens", "open-ledger", "messenger-at-built-city", "messengers"}
    written = "messengers,messenger-at-built-city,open-ledger,open-tokens"
    assert Options(rules=rules).rules_text == written


@pytest.mark.parametrize(
    ("rules", "tokens", "piles"),
    [
        ((), False, False),
        (("open-tokens",), True, False),
        (("open-ledger",), True, True),
        (("open-ledger", "open-tokens"), True, True),
    ],
)
def test_the_open_ledger_includes_open_tokens(
    rules: tuple[str, ...], tokens: bool, piles: bool
) -> None:
    options = Options(rules=rules)
    assert (options.tokens_open, options.piles_open) == (tokens, piles)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"players": 1}, "the game is for 2 to 5"),
        ({"players": 6}, "the game is for 2 to 5"),
        ({"players": 2.0}, "the game is for 2 to 5"),
        ({"rules": ["chess"]}, "unknown rule 'chess'"),
        ({"rules": ["messenger-at-built-city"]}, "requires messengers"),
        ({"players": 2, "colours": ["black", "red"]}, "'red' is not a colour for 2 players"),
        ({"players": 3, "colours": ["black", "white"]}, "3 different colours"),
        ({"players": 2, "colours": ["black", "black"]}, "2 different colours"),
        ({"players": 4, "colours": ["black", "white", "red", "pink"]}, "'pink' is not a colour"),
    ],
)
def test_wrong_options_say_what(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Options(**wrong)


def test_one_text_is_not_a_set_of_rules() -> None:
    with pytest.raises(TypeError, match="a set of names"):
        Options(rules="messengers")


def test_four_players_take_any_four_colours() -> None:
    colours = ("blue", "black", "yellow", "red")
    assert Options(players=4, colours=colours).colours == colours


def test_five_players_need_pistoia() -> None:
    cards = {
        f"{city.code}{n}": Deck.classic()[f"{city.code}{n}"].text
        for city in CITIES
        if city.code != "PI"
        for n in range(1, city.cards + 1)
    }
    deck = Deck.of("small", cards)
    assert Options(players=4, deck=deck).deck == deck
    with pytest.raises(ValueError, match="no cards of Pistoia"):
        Options(players=5, deck=deck)
