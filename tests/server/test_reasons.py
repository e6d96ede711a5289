"""Every reason has a sentence in every language, with no value in it that is not sent along."""

import json
import re
from pathlib import Path
from string import Formatter
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from patrizier import Deck
from patrizier.printing.texts import LANGUAGES
from patrizier.server.errors import Refused
from patrizier.server.http.refusals import reason_of
from patrizier.server.protocol.messages import RefusedMessage
from patrizier.server.reasons import Code, Reason, Values
from patrizier.server.table.setup import TableSetup

ROOT = Path(__file__).parents[2]
SOURCES = "\n".join(
    file.read_text("utf-8") for file in (ROOT / "src" / "patrizier" / "server").rglob("*.py")
)
SENT_ALONG = {Reason.UNREADABLE_RECORD: {"line", "why"}}  # more than the English text tells
CLASSIC = {card: face.text for card, face in Deck.classic().faces}


def page(language: str) -> dict[str, str]:
    file = ROOT / "web" / "src" / "texts" / language / "refusals.json"
    texts: dict[str, str] = json.loads(file.read_text("utf-8"))
    return texts


def in_page(text: str) -> set[str]:
    """The values in a text of the page, which are plain ones."""
    assert ", select" not in text
    return set(re.findall(r"\{(\w+)", text))


def in_english(reason: Reason) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(reason.text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_a_text_for_every_reason_and_no_other(language: str) -> None:
    assert set(page(language)) == {f"refused.{reason}" for reason in Reason}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", [each for each in Reason if not each.startswith("deck-")])
def test_a_text_speaks_only_of_what_is_sent_along(language: str, reason: Reason) -> None:
    known = SENT_ALONG.get(reason, set()) | in_english(reason)
    assert in_page(page(language)[f"refused.{reason}"]) <= known


def test_every_reason_is_given_somewhere() -> None:
    unused = [each.name for each in Reason if f"Reason.{each.name}" not in SOURCES]
    assert not unused


def test_what_is_refused_at_a_table_has_a_code_that_tables_know() -> None:
    named = re.findall(r"(?:Refused|TooMuch|BadName)\(Reason\.(\w+)", SOURCES)
    assert len(named) > 50
    assert {Reason[name].code for name in named} <= set(get_args(Code))


def test_a_refusal_says_its_reason_in_english_too() -> None:
    told = RefusedMessage.of(Refused(Reason.TURN_PASSED, meant=3, now=4))
    assert told.model_dump(mode="json")["reason"] == "turn-passed"
    assert told.values == {"meant": 3, "now": 4}
    assert (told.code, told.text) == (
        "stale",
        "This was meant for turn 3, and now it is turn 4.",
    )


def changed(**cards: str) -> dict[str, str]:
    return CLASSIC | cards


NO_STARS = {card: face.removesuffix("*") for card, face in CLASSIC.items()}
NO_PISTOIA = {card: face for card, face in CLASSIC.items() if card[:2] != "PI"}


@pytest.mark.parametrize(
    ("reason", "deck"),
    [
        (Reason.DECK_NO_CARD, {"cards": changed(XX1="2")}),
        (Reason.DECK_NO_FACE, {"cards": changed(BO1="Z")}),
        (Reason.DECK_NO_FACE, {"cards": changed(BO1="two crests")}),
        (Reason.DECK_NAME, {"name": 'a "deck"'}),
        (Reason.DECK_NAME, {"name": "x" * 61}),
        (Reason.DECK_NAME, {"name": ""}),
        (Reason.DECK_CLASSIC, {"name": "classic"}),
        (Reason.DECK_MISSING, {"cards": {c: f for c, f in CLASSIC.items() if c != "SI3"}}),
        (Reason.DECK_CRESTS, {"cards": changed(BO3="2")}),
        (Reason.DECK_STARS, {"cards": NO_STARS}),
        (Reason.DECK_FLOORS, {"cards": changed(BO1="2*", BO4="L")}),
        (Reason.DECK_PISTOIA, {"cards": NO_PISTOIA}),
    ],
)
def test_a_deck_that_cannot_be_played_has_a_reason_with_all_that_its_texts_need(
    reason: Reason, deck: dict[str, Any]
) -> None:
    with pytest.raises(ValidationError) as caught:
        TableSetup.model_validate({"players": 5, "deck": {"name": "mine", "cards": CLASSIC} | deck})
    found, values = reason_of(caught.value.errors(include_url=False))
    assert found is reason
    for language in LANGUAGES:
        text = page(language)[f"refused.{reason}"]
        assert in_page(text) <= set(values), language
    assert "{" not in english(found, values)


def test_all_decks_reasons_are_tried_above() -> None:
    tried = {
        f"Reason.{name}" for name in re.findall(r"\(Reason\.(DECK_\w+)", Path(__file__).read_text())
    }
    assert tried == {f"Reason.{each.name}" for each in Reason if each.startswith("deck-")}


def english(reason: Reason, values: Values) -> str:
    return reason.text.format(**values)
