"""The JSON form of a view, its schema and its page in the documentation agree."""

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from patrizier import Game, Options
from support.kinds import RULES, STARRY

DOCS = Path(__file__).parent.parent / "docs"


@cache
def schema() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((DOCS / "view.schema.json").read_text("utf-8"))
    return data


@cache
def validator() -> Any:
    """Return a validator of the schema with its references filled in, which is much faster."""
    return Draft202012Validator(filled_in(schema()))


def filled_in(part: Any) -> Any:
    if isinstance(part, list):
        return [filled_in(item) for item in part]
    if not isinstance(part, dict):
        return part
    whole = {key: filled_in(value) for key, value in part.items() if key not in ("$ref", "$defs")}
    if "$ref" in part:
        whole = filled_in(schema()["$defs"][part["$ref"].removeprefix("#/$defs/")]) | whole
    return whole


def is_valid(data: Any) -> bool:
    return bool(validator().is_valid(data))


def objects(part: Any) -> Iterator[dict[str, Any]]:
    """Give every schema of an object."""
    if isinstance(part, dict):
        if part.get("type") == "object":
            yield part
        for value in part.values():
            yield from objects(value)
    elif isinstance(part, list):
        for value in part:
            yield from objects(value)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema())
    assert schema()["$schema"] == Draft202012Validator.META_SCHEMA["$id"]


def test_every_field_is_described_and_none_is_forgotten() -> None:
    found = list(objects(schema()))
    assert len(found) >= 10
    for part in found:
        assert part["additionalProperties"] is False
        fields = part.get("properties", {}) | part.get("patternProperties", {})
        assert fields
        assert list(part.get("properties", {})) == part.get("required", [])
        for name, field in fields.items():
            assert field.get("description", "").endswith("."), name


def test_fields_stand_in_the_order_of_the_view() -> None:
    data = Game(Options(2), seed=1).view(0).to_json()
    parts = schema()["$defs"]
    assert list(parts["view"]["properties"]) == list(data)
    assert list(parts["city"]["properties"]) == list(data["cities"][0])
    assert list(parts["seat"]["properties"]) == list(data["seats"][0])
    assert list(parts["table_seat"]["properties"]) == list(data["table"][0])


def json_form(game: Game, viewer: int | None, *, history: bool = False) -> Any:
    """Return the view as a client gets it: through text."""
    view = game.view(viewer) if history else game.state.view(viewer)
    return json.loads(json.dumps(view.to_json()))


@pytest.mark.parametrize(("players", "rules"), [*product((2, 3, 4, 5), RULES)])
def test_real_views_are_valid(players: int, rules: tuple[str, ...]) -> None:
    game = Game(Options(players, rules, STARRY if len(rules) == 1 else None), seed=players)
    rng, viewers = Random(1), [*range(players), None]
    for number in range(300):
        validator().validate(json_form(game, viewers[number % len(viewers)]))
        if game.is_over:
            break
        game.decide(rng.choice(game.legal_decisions()))
    for viewer in viewers:
        validator().validate(json_form(game, viewer, history=viewer == 0))
    assert game.is_over


def test_the_schema_as_it_is_written_says_the_same() -> None:
    as_written, rng = Draft202012Validator(schema()), Random(2)
    game = Game(Options(3, RULES[2]), seed=1)
    while not game.is_over:
        if game.turn % 12 == 1:
            data = json_form(game, game.seat, history=True)
            as_written.validate(data)
            data["cities"][0]["card"] = "BO8"
            assert not as_written.is_valid(data)
            assert not is_valid(data)
        game.decide(rng.choice(game.legal_decisions()))


@cache
def rich_views() -> list[str]:
    """Return two views that together show everything: one in mid-turn, one at the end."""
    game, rng = Game(Options(3, RULES[2]), seed=1), Random(4)
    views: list[str] = []
    while not game.is_over:
        data = json_form(game, game.seat, history=True)
        if not views and data["pending"] and data["messengers"] and data["pending"]["scored"]:
            views.append(json.dumps(data))
        game.decide(rng.choice(game.legal_decisions()))
    return [*views, json.dumps(json_form(game, 0, history=True))]


