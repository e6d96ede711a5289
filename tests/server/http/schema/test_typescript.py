import os
from pathlib import Path

import pytest

from patrizier.server.http.schema import typescript
from patrizier.server.http.schema.typescript import Types, types_file

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "string"}, "string"),
        ({"type": "integer"}, "number"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"const": "play"}, '"play"'),
        ({"enum": [5, 7, None]}, "5 | 7 | null"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "number | null"),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, "number"),
        ({"$ref": "#/components/schemas/TableSetup-Input"}, "TableSetupInput"),
        ({"$ref": "#/$defs/view"}, "View"),
        ({"type": "array", "items": {"type": "string"}}, "string[]"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
        (
            {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
            "[number, number]",
        ),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"const": 1}]}, "[number, 1]"),
        ({"type": "object"}, "Record<string, unknown>"),
        (
            {"type": "object", "additionalProperties": {"type": "string"}},
            "Record<string, string>",
        ),
        ({"type": "object", "patternProperties": {"x": {"const": 1}}}, "Record<string, 1>"),
        (
            {
                "type": "object",
                "propertyNames": {"enum": ["a", "b"]},
                "additionalProperties": {"type": "integer"},
            },
            'Partial<Record<"a" | "b", number>>',
        ),
        ({}, "unknown"),
        (True, "unknown"),
    ],
)
def test_schemas_become_types(schema: typescript.Schema | bool, text: str) -> None:
    assert Types().text(schema) == text


def test_objects_become_interfaces_with_comments() -> None:
    schema = {
        "type": "object",
        "description": "One\n  seat */.",
        "required": ["seat"],
        "properties": {
            "seat": {"type": "integer", "description": "Its number."},
            "name": {"type": "string"},
        },
    }
    assert Types().declaration("Seat", schema) == (
        "\n/** One seat * /. */\nexport interface Seat {\n"
        "  /** Its number. */\n  seat: number;\n  name?: string;\n}\n"
    )


def test_unions_that_have_a_name_are_called_by_it() -> None:
    types = Types({"Site": {"enum": ["L", "R"]}})
    assert types.text({"type": "array", "items": {"enum": ["L", "R"]}}) == "Site[]"
    assert types.text({"anyOf": [{"enum": ["L", "R"]}, {"type": "null"}]}) == "Site | null"


def test_the_server_leaves_nothing_out_and_clients_may() -> None:
    def form(*others: str) -> typescript.Schema:
        fields: typescript.Schema = {"kind": {"const": "x"}, "text": {"type": "string"}}
        fields |= {name: {"$ref": f"#/components/schemas/{name}"} for name in others}
        return {"type": "object", "properties": fields}

    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Sent"}}}}
    openapi = {
        "paths": {"/": {"post": {"requestBody": body}}},
        "components": {"schemas": {"Sent": form(), "Told": form("Sent")}},
    }
    text = types_file(openapi, {"$defs": {}}, {})
    assert 'interface Sent {\n  kind: "x";\n  text?: string;\n}' in text
    assert 'interface Told {\n  kind: "x";\n  text: string;\n  Sent: Required<Sent>;\n}' in text


def test_two_types_of_one_name_are_noticed() -> None:
    openapi = {"components": {"schemas": {"View": {"type": "string"}}}}
    view = {"description": "", "$defs": {"view": {"type": "object"}}}
    with pytest.raises(ValueError, match="View"):
        types_file(openapi, view, {})


def test_the_documents_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for name in [name for name in os.environ if name.startswith("PATRIZIER_")]:
        monkeypatch.delenv(name)
    assert typescript.outdated() == [], "run python -m patrizier.server.http.schema.typescript"


def test_the_check_says_what_is_old(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / typescript.VIEW).write_bytes((ROOT / typescript.VIEW).read_bytes())
    monkeypatch.chdir(tmp_path)
    assert typescript.main(["--check"]) == 1
    assert "docs/openapi.json is out of date" in capsys.readouterr().out
    assert typescript.main([]) == 0
    assert typescript.main(["--check"]) == 0
    (tmp_path / typescript.TYPES).write_text("old", encoding="utf-8")
    assert typescript.main(["--check"]) == 1


def test_rules_that_the_page_needs_early_come_from_the_engine() -> None:
    text = typescript.constants()
    assert '"3": ["black", "white", "red"]' in text
    assert "SET_SIZE = 3;" in text
    assert 'CITY_CODES: readonly ViewCityCode[] = ["BO", "FE"' in text
    assert 'ROADS: readonly ViewPair[] = ["BO-FE", "BO-FI"' in text
