"""Every reason has a text in every language, with only the values that are sent."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from patrizier import (
    Deck,
    Game,
    IllegalMove,
    InvalidMove,
    Move,
    Options,
    RecordError,
    read_games,
)
from patrizier.printing.texts import LANGUAGES
from patrizier.rules.board import CARDS, CODES, EDGES
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
BY_ENGINE = ("deck-", "rule-", "form-", "record-")  # reasons that the engine names
CLASSIC = {card: face.text for card, face in Deck.classic().faces}


@cache
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
@pytest.mark.parametrize("reason", [each for each in Reason if not each.startswith(BY_ENGINE)])
def test_a_text_speaks_only_of_what_is_sent_along(language: str, reason: Reason) -> None:
    known = SENT_ALONG.get(reason, set()) | in_english(reason)
    assert in_page(page(language)[f"refused.{reason}"]) <= known


def test_every_reason_is_given_somewhere() -> None:
    unused = [each for each in Reason if f"Reason.{each.name}" not in SOURCES]
    assert not [each.name for each in unused if not each.startswith(BY_ENGINE)]


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
        "This was meant for turn 3, but it is now turn 4.",
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
    check_texts(found, values)


def test_all_decks_reasons_are_tried_above() -> None:
    tried = {
        f"Reason.{name}" for name in re.findall(r"\(Reason\.(DECK_\w+)", Path(__file__).read_text())
    }
    assert tried == {f"Reason.{each.name}" for each in Reason if each.startswith("deck-")}


# -- turns and records


def test_what_the_rules_forbid_has_a_reason_with_all_that_its_texts_need() -> None:
    found = set()
    for refused in (*illegal_turns(), *turns_out_of_time()):
        found.add(refused.reason)
        assert refused.code == "illegal"
        check_texts(refused.reason, refused.values)
    unreached = {Reason.RULE_IMPOSSIBLE}  # what no rule forbids by name
    assert found == {each for each in Reason if each.startswith("rule-")} - unreached


def illegal_turns() -> Iterator[Refused]:
    """Change legal turns here and there, in all kinds of positions."""
    for seed, rules in enumerate([{"messengers"}, {"messengers"}, set[str]()] * 3):
        rng, game = Random(seed), Game(Options(2 + seed % 3, rules), seed=seed)
        while not game.is_over:
            legal = game.legal_moves
            for _ in range(20):
                move = changed_turn(rng.choice(legal), rng)
                if move in legal:
                    continue
                with pytest.raises(IllegalMove) as caught:
                    game.play(move)
                yield Refused.by_rules(caught.value)
            game.play(rng.choice(legal))


def changed_turn(move: Move, rng: Random) -> Move:
    def other(value: str | None, *values: str | None) -> str | None:
        return value if rng.random() < 0.7 else rng.choice(values)

    return Move.of(
        other(move.card, *CARDS) or "",
        other(move.sites, "L", "R", "LL", "LR", "RR") or "",
        moved=other(move.moved, None, *(f"{city}.{site}" for city in CODES for site in "LR")),
        draw=other(move.draw, None, *CODES),
        messenger=other(move.messenger, None, *EDGES, "-".join(sorted(rng.sample(CODES, 2)))),
    )


def turns_out_of_time() -> Iterator[Refused]:
    game = Game(Options(2, {"messengers"}), seed=1)
    first, *others = game.legal_moves
    game.decide(first.decision("build"))
    other = next(each for each in others if each.card != first.card)
    with pytest.raises(IllegalMove) as decided:
        game.play(other)
    yield Refused.by_rules(decided.value)
    while not game.is_over:
        game.play(game.legal_moves[0])
    with pytest.raises(IllegalMove) as over:
        game.play(first)
    yield Refused.by_rules(over.value)


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        (Reason.FORM_TURN, "BO1-L"),
        (Reason.FORM_CARD, "XX1:L"),
        (Reason.FORM_CITY, "BO1:L+XX"),
        (Reason.FORM_ORDER, "BO1:L@PA-MI"),
    ],
)
def test_a_turn_that_cannot_be_read(reason: Reason, text: str) -> None:
    with pytest.raises(InvalidMove) as caught:
        Move(text)
    refused = Refused.by_rules(caught.value)
    assert (refused.reason, refused.code) == (reason, "invalid")
    check_texts(reason, refused.values)


def test_an_error_without_a_rule_has_a_reason_too() -> None:
    with pytest.raises(IllegalMove) as caught:
        Game(Options(2), seed=1).decide(0)
    refused = Refused.by_rules(caught.value)
    assert (refused.reason, refused.text) == (Reason.ILLEGAL_TURN, str(caught.value))


RECORD = str(Game(Options(2), seed=7).record(["Anna", "Ben"]))
FIRST = Game(Options(2), seed=7).legal_moves[0].text
HAND = RECORD.partition('[Deal "')[2][:3]  # the first card dealt
NO_STAR = next(card for card in RECORD.rpartition("|")[2][:-4].split() if "*" not in CLASSIC[card])


@pytest.mark.parametrize(
    ("reason", "old", "new"),
    [
        (Reason.RECORD_BEGINNING, '[Game "Patrizier"]', "hello"),
        (Reason.RECORD_EMPTY, RECORD, ""),
        (Reason.RECORD_BLANK, "\n\n", f"\n1. {FIRST}"),
        (Reason.RECORD_FORM, '[Version "1"]', "[Version 1]"),
        (Reason.RECORD_TWICE, '[Version "1"]', '[Version "1"]\n[Version "1"]'),
        (Reason.RECORD_MISSING, '[Players "2"]\n', ""),
        (Reason.RECORD_VALUE, '[Version "1"]', '[Version "9"]'),
        (Reason.RECORD_VALUE, '[Players "2"]', '[Players "7"]'),
        (Reason.RECORD_VALUE, "Anna/Ben", "Anna"),
        (Reason.RECORD_VALUE, '[Rules ""]', '[Rules "chess"]'),
        (Reason.RECORD_VALUE, "black/white", "black/black"),
        (Reason.RECORD_VALUE, '[Deal "', '[Deal "|'),
        (Reason.RECORD_VALUE, '[Deck "classic"]', '[Deck "mine"]'),
        (Reason.DECK_NO_FACE, '[Deck "classic"]', '[Cards "BO1=Z"]'),
        (Reason.RECORD_DEAL_NO_CARD, f'"{HAND}', '"XX1'),
        (Reason.RECORD_DEAL_TWICE, f'"{HAND} ', f'"{RECORD.partition("|")[2][:3]} '),
        (Reason.RECORD_DEAL_MISSING, RECORD[RECORD.rindex("|") + 1 :][:4], ""),
        (Reason.RECORD_DEAL_NO_STAR, f'"{HAND} ', f'"{NO_STAR} '),
        (Reason.RECORD_BRACES, "\n\n", "\n\n{never closed"),
        (Reason.RECORD_RESULT, '[Result "*"]', '[Result "1/2"]'),
        (Reason.RECORD_UNFINISHED, '[Result "*"]', '[Winners "1"]'),
        (Reason.FORM_TURN, "\n\n", "\n\n1. nonsense"),
        (Reason.RULE_HAND, "\n\n", f"\n\n1. {NO_STAR}:L"),
    ],
)
def test_a_broken_record_has_a_reason_with_all_that_its_texts_need(
    reason: Reason, old: str, new: str
) -> None:
    assert old in RECORD
    text = RECORD.replace(old, new, 1)
    if reason is Reason.RECORD_DEAL_NO_STAR:  # the two change places
        text = text[: text.rindex("|")] + text[text.rindex("|") :].replace(NO_STAR, HAND)
    with pytest.raises(RecordError) as caught:
        read_games(text)
    assert caught.value.rule == reason
    check_texts(reason, caught.value.values | {"why": str(caught.value)})


def test_all_reasons_of_records_are_tried_above() -> None:
    tried = set(re.findall(r"\(Reason\.((?:RECORD|FORM)_\w+), ", Path(__file__).read_text("utf-8")))
    assert tried == {each.name for each in Reason if each.startswith(("record-", "form-"))}


def check_texts(reason: Reason, values: Values) -> None:
    """Check that every language can express a reason with the values that are sent along."""
    for language in LANGUAGES:
        assert in_page(page(language)[f"refused.{reason}"]) <= set(values), language
    assert "{" not in reason.text.format(**values)
