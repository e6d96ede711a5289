"""The server's own texts are complete in every language."""

from string import Formatter
from typing import get_args

import pytest

from patrizier.printing.texts import LANGUAGES, Language
from patrizier.server.table.setup import Rule
from patrizier.server.texts import words


def values(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_texts_with_the_same_values(language: Language) -> None:
    english = words("en")
    assert {name: values(text) for name, text in words(language).items()} == {
        name: values(text) for name, text in english.items()
    }
    assert all(text for text in words(language).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_apostrophes_are_those_of_printed_text(language: Language) -> None:
    assert not [name for name, text in words(language).items() if "'" in text]


@pytest.mark.parametrize("rule", get_args(Rule))
def test_every_rule_of_a_table_has_a_word_for_previews(rule: Rule) -> None:
    assert f"rule.{rule}" in words("en")
