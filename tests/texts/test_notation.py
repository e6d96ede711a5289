"""What texts say in the notation of records can be read: its cards, cities and pairs exist."""

import re

import pytest

from patrizier import Move
from patrizier.printing.texts import LANGUAGES, Language
from texts.test_terms import shown

# Parts of a turn, in the order in which they are written.
PART = re.compile(r"\b[A-Z]{2}\d:[LR]+|>[A-Z]{2}\.[LR]|\+[A-Z]{2}\b|@[A-Z]{2}-[A-Z]{2}\b")


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_of_turns_can_be_read(language: Language) -> None:
    examples = {key: found for key, text in shown(language) if (found := PART.findall(text))}
    assert len(examples["refused.form-turn"]) == 4
    for parts in examples.values():
        assert str(Move("".join(parts))) == "".join(parts)
