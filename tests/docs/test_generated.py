"""The generated reference pages are complete."""

import json
from pathlib import Path

import command_line
import generated
import http_api
import schema
import typer.main

from patrizier.batch import FLOATS, OBSERVATION, OBSERVATION_VERSION, describe
from patrizier.cli.main import app

DOCS = Path(__file__).parents[2] / "docs"
NAMES = schema.Names("it", "#/$defs/")


def test_every_command_and_every_option() -> None:
    text = command_line.describe()
    commands = dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    assert len(commands) > 10
    for group in [name for name, each in commands.items() if hasattr(each, "commands")]:
        for name, command in commands.pop(group).commands.items():
            commands[f"{group} {name}"] = command
    sections = dict(part.split("`", 1) for part in text.split("## `patrizier ")[1:])
    assert set(sections) == set(commands)
    assert "puzzles make" in sections
    for name, command in commands.items():
        for parameter in command.params:
            wanted = (
                parameter.opts
                if parameter.opts[0].startswith("-")
                else [parameter.help.split(" [")[0]]
            )
            for option in wanted:
                assert option in sections[name], (name, option)


def test_examples_of_commands_are_blocks_of_code() -> None:
    text = command_line.describe()
    assert "Example:" not in text
    assert "```sh\npatrizier replay game.ptr --step\n```" in text
    assert "```sh\npatrizier deck --toml > mine.toml\npatrizier deck mine.toml\n```" in text


def test_every_request_and_everything_that_travels() -> None:
    document = json.loads((DOCS / "openapi.json").read_text("utf-8"))
    text = http_api.describe(document)
    for path, item in document["paths"].items():
        for method in item:
            assert f"### `{method.upper()} {path}`" in text
    for name in document["components"]["schemas"]:
        assert (f"\n### {name}\n" in text) == ("ValidationError" not in name)
    assert "A client sends [Watch](#http-watch) or" in text


def test_every_field_of_a_view() -> None:
    document = json.loads((DOCS / "view.schema.json").read_text("utf-8"))
    text = generated.fill_in("before\n\n% generated: view\n")
    assert text.startswith("before\n\n(view-view)=\n## view\n")
    for definition in document["$defs"].values():
        for name, field in definition.get("properties", {}).items():
            assert f"| `{name}` |" in text
            assert schema.cell(field.get("description", "")) in text


def test_kinds_of_values() -> None:
    for it, told in (
        ({"$ref": "#/$defs/card_name"}, "[card_name](#it-card-name)"),
        ({"const": "play"}, '`"play"`'),
        ({"enum": [48, 55]}, "`48` or `55`"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"type": ["integer", "null"]}, "integer or null"),
        ({"type": "array", "items": {"type": "integer"}}, "list of integer"),
        ({"type": "object", "additionalProperties": {"type": "string"}},
         "object whose values are string"),
        ({}, "any value"),
    ):  # fmt: skip
        assert schema.kind(it, NAMES) == told
    assert schema.limits({"minimum": 0, "maximum": 4.0}) == " (at least 0, at most 4)"
    assert schema.limits({"pattern": "a|b"}) == " (like `a\\|b`)"


def test_fields_that_may_be_left_out() -> None:
    form = {
        "type": "object",
        "required": ["a"],
        "properties": {
            "a": {"type": "integer"},
            "b": {"type": "integer"},
            "c": {"type": "integer", "default": 3},
        },
    }
    rows = schema.describe({"form": form}, NAMES).splitlines()[-3:]
    assert rows == [
        "| `a` | integer |",
        "| `b` | integer; may be missing |",
        "| `c` | integer; `3` if left out |",
    ]


def test_every_field_of_an_observation() -> None:
    text = generated.fill_in("% generated: observation\n")
    rows = [line.split(" | ") for line in text.strip().splitlines()[2:]]
    assert len(rows) == len(describe())
    for row, place in zip(rows, describe(), strict=True):
        assert row[0] == f"| `{place.field.name}`"
        assert row[2] == f"{place.bytes.start}–{place.bytes.stop - 1}"
        assert row[4] == f"{place.floats.start}–{place.floats.stop - 1}"
        assert place.field.about in row[5]
    page = (DOCS / "observation.md").read_text("utf-8")
    assert f"({OBSERVATION_VERSION}, ({OBSERVATION.itemsize},), ({FLOATS},))" in page
