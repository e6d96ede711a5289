"""What a step would bring, and the points so far, in the terminal's words."""

import pytest

from patrizier.cli.terminal.drawing.cast import Cast
from patrizier.cli.terminal.prospects import gain_text, prospects_text
from patrizier.cli.terminal.words import sums_text
from patrizier.options import Options
from patrizier.prospects import Answer, Gain, Prospects
from patrizier.sums import Sums

CAST = Cast.of(Options(3), ("Anna", "Ben", "Cleo"), you=0)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Prospects(), ""),
        (Prospects(takes={"LU4:L": ((1, 9), (0, 6))}), "Ben takes 9, you take 6"),
        (Prospects(takes={"LU4:R": ((1, 9),)}), ""),
        (
            Prospects(
                answers={
                    "LU4:L": (
                        Answer(1, "LU1", "L", 0),
                        Answer(1, "FI3", "L", 0),
                        Answer(2, "LU2", "", 7),
                    )
                }
            ),
            "Ben holds LU1, FI3; Cleo holds LU2",
        ),
    ],
)
def test_an_outlook_names_points_and_cards(found: Prospects, expected: str) -> None:
    assert prospects_text("LU4:L", found, CAST).plain == expected


@pytest.mark.parametrize(
    ("gain", "expected"),
    [
        (Gain("K", 3, 6, 3), "Your third Knight: 6 points."),
        (Gain("L", 1, 0, 2), "Your first Lady: 2 more for 6 points."),
        (Gain("B", 5, 0, 1), "Your 5th Banker: 1 more for 6 points."),
    ],
)
def test_portraits_are_counted(gain: Gain, expected: str) -> None:
    assert gain_text(gain) == expected


def test_sums_name_what_is_missing() -> None:
    nothing = Sums.of(0, 0, 0, {"L": 0, "B": 0, "K": 0})
    assert sums_text(nothing) == "0 points"
    some = Sums.of(9, 2, 0, {"L": 1, "B": 4, "K": 3})
    assert sums_text(some) == "23 points · 1 Lady, 2 short · 4 Bankers: 6, 2 short · 3 Knights: 6"
