import re
from collections.abc import Iterator, Mapping

import pytest

from patrizier.printing import messengers, reference
from patrizier.printing.drawing import Drawing
from patrizier.printing.fonts import font_files
from patrizier.printing.paper import PAPERS
from patrizier.printing.texts import LANGUAGES, Language, numbered, texts

SAME_IN_ALL = {"points.messengers_each"}  # no language needs to repeat a number


class Noting(Mapping[str, str]):
    """Texts that note which of them are used."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = words
        self.used: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.used.add(name)
        return self._words[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts(language: Language) -> None:
    words = texts(language)
    assert set(words) == set(texts("en"))
    assert all(text.strip() == text and text for text in words.values())
    assert all(text.count("**") % 2 == 0 for text in words.values())
    if language != "en":
        same = {name for name, text in words.items() if text == texts("en")[name]}
        assert not same


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_agree_between_languages(language: Language) -> None:
    for name, text in texts(language).items():
        if name not in SAME_IN_ALL:
            numbers = re.findall(r"−?\d+", text)
            assert numbers == re.findall(r"−?\d+", texts("en")[name]), name


def test_every_text_is_used() -> None:
    words = Noting(texts("en"))
    with font_files() as fonts:
        drawing = Drawing(PAPERS["a4"], fonts, "", "en")
        messengers.draw(drawing, words)
        reference.draw(drawing, words)
        drawing.bytes()
    assert words.used == set(words)


def test_there_are_five_steps() -> None:
    for language in LANGUAGES:
        assert len(numbered(texts(language), "turn.step")) == 5
