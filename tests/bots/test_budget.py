import pytest

from patrizier.bots.budget import Budget


@pytest.mark.parametrize(
    "text",
    [
        *("100ms", "1.5s", "2000", "0.5ms", "1s", "1s*4", "2000*2", "5ms*16"),
        *("123.4567ms", "0.0001ms", "1234.5678901s", "999.9999999ms", "3600s", "10s"),
    ],
)
def test_texts_round_trip(text: str) -> None:
    budget = Budget.parse(text)
    assert str(budget) == text
    assert Budget.parse(str(budget)) == budget


@pytest.mark.parametrize(
    ("text", "short"), [("1000ms", "1s"), ("0.25s*3", "250ms*3"), ("7*1", "7")]
)
def test_other_ways_to_write_it(text: str, short: str) -> None:
    assert str(Budget.parse(text)) == short
    assert Budget.parse(text) == Budget.parse(short)


@pytest.mark.parametrize("seconds", [1 / 3, 0.1 + 0.2, 1e-7, 2 / 3 * 1000, 0.0123456789, 1, 60])
def test_every_time_has_an_exact_text(seconds: float) -> None:
    budget = Budget(seconds=seconds)
    assert Budget.parse(str(budget)) == budget


def test_units() -> None:
    assert Budget.parse("250ms").seconds == 0.25
    assert Budget.parse("2s").seconds == 2
    assert Budget.parse("2000") == Budget(iterations=2000)


def test_cores() -> None:
    assert Budget.parse("1s*4") == Budget(seconds=1, cores=4)
    assert Budget.parse("2000*2") == Budget(iterations=2000, cores=2)
    assert Budget.parse("10ms*256").cores == 256
    assert Budget.parse("10ms").cores == Budget(iterations=1).cores == 1


@pytest.mark.parametrize("text", ["", "ms", "-1", "0", "0ms", "1.5", "10m", "1e9s", "9999999999"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(ValueError, match="budget"):
        Budget.parse(text)


@pytest.mark.parametrize(
    "text", ["1s*", "*2", "1s*0", "1s*257", "1s*1000", "1s*-1", "1s*2.5", "1s*2s", "1.5*2", "1s* 2"]
)
def test_what_is_no_number_of_cores(text: str) -> None:
    with pytest.raises(ValueError, match="budget"):
        Budget.parse(text)


def test_too_few_and_too_many_cores_are_named() -> None:
    with pytest.raises(ValueError, match="on 0 cores: from 1 to 256"):
        Budget(seconds=1, cores=0)
    with pytest.raises(ValueError, match="on 257 cores: from 1 to 256"):
        Budget.parse("100*257")


def test_one_of_both() -> None:
    with pytest.raises(ValueError, match="a time or a number"):
        Budget()
    with pytest.raises(ValueError, match="a time or a number"):
        Budget(seconds=1, iterations=1)
    with pytest.raises(ValueError, match="a time or a number"):
        Budget(cores=2)
