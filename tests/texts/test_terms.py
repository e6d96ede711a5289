"""One word for one thing: terms that once went wrong stay out of every text that people see."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from patrizier.printing.texts import LANGUAGES, Language, texts
from patrizier.server.texts import words

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "web" / "src" / "texts"
TERMS = tomllib.loads((HERE / "terms.toml").read_text("utf-8"))


def shown(language: Language) -> Iterator[tuple[str, str]]:
    """All that people read in a language: the page, the printed sheets, and the server's words."""
    for file in sorted((PAGE / language).glob("*.json")):
        yield from json.loads(file.read_text("utf-8")).items()
    yield from texts(language).items()
    yield from words(language).items()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_wrong_term_comes_back(language: Language) -> None:
    found = [
        f"{key}: “{hit[0]}” (say: {term['right']})"
        for key, text in shown(language)
        for term in TERMS[language]
        if (hit := re.search(term["wrong"], text, re.IGNORECASE))
    ]
    assert not found


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Sie liegt an der Stadt: Nimm irgendeine Karte auf dem Brett."),
        ("nl", "Een stad die klaar is, wordt gewaardeerd."),
        ("nl", "de meeste etages van de hogere toren"),
        ("nl", "De stad is af en geteld."),
        ("de", "Wem das höhere gehört, führt."),
        ("it", "La città si valuta subito."),
        ("it", "Le torri sono alte uguali."),
        ("it", "Puoi mettere un messaggero."),
        ("en", "Who owns most floors of a tower takes its coin."),
    ],
)
def test_the_list_would_notice(language: Language, text: str) -> None:
    assert any(re.search(term["wrong"], text, re.IGNORECASE) for term in TERMS[language])
