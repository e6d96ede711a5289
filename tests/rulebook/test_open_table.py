"""What is open: hands, tokens, piles, and the options open-ledger and open-tokens."""

from random import Random

import pytest

from patrizier import Game, Options
from rulebook.positions import game_at, new_game

pytestmark = pytest.mark.plain


def played_game(*rules: str) -> Game:
    """Return a game in which seat 0 has played two cards and won the higher token of Ferrara."""
    game = game_at(
        {"FE": "00/11"},
        "FE3 BO4 BO5",
        others=["RO4", "SI4"],
        rules={"messengers", *rules},
        messengers="FE-VE",
    )
    for move in ("FE3:L", "RO4:L", "SI4:L", "BO4:L"):
        game.play(move)
    return game


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_tokens_and_chips_of_others_lie_face_down(viewer: int | None) -> None:
    table = played_game().view(viewer).table
    assert table[0].tokens_won == 1
    assert table[0].tokens is None
    assert table[0].chips is None


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_of_other_piles_only_the_top_card_shows(viewer: int | None) -> None:
    table = played_game().view(viewer).table
    assert table[0].top == "BO4"
    assert table[0].pile_size == 2
    assert table[0].pile is None


def test_the_own_tokens_and_pile_may_be_looked_through() -> None:
    own = played_game().view(0).table[0]
    assert own.tokens == (5,)
    assert own.chips == 2
    assert own.pile == ("BO4", "FE3")


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_open_ledger_shows_everyones(viewer: int | None) -> None:
    table = played_game("open-ledger").view(viewer).table
    assert [seat.tokens for seat in table] == [(5,), (2,), ()]
    assert [seat.chips for seat in table] == [2, 2, 0]
    assert [seat.pile for seat in table] == [("BO4", "FE3"), ("RO4",), ("SI4",)]


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_open_tokens_shows_tokens_and_chips_but_no_pile(viewer: int | None) -> None:
    table = played_game("open-tokens").view(viewer).table
    assert [seat.tokens for seat in table] == [(5,), (2,), ()]
    assert [seat.chips for seat in table] == [2, 2, 0]
    own = {} if viewer is None else {viewer: table[viewer].pile}
    assert {seat.seat: seat.pile for seat in table if seat.pile is not None} == own
    assert [seat.top for seat in table] == ["BO4", "RO4", "SI4"]


def test_open_ledger_includes_open_tokens() -> None:
    both, ledger = played_game("open-ledger", "open-tokens"), played_game("open-ledger")
    assert both.view(None).table == ledger.view(None).table


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_in_the_end_everyones_tokens_chips_and_piles_lie_open(viewer: int | None) -> None:
    game = Game(Options(2, {"messengers"}), seed=1)
    rng = Random(1)
    while not game.is_over:
        game.play(rng.choice(game.legal_moves))
    outcome, view = game.outcome(), game.view(viewer)
    assert outcome is not None
    for seat, score in zip(view.table, outcome.scores, strict=True):
        assert seat.tokens is not None
        assert sum(seat.tokens) == score.tokens
        assert len(seat.tokens) == seat.tokens_won
        assert seat.chips == score.chips
        assert seat.pile == view.seats[seat.seat].pile


@pytest.mark.parametrize("rules", [(), ("open-ledger",), ("open-tokens",)])
def test_hands_are_hidden(rules: tuple[str, ...]) -> None:
    view = new_game(3, rules, hands=["BO4 FE3 FI4", "RO4 RO5 SI4"]).view(1)
    assert view.seats[1].hand == ("RO4", "RO5", "SI4")
    assert view.seats[0].hand == ()
    assert view.seats[0].unknown == 3
    assert {"BO4", "FE3", "FI4"} <= set(view.unseen)
    assert not {"RO4", "RO5", "SI4"} & set(view.unseen)


def test_supplies_hand_sizes_pile_and_messengers_are_open() -> None:
    game = new_game(4, {"messengers"}, hands=["BO4 FE3 FI4"])
    game.play("BO4:L@MI-PA")
    view = game.view(None)
    assert [seat.supply for seat in view.seats] == [20, 21, 21, 21]
    assert [len(seat.hand) + seat.unknown for seat in view.seats] == [3, 3, 3, 3]
    assert view.pile_left == 26
    assert view.messengers == ("MI-PA",)
    assert [seat.messengers_left for seat in view.seats] == [0, 1, 1, 1]


def test_only_the_seat_to_move_is_told_its_legal_turns() -> None:
    game = new_game(2)
    assert game.view(0).legal == tuple(game.legal_moves)
    assert game.view(1).legal == game.view(None).legal == ()
