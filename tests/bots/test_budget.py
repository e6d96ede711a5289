import pytest

from patrizier.bots.budget import Budget


@pytest.mark.parametrize("text", ["100ms", "1.5s", "2000", "0.5ms", "1s"])
def test_texts_round_trip(text: str) -> None:
    assert str(Budget.parse(text)) == text


def test_units() -> None:
    assert Budget.parse("250ms").seconds == 0.25
    assert Budget.parse("2s").seconds == 2
    assert Budget.parse("2000") == Budget(iterations=2000)


@pytest.mark.parametrize("text", ["", "ms", "-1", "0", "0ms", "1.5", "10m", "1e9s", "9999999999"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(ValueError, match="budget"):
        Budget.parse(text)


def test_one_of_both() -> None:
    with pytest.raises(ValueError, match="a time or a number"):
        Budget()
    with pytest.raises(ValueError, match="a time or a number"):
        Budget(seconds=1, iterations=1)
