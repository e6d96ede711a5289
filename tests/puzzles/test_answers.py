"""What counts as one answer: mirror images do, and a messenger only where it is asked for."""

import pytest

from analysis.games import random_game
from patrizier.game import Game
from patrizier.move import Move
from patrizier.options import Options
from patrizier.puzzles.answers import accepted, answers_of, before_messenger


def test_at_an_empty_city_both_sites_are_one_answer() -> None:
    game = Game(Options(players=2), seed=1)
    view = game.view(game.seat)
    cards = {move.card for move in view.legal}
    assert len(answers_of(view)) == len(cards) < len(view.legal)
    card = sorted(cards)[0]
    assert accepted(view, Move(f"{card}:L")) == {f"{card}:L", f"{card}:R"}


def test_at_a_city_with_floors_they_are_two() -> None:
    view, move = next(
        (view, move)
        for seed in range(20)
        for view in [_after(seed, 10)]
        for move in view.legal
        if any(c.code == move.card[:2] and len(c.left) != len(c.right) for c in view.cities)
    )
    assert accepted(view, move) == {move.text}


@pytest.mark.parametrize("seed", range(4))
def test_every_legal_turn_belongs_to_exactly_one_answer(seed: int) -> None:
    view = _after(seed, 14, ("messengers",))
    texts = {before_messenger(view, move).text for move in view.legal}
    answers = [accepted(view, answer.move) for answer in answers_of(view)]
    assert sorted(text for each in answers for text in each) == sorted(texts)


def test_a_messenger_is_an_answer_only_where_it_is_asked_for() -> None:
    game = Game(Options(players=2, rules={"messengers"}), seed=1)
    move = next(m for m in game.legal_moves if m.messenger)
    plain = before_messenger(game.view(game.seat), move)
    assert (plain.messenger, plain.card) == (None, move.card)
    game.play_until(move, "messenger")
    asked = game.view(game.seat)
    assert before_messenger(asked, move) == move
    assert len(answers_of(asked)) == len(asked.legal)


def _after(seed: int, turns: int, rules: tuple[str, ...] = ()):  # type: ignore[no-untyped-def]
    game = random_game(3, seed, rules, turns=turns)
    return game.view(game.seat)
