"""A move that is not allowed: the message names the rule, and nothing changes."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from patrizier import Game, IllegalMove, InvalidMove, Move, StaleMove
from patrizier.rules.board import CARDS, CODES, EDGES
from patrizier.rules.codes import decision_code
from rulebook.positions import game_at, new_game

MESSENGERS = {"messengers"}
LAST = {"last_cards": True}

# position, move, what the message says
BROKEN: list[tuple[dict[str, Any], str, str]] = [
    (
        {"hand": "BO4 FE3 FI4"},
        "BO5:L",
        "BO5 is not in the hand of seat 1",
    ),
    ({"hand": "BO4"}, "BO4:LR", "BO4 builds one floor: write L or R"),
    ({"hand": "BO1"}, "BO1:L", "BO1 builds two floors: write LL, LR or RR"),
    (
        {"hand": "FE3", "towers": {"FE": "0101/"}},
        "FE3:L",
        "each tower needs a floor: the last one in Ferrara goes to the right site",
    ),
    (
        {"hand": "FE3", "towers": {"FE": "/0101"}},
        "FE3:R",
        "each tower needs a floor: the last one in Ferrara goes to the left site",
    ),
    (
        {"hand": "FE1", "towers": {"FE": "010/"}},
        "FE1:LL",
        "each tower needs a floor: the last one in Ferrara goes to the right site",
    ),
    ({"hand": "LU4", "towers": {"MI": "0/"}}, "LU4:L>MI.L", "LU4 does not show the special action"),
    (
        {"hand": "LU3", "towers": {"LU": "0/"}},
        "LU3:L>LU.L",
        "the special action may not touch Lucca, the city just built in",
    ),
    ({"hand": "LU3", "towers": {"MI": "1/2"}}, "LU3:L>MI.L", "you own no floor in Milano"),
    ({"hand": "LU3"}, "LU3:L>PI.L", "you own no floor in Pistoia"),
    (
        {"hand": "LU3", "towers": {"FE": "001/01"}},
        "LU3:L>FE.L",
        "Ferrara has already been scored",
    ),
    (
        {"hand": "LU3", "towers": {"MI": "0/"}},
        "LU3:L>MI.R",
        "there is no floor to move on that site of Milano",
    ),
    ({"hand": "BO3"}, "BO3:L", "BO3 shows ?: name the city to draw from, like +BO"),
    (
        {"hand": "BO4", "display": {"FE": "FI1", "RO": "RO1"}, **LAST},
        "BO4:L",
        "no card lies at Bologna: name the city to draw from, like +FE",
    ),
    (
        {"hand": "BO4", "display": {"FE": "FI1"}, **LAST},
        "BO4:L",
        "no card lies at Bologna: name the city to draw from, like +FE",
    ),
    ({"hand": "BO4", **LAST}, "BO4:L+BO", "no card lies face up, so none is drawn"),
    (
        {"hand": "BO4"},
        "BO4:L+FI",
        "the draw is not free: the card at Bologna is taken without writing it",
    ),
    (
        {"hand": "BO4"},
        "BO4:L+BO",
        "the draw is not free: the card at Bologna is taken without writing it",
    ),
    (
        {"hand": "BO3", "display": {"FE": "FI1", "RO": "RO1"}, **LAST},
        "BO3:L+BO",
        "no card lies at Bologna",
    ),
    ({"hand": "BO3"}, "BO3:L+PI", "no card lies at Pistoia"),
    ({"hand": "BO4"}, "BO4:L@MI-PA", "this game is played without messengers"),
    (
        {"hand": "BO6", "rules": MESSENGERS},
        "BO6:L@MI-PA",
        "BO6 has no star, and only star cards send a messenger",
    ),
    ({"hand": "BO4", "rules": MESSENGERS}, "BO4:L@FI-RO", "Firenze and Roma are not neighbours"),
    (
        {"hand": "BO4", "rules": MESSENGERS, "messengers": "MI-PA"},
        "BO4:L@MI-PA",
        "a messenger already lies between Milano and Parma",
    ),
    (
        {"hand": "BO4", "rules": MESSENGERS},
        "BO4:L@PI-RO",
        "Pistoia is in play with five players only",
    ),
    (
        {"hand": "BO4", "rules": MESSENGERS},
        "BO4:L@BO-FE",
        "a messenger may not lie at Bologna, the city just built in",
    ),
    (
        {"hand": "BO4", "rules": MESSENGERS, "messengers": "LU-MI LU-SI"},
        "BO4:L@FE-LU",
        "Lucca already has two messengers",
    ),
]


def refusal(game: Game, move: str) -> str:
    """Try an illegal move; return the message, and see that nothing has changed."""
    before = game.state
    with pytest.raises(IllegalMove) as caught:
        game.play(move)
    assert game.state == before
    assert game.turn == len(game.records)
    return str(caught.value)


@pytest.mark.plain
@pytest.mark.parametrize(("position", "move", "reason"), BROKEN, ids=[case[1] for case in BROKEN])
def test_the_message_names_the_broken_rule(
    position: dict[str, Any], move: str, reason: str
) -> None:
    assert refusal(game_at(**position), move) == f"{move}: {reason}"


def random_move(rng: Random, hand: Sequence[str]) -> Move:
    """Return a readable move that may well be illegal, most often with a card in hand."""
    cities, edges = [*CODES], [*EDGES, "FI-RO", "BO-MI"]
    return Move.of(
        rng.choice([*hand, *hand, *hand, *CARDS]),
        rng.choice(["L", "R", "LL", "LR", "RR"]),
        moved=rng.choice([None, None, f"{rng.choice(cities)}.{rng.choice('LR')}"]),
        draw=rng.choice([None, None, rng.choice(cities)]),
        messenger=rng.choice([None, None, rng.choice(edges)]),
    )


@pytest.mark.parametrize("rules", [set(), MESSENGERS, MESSENGERS | {"messenger-at-built-city"}])
@pytest.mark.parametrize("players", [2, 4, 5])
def test_every_illegal_move_is_told_its_rule(players: int, rules: set[str]) -> None:
    """Moves made up at random, all through a game: they are legal, or a rule is named."""
    rng = Random(players + len(rules))
    game, refused = new_game(players, rules), 0
    while not game.is_over:
        legal = set(game.legal_moves)
        hand = sorted({move.card for move in legal})
        for _ in range(8):
            move = random_move(rng, hand)
            if move not in legal:
                assert "this turn is not possible" not in refusal(game, move.text)
                refused += 1
        game.play(rng.choice(sorted(legal, key=str)))
    assert refused > 200


@pytest.mark.plain
def test_no_messenger_left() -> None:
    game = new_game(4, MESSENGERS, hands=["BO4 FE3 FI4"])
    game.play("BO4:L@MI-PA")
    for _ in range(3):
        game.play(game.legal_moves[0])
    assert refusal(game, "FE3:L@LU-SI") == "FE3:L@LU-SI: you have no messenger left"


def test_a_move_that_departs_from_what_has_been_decided_in_this_turn() -> None:
    game = new_game(2, MESSENGERS, hands=["BO4 FE3 FI4"])
    game.decide(decision_code("BO4:L"))
    reason = "this turn has already been decided differently"
    assert refusal(game, "BO4:R@MI-PA") == f"BO4:R@MI-PA: {reason}"
    assert refusal(game, "FE3:L") == f"FE3:L: {reason}"
    assert game.play("BO4:L@MI-PA").move.text == "BO4:L@MI-PA"


def test_a_move_for_an_older_position() -> None:
    game = new_game(2, hands=["BO4 FE3 FI4", "RO4 RO5 SI4"])
    game.play("BO4:L", turn=0)
    with pytest.raises(StaleMove, match="RO4:L was meant for turn 1, but this is turn 2"):
        game.play("RO4:L", turn=0)
    assert game.turn == 1


def test_a_decision_that_is_not_legal() -> None:
    game = new_game(2, hands=["BO4 FE3 FI4"])
    with pytest.raises(IllegalMove, match="decision 165 is not legal here"):
        game.decide(decision_code(">"))
    for code in (-1, 209, 10**6):
        with pytest.raises(IllegalMove, match="is not legal here"):
            game.decide(code)
    assert game.decisions == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not a turn"),
        ("BO4", "is not a turn"),
        ("BO4:", "is not a turn"),
        ("BO4:RL", "is not a turn"),
        ("bo4:L", "is not a turn"),
        ("BO4:L ", "is not a turn"),
        ("BO4:L+FI>MI.L", "is not a turn"),
        ("BO4:L>MI", "is not a turn"),
        ("BO9:L", "there is no card BO9"),
        ("LU3:L>XX.L", "there is no city XX"),
        ("BO3:L+XX", "there is no city XX"),
        ("BO4:L@PA-XX", "there is no city XX"),
        ("BO4:L@PA-MI", "write a messenger's cities in alphabetical order"),
        ("BO4:L@MI-MI", "write a messenger's cities in alphabetical order"),
    ],
)
def test_a_move_that_cannot_be_read(text: str, reason: str) -> None:
    with pytest.raises(InvalidMove, match=reason):
        new_game(2).play(text)
