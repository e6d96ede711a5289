"""Mails in the recipient's language."""

import pytest

from patrizier.printing.texts import LANGUAGES, Language
from patrizier.server.mail.message import address
from patrizier.server.mail.texts import Letter, confirm, your_turn
from patrizier.server.store.rows import Person

TABLE, STOP, LINK = "https://p.example/t/1", "https://p.example/stop", "https://p.example/yes"
LONGEST_LINE = 100


def person(language: str, name: str = "Anna {x} %s") -> Person:
    return Person("person-anna-0123456789", name, 0.0, 0.0, language=language)


def letters(language: str, name: str = "Anna {x} %s") -> tuple[Letter, Letter]:
    who = person(language, name)
    return your_turn(who, TABLE, STOP), confirm(who, LINK)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_names_the_person_and_has_the_links(language: Language) -> None:
    turn, question = letters(language)
    assert turn.text.count(TABLE) == turn.text.count(STOP) == question.text.count(LINK) == 1
    for letter in (turn, question):
        assert "Anna {x} %s" in letter.text
        assert letter.text.endswith("\n")
        assert letter.subject.startswith("Patrizier: ")
        assert max(map(len, letter.text.splitlines())) <= LONGEST_LINE
        message = address(letter, "turns@p.example", "a@b.org", 0.0)
        assert message["Content-Language"] == language
    assert turn.stop == STOP


def test_no_two_languages_say_the_same() -> None:
    for kind in (0, 1):
        assert len({letters(language)[kind].subject for language in LANGUAGES}) == len(LANGUAGES)
        assert len({letters(language)[kind].text for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("language", ["", "xx"])
def test_whose_language_is_not_known_gets_english(language: str) -> None:
    assert letters(language) == letters("en")


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "Guest 6031"), ("de", "Gast 6031"), ("nl", "Gast 6031"), ("it", "Ospite 6031")],
)
def test_guests_are_called_guests_in_their_own_language(language: Language, name: str) -> None:
    for letter in letters(language, "Guest 6031"):
        assert f" {name}," in letter.text
