from pathlib import Path
from typing import get_args

import pytest

from patrizier.bots.levels import LEVELS
from patrizier.server.errors import BadName
from patrizier.server.names import BOT_NAMES, check_email, fold_login, guest_name, tidy_name
from patrizier.server.people.identity import new_person_id
from patrizier.server.table.setup import Level


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Anna", "Anna"),
        ("  Anna \n Maria\t", "Anna Maria"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("李 明", "李 明"),
        ("🦁 Leo", "🦁 Leo"),
        ("x" * 24, "x" * 24),
    ],
)
def test_names_are_tidied(given: str, shown: str) -> None:
    assert tidy_name(given) == shown


@pytest.mark.parametrize(
    "given",
    [
        "",
        "   ",
        "x" * 25,
        "x" * 100_000,
        "An\u202ena",
        "An\u200bna",
        "An\x00na",
        "Z\u0336\u0336\u0336",
    ],
)
def test_names_that_mislead_are_refused(given: str) -> None:
    with pytest.raises(BadName):
        tidy_name(given)


def test_logins_are_found_however_they_are_written() -> None:
    assert fold_login(" Anna_M ") == fold_login("ANNA_m") == "anna_m"
    assert fold_login("Straße") == fold_login("STRASSE")


@pytest.mark.parametrize("given", ["", "ab", "a b c", "x" * 25, "anna@home", "a\u202eb\u202ec"])
def test_strange_logins_are_refused(given: str) -> None:
    with pytest.raises(BadName):
        fold_login(given)


def test_email_addresses_look_like_some() -> None:
    assert check_email(" anna@post.example ") == "anna@post.example"
    for wrong in ("", "anna", "anna@", "a@b", "a@b.example\nBcc: c@d.example", "a b@c.example"):
        with pytest.raises(BadName):
            check_email(wrong)
    with pytest.raises(BadName):
        check_email("a@" + "b" * 300 + ".example")


def test_guests_have_a_name_at_once() -> None:
    person = new_person_id()
    assert guest_name(person) == guest_name(person)
    assert guest_name(person).startswith("Guest ")


def test_every_level_has_its_names() -> None:
    levels = [level.name for level in LEVELS]
    assert [*get_args(Level)] == [*BOT_NAMES] == levels
    names = [name for names in BOT_NAMES.values() for name in names]
    assert len(names) == len({*names}) == 5 * len(levels)


def test_bots_are_called_as_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "web/src/words/names.ts").read_text("utf-8")
    for level, names in BOT_NAMES.items():
        listed = ", ".join(f"'{name}'" for name in names)
        assert f"{level}: [{listed}]" in page
