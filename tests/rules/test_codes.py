import pytest

from patrizier.rules.codes import DECISIONS, NO_MOVE, decision_code, decision_text


def test_texts_and_codes_are_one_to_one() -> None:
    texts = [decision_text(code) for code in range(NO_MOVE) if code % 3 < 2]
    texts += [decision_text(code, crests=2) for code in range(NO_MOVE)]
    texts += [decision_text(code) for code in range(NO_MOVE, DECISIONS)]
    assert len(set(texts)) == len(texts)
    for text in texts:
        code = decision_code(text)
        crests = len(text.partition(":")[2]) or 1
        assert decision_text(code, crests) == text


@pytest.mark.parametrize("code", [-1, DECISIONS])
def test_codes_out_of_range(code: int) -> None:
    with pytest.raises(ValueError, match="is not a decision"):
        decision_text(code)


@pytest.mark.parametrize(
    "text", ["", "BO9:L", "BO1:RL", "BO1", ">XX.L", ">BO", "+", "+XX", "@BO-VE", "@PA-MI", "!"]
)
def test_texts_that_are_no_decision(text: str) -> None:
    with pytest.raises(ValueError, match="is not a decision"):
        decision_code(text)
