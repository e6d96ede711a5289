"""Looking through piles at the terminal: the own one always, others where they lie open."""

import numpy as np
import pytest

from patrizier.cli.terminal.drawing.cast import Cast
from patrizier.cli.terminal.drawing.piles import piles
from patrizier.cli.terminal.words import card_text
from patrizier.game import Game
from patrizier.options import Options


def game_after(turns: int, *rules: str) -> Game:
    game, rng = Game(Options(3, rules), seed=2), np.random.default_rng(2)
    while game.turn < turns:
        game.play(game.legal_moves[rng.integers(len(game.legal_moves))])
    return game


def shown(game: Game, viewer: int | None) -> str:
    cast = Cast.of(game.options, ("Ann", "Bob", "Cleo"), viewer)
    found = [f"{heading}\n{cards}" for heading, cards in piles(game.view(viewer), cast)]
    return "\n".join(found)


def pile_text(game: Game, seat: int) -> str:
    cards = [record.move.card for record in reversed(game.records) if record.seat == seat]
    return " · ".join(card_text(card, game.options.deck) for card in cards)


@pytest.mark.parametrize("rules", [(), ("open-tokens",)])
def test_the_own_pile_is_shown_from_its_top_and_no_other(rules: tuple[str, ...]) -> None:
    game = game_after(22, *rules)
    text = shown(game, 0)
    assert pile_text(game, 0) in text
    assert text.startswith(f"Your pile: {len(game.view(0).seats[0].pile)} cards, ")
    assert "Bob" not in text
    assert "Cleo" not in text
    assert shown(game, None) == ""


def test_with_an_open_ledger_all_are_shown_the_own_one_first() -> None:
    game = game_after(22, "open-ledger")
    text = shown(game, 1)
    assert text.startswith("Your pile: ")
    assert text.index("Ann's pile: ") < text.index("Cleo's pile: ")
    for seat in range(3):
        assert pile_text(game, seat) in text


def test_before_the_first_card_there_is_nothing_to_look_through() -> None:
    assert shown(game_after(0), 0) == "Your pile\nno card yet"


def test_in_the_middle_of_a_turn_its_card_lies_on_top() -> None:
    game = game_after(6)
    assert game.seat is not None
    seat = game.seat
    while game.phase == "build":
        game.decide(game.legal_decisions()[0])
        if game.phase == "build":  # no decision was left in that turn
            seat = game.seat or 0
    pending = game.view(seat).pending
    assert pending is not None
    first = card_text(pending.move.card, game.options.deck)
    assert shown(game, seat).splitlines()[1].startswith(first)