def inner_objects(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the way to one object of each kind inside a view."""
    if isinstance(data, dict):
        yield path
        for key, value in data.items():
            yield from inner_objects(value, (*path, key))
    elif isinstance(data, list) and data:
        yield from inner_objects(data[-1], (*path, len(data) - 1))


def test_fields_can_neither_be_missing_nor_added() -> None:
    kinds = set()
    for text in rich_views():
        whole = json.loads(text)
        assert is_valid(whole)
        for path in inner_objects(whole):
            kinds.add(tuple(key for key in path if isinstance(key, str)))
            for field in ("", *whole) if not path else ("",):
                data = copy.deepcopy(whole)
                part = data
                for key in path:
                    part = part[key]
                if field:
                    del part[field]
                    assert not is_valid(data), field
                    continue
                if part:
                    first = next(iter(part))
                    value = part.pop(first)
                    few_cards = path == ("deck", "cards") and len(part) >= 48
                    may_lack = few_cards or path == ("bonuses",)
                    assert is_valid(data) == may_lack, (path, first)
                    part[first] = value
                part["extra"] = 0
                assert not is_valid(data), path
    assert kinds == {
        (),
        ("deck",),
        ("deck", "cards"),
        ("cities",),
        ("bonuses",),
        ("seats",),
        ("seats", "heads"),
        ("table",),
        ("sums",),
        ("sums", "portraits"),
        ("pending",),
        ("pending", "scored"),
        ("history",),
        ("history", "scored"),
        ("outcome",),
        ("outcome", "scores"),
    }


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("version", 2),
        ("rules_version", "1"),
        ("players", 6),
        ("players", None),
        ("rules", ["messenger"]),
        ("rules", "messengers"),
        ("rules", ["open-ledger", "open-ledger"]),
        ("rules", ["open-piles"]),
        ("colours", ["black", "green", "red"]),
        ("deck.name", ""),
        ("deck.cards.BO1", "3"),
        ("deck.cards.BO8", "2"),
        ("viewer", -1),
        ("viewer", "0"),
        ("start", None),
        ("turn", 56),
        ("turn", 1.5),
        ("seat", 5),
        ("phase", "done"),
        ("pending", {}),
        ("cities", []),
        ("cities.0.code", "BOL"),
        ("cities.0.capacity", 8),
        ("cities.0.left", [0] * 9),
        ("cities.0.left", [None]),
        ("cities.0.right", [5]),
        ("cities.0.leaders", [0]),
        ("cities.0.tallies", [[], [[0]]]),
        ("cities.0.tallies", [[[0, 1]]]),
        ("cities.0.taller", "left"),
        ("cities.0.card", "BO8"),
        ("cities.0.card", "BO1 "),
        ("cities.0.messengers", 3),
        ("cities.0.winners", [0, None]),
        ("messengers", ["PA-MI"]),
        ("bonuses", {"BO": 3}),
        ("bonuses", {"XX": 2}),
        ("seats.0.colour", "Black"),
        ("seats.0.supply", -1),
        ("seats.0.hand", ["BO1", "BO2", "BO3", "BO4"]),
        ("seats.0.hand", ["BO1", "BO1"]),
        ("seats.0.unknown", 4),
        ("seats.0.heads.L", "1"),
        ("seats.0.tokens", [8]),
        ("seats.0.chips", 1),
        ("table.0.tokens_won", None),
        ("table.0.pile", ["XX1"]),
        ("sums", {}),
        ("sums.minus", 3),
        ("sums.portraits.0.missing", 0),
        ("pile_left", 34),
        ("unseen", ["FE5"]),
        ("legal", ["BO1"]),
        ("legal", ["BO1:LL+"]),
        ("legal", None),
        ("history.0.turn", 0),
        ("history.0.move", "BO1:LLL"),
        (
            "history.0.scored",
            {"city": "BO", "taller": 0, "lower": 0, "tokens": [9, 6], "chips": 3},
        ),
        (
            "history.0.scored",
            {"city": "BO", "taller": 0, "lower": 0, "tokens": [9], "chips": 2},
        ),
        ("outcome", []),
        ("outcome.winners", []),
        ("outcome.tie_break", None),
        ("outcome.scores.0.minus", 3),
    ],
)
def test_wrong_values_are_not_valid(path: str, value: object) -> None:
    data = json.loads(rich_views()[1])
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    part = data
    for key in way:
        part = part[key]
    part[last] = value
    assert not is_valid(data)


# -- the page in the documentation


def example_game() -> Game:
    """Return the game that the page shows: three players, messengers, after 22 turns."""
    game, rng = Game(Options(3, {"messengers"}), seed=18), Random(18)
    while game.turn < 22:
        game.play(rng.choice(game.legal_moves))
    return game


def shown(data: Any, example: Any) -> bool:
    """Whether an example is part of the data: it may leave out keys, and the end of lists."""
    if isinstance(example, dict) and isinstance(data, dict):
        return all(key in data and shown(data[key], value) for key, value in example.items())
    return bool(data == example)


def test_the_examples_of_the_page_are_real() -> None:
    page = (DOCS / "view.md").read_text("utf-8")
    game = example_game()
    data = json_form(game, game.seat, history=True)
    top, city, seat, table, sums, record = map(
        json.loads, re.findall("```json\n(.*?)```", page, re.DOTALL)
    )
    assert shown(data, top)
    assert city in data["cities"]
    assert seat in data["seats"]
    assert table in data["table"]
    assert sums == data["sums"]
    assert record in data["history"]


def test_the_page_names_every_field() -> None:
    page = (DOCS / "view.md").read_text("utf-8")
    for part in objects(schema()):
        for name in part.get("properties", {}):
            assert f"`{name}`" in page or f'"{name}"' in page, name
