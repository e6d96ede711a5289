import pytest

from patrizier import InvalidMove, Move


@pytest.mark.parametrize(
    "text", ["BO1:LL", "BO1:LR", "LU3:L>MI.R", "BO3:R+FI", "BO4:L@MI-PA", "LU3:L>MI.R+FE@BO-FI"]
)
def test_text_round_trips(text: str) -> None:
    move = Move(text)
    assert str(move) == text
    parts = {"moved": move.moved, "draw": move.draw, "messenger": move.messenger}
    assert Move.of(move.card, move.sites, **parts) == move


def test_moves_are_values() -> None:
    assert Move("BO1:LL") == Move("BO1:LL")
    assert len({Move("BO1:LL"), Move("BO1:LL"), Move("BO1:RR")}) == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not a turn"),
        ("BO1", "is not a turn"),
        ("BO1:RL", "is not a turn"),
        ("BO1:LL ", "is not a turn"),
        ("bo1:LL", "is not a turn"),
        ("BO1:LL+FI>MI.R", "is not a turn"),
        ("BO8:L", "there is no card BO8"),
        ("XX1:L", "there is no card XX1"),
        ("LU3:L>XX.R", "there is no city XX"),
        ("BO3:R+XX", "there is no city XX"),
        ("BO4:L@MI-XX", "there is no city XX"),
        ("BO4:L@PA-MI", "alphabetical order"),
        ("BO4:L@PA-PA", "alphabetical order"),
    ],
)
def test_unreadable_moves_say_why(text: str, reason: str) -> None:
    with pytest.raises(InvalidMove, match=reason):
        Move(text)
