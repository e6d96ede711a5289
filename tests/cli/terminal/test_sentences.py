"""Turns as sentences."""

import numpy as np
import pytest

from patrizier.cli.terminal.drawing.cast import Cast
from patrizier.cli.terminal.sentences import sentence
from patrizier.game import Game
from patrizier.move import Move
from patrizier.options import Options
from patrizier.record import Record, Scored

OPTIONS = Options(players=3, rules=("messengers",))
CAST = Cast.of(OPTIONS, ("Anna", "Ben", "Cleo"))


def told(
    text: str,
    drawn: str | None = None,
    scored: Scored | None = None,
    *,
    seat: int = 0,
    you: int | None = None,
) -> str:
    record = Record(1, seat, Move(text), drawn, None, scored)
    cast = Cast.of(OPTIONS, CAST.names, you)
    return sentence(record, cast, OPTIONS.deck)


@pytest.mark.parametrize(
    ("move", "drawn", "expected"),
    [
        ("RO6:L", None, "Anna builds in Roma (left)."),
        ("LU1:RR", None, "Anna builds two floors in Lucca (right)."),
        ("LU1:LR", None, "Anna builds two floors in Lucca (one on each tower)."),
        ("RO6:R", "BO7", "Anna builds in Roma (right); takes a Bologna card (two Ladies)."),
        ("RO6:R", "BO3", "Anna builds in Roma (right); takes a Bologna card (free draw)."),
        ("RO6:R", "SI1", "Anna builds in Roma (right); takes a Siena card (two floors)."),
        (
            "RO3:R+FE",
            "VE3",
            "Anna builds in Roma (right); takes a Verona card (a Knight and a star) from Ferrara.",
        ),
        (
            "LU3:L>MI.R",
            "FE2",
            "Anna builds in Lucca (left) and moves the top floor in Milano (right to left); "
            "takes a Ferrara card (move a floor).",
        ),
        (
            "BO4:L@MI-PA",
            "RO6",
            "Anna builds in Bologna (left); takes a Roma card (a Banker); "
            "lays a messenger between Milano and Parma.",
        ),
    ],
)
def test_turns(move: str, drawn: str | None, expected: str) -> None:
    assert told(move, drawn) == expected


@pytest.mark.parametrize(
    ("scored", "expected"),
    [
        (Scored("LU", 1, 0, 0), "Lucca is complete: Ben takes 7, Anna takes 4."),
        (
            Scored("LU", 1, 0, 2),
            "Lucca is complete: Ben takes 7 (+2 messenger), Anna takes 4 (+2 messenger).",
        ),
        (
            Scored("FE", 2, 2, 4),
            "Ferrara is complete: Cleo takes both 5 and 2 (+8 messengers).",
        ),
        (Scored("BO", 2, 2, 0), "Bologna is complete: Cleo takes both 9 and 6."),
    ],
)
def test_scored_cities(scored: Scored, expected: str) -> None:
    assert told(f"{scored.city}1:LL", scored=scored).endswith(f"(left). {expected}")


def test_the_reader_is_spoken_to() -> None:
    text = told("LU3:L>MI.R", "FE2", Scored("LU", 0, 1, 0), you=0)
    assert text == (
        "You build in Lucca (left) and move the top floor in Milano (right to left); "
        "take a Ferrara card (move a floor). Lucca is complete: you take 7, Ben takes 4."
    )
    assert told("BO4:L@MI-PA", you=0).endswith("; lay a messenger between Milano and Parma.")
    assert told("RO6:L", seat=1, you=0) == "Ben builds in Roma (left)."


def test_the_new_card_is_not_told() -> None:
    """The sentence is shown before the turn is confirmed."""
    rng = np.random.default_rng(1)
    game = Game(OPTIONS, seed=1)
    while not game.is_over:
        moves = game.legal_moves
        record = game.play(moves[rng.integers(len(moves))])
        other = Record(record.turn, record.seat, record.move, record.drawn, None, record.scored)
        assert sentence(record, CAST, OPTIONS.deck) == sentence(other, CAST, OPTIONS.deck)
