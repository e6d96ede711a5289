"""Writes the OpenAPI document and the page's `protocol.ts`, or checks that they are up to date.

`python -m patrizier.server.http.schema.typescript [--check]`, in the root of the repository.
"""

import json
import re
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

Schema = dict[str, Any]

OPENAPI = Path("docs/openapi.json")
VIEW = Path("docs/view.schema.json")
TYPES = Path("web/src/protocol.ts")

_HEAD = "// Written by `python -m patrizier.server.http.schema.typescript`. Do not edit.\n"
_WIDTH = 100
_LONGEST_TUPLE = 5
_OUTCOME, _RECORD = {"$ref": "#/$defs/outcome"}, {"$ref": "#/$defs/record"}
_SCORE = {"$ref": "#/$defs/score"}
_NONE = {"type": "null"}


def _two(name: str) -> Schema:
    """Return the schema of a pair."""
    items = {"$ref": f"#/$defs/{name}"}
    return {"type": "array", "items": items, "minItems": 2, "maxItems": 2}


_FROM_VIEW: dict[tuple[str, str], Schema] = {  # fields that hold parts of a view
    ("ResultInfo", "outcome"): _OUTCOME,
    ("TurnEntry", "record"): _RECORD,
    ("RoundAgo", "cities"): {"type": "array", "items": {"$ref": "#/$defs/city"}},
    ("RoundAgo", "messengers"): {"type": "array", "items": {"$ref": "#/$defs/pair"}},
    ("Replay", "outcome"): {"anyOf": [_OUTCOME, _NONE]},
    ("Replay", "scores"): {"type": "array", "items": {"type": "array", "items": _SCORE}},
    ("Replay", "turns"): {"type": "array", "items": _RECORD},
    ("LessonAnswer", "record"): {"anyOf": [_RECORD, _NONE]},
    ("LineAnswer", "record"): {"anyOf": [_RECORD, _NONE]},
    ("LineAnswer", "scores"): {"type": "array", "items": _SCORE},
    ("LineAnswer", "outcome"): {"anyOf": [_OUTCOME, _NONE]},
    ("PuzzlePosition", "scores"): {"type": "array", "items": _SCORE},
    ("Standing", "tallies"): _two("tally"),
    ("Standing", "winners"): {"anyOf": [_two("seat_number"), _NONE]},
}
_WORDS = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def type_name(ref: str) -> str:
    """Return the TypeScript name of a schema, given by name or reference.

    >>> type_name("#/components/schemas/Seat-Input"), type_name("#/$defs/table_seat")
    ('SeatInput', 'ViewTableSeat')
    """
    name = "".join(word[:1].upper() + word[1:] for word in re.split(r"\W|_", ref.split("/")[-1]))
    in_view = ref.startswith("#/$defs/") and not name.startswith("View")
    return f"View{name}" if in_view else name


class Types:
    """Writes schemas as types, by name where they have one."""

    def __init__(
        self, aliases: dict[str, Schema] | None = None, filled: Collection[str] = ()
    ) -> None:
        self._filled: Collection[str] = ()
        self._names: dict[str, str] = {}  # of types that schemas write inline
        for name, schema in (aliases or {}).items():
            self._names[self.text(schema)] = name
        self._filled = filled  # types with defaults, of which all fields are sent

    def text(self, schema: Schema | bool, indent: str = "") -> str:
        """Return a schema as a TypeScript type.

        >>> Types().text({"type": "array", "items": {"enum": ["L", "R", None]}})
        '("L" | "R" | null)[]'
        """
        text = self._text(schema, indent)
        return self._names.get(text, text)

    def declaration(self, name: str, schema: Schema) -> str:
        """Return the declaration of one named schema."""
        text = f"\n{_comment(schema)}export "
        if schema.get("type") == "object" and "properties" in schema:
            return f"{text}interface {name} {self._object(schema, '')}\n"
        body = self._text(schema, "")
        if len(body) + len(name) > _WIDTH - 20 and " | " in body and "{" not in body:
            body = "".join(f"\n  | {part}" for part in body.split(" | "))
            return f"{text}type {name} ={body};\n"
        return f"{text}type {name} = {body};\n"

    def _text(self, schema: Schema | bool, indent: str) -> str:
        if isinstance(schema, bool):
            return "unknown" if schema else "never"
        if "$ref" in schema:
            name = type_name(schema["$ref"])
            return f"Required<{name}>" if name in self._filled else name
        if "const" in schema:
            return json.dumps(schema["const"])
        if "enum" in schema:
            return " | ".join(json.dumps(value) for value in schema["enum"])
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return _union(self.text(part, indent) for part in schema[key])
        if "x-prefix" in schema:
            return f"`{schema['x-prefix']}${{string}}`"
        kind = schema.get("type")
        if isinstance(kind, list):
            return _union(self.text({**schema, "type": word}, indent) for word in kind)
        if kind == "array":
            return self._array(schema, indent)
        if kind == "object":
            return self._object(schema, indent)
        return _WORDS.get(kind or "", "unknown")

    def _array(self, schema: Schema, indent: str) -> str:
        if "prefixItems" in schema:
            return f"[{', '.join(self.text(item, indent) for item in schema['prefixItems'])}]"
        item = self.text(schema.get("items", True), indent)
        item = f"({item})" if " | " in item else item
        length = schema.get("minItems")
        if length and length == schema.get("maxItems") and length <= _LONGEST_TUPLE:
            return f"[{', '.join([item] * length)}]"
        return f"{item}[]"

    def _object(self, schema: Schema, indent: str) -> str:
        if "properties" in schema:
            return "{\n" + self._fields(schema, indent + "  ") + indent + "}"
        values = [*schema.get("patternProperties", {}).values()]
        if not values:
            values = [schema.get("additionalProperties", True)]
        value = _union(self.text(value, indent) for value in values)
        names = schema.get("propertyNames", {})
        if "enum" in names:  # all keys are optional
            return f"Partial<Record<{self.text(names, indent)}, {value}>>"
        return f"Record<string, {value}>"

    def _fields(self, schema: Schema, indent: str) -> str:
        required = set(schema.get("required", ()))
        lines = ""
        for name, field in schema["properties"].items():
            # The discriminator of a union is always present.
            mark = "" if name in required or "const" in field else "?"
            text = self.text(field, indent)
            lines += f"{_comment(field, indent)}{indent}{name}{mark}: {text};\n"
        return lines


def _union(texts: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(texts))


def _comment(schema: Schema | bool, indent: str = "") -> str:
    text = "" if isinstance(schema, bool) else schema.get("description", "")
    text = " ".join(text.split()).replace("*/", "* /")
    return f"{indent}/** {text} */\n" if text else ""


def types_file(openapi: Schema, view: Schema, aliases: dict[str, Schema]) -> str:
    """Return all types of the protocol: of messages and of views."""
    schemas = {
        type_name(name): schema
        for name, schema in openapi["components"]["schemas"].items()
        if not name.endswith("ValidationError")
    }
    for name, schema in view["$defs"].items():
        own = type_name(f"#/$defs/{name}")
        if own in schemas and not schemas[own].get("x-view"):
            raise ValueError(f"two types are called {own}")
        text = view["description"] if name == "view" else schema.get("description", "")
        schemas[own] = {**schema, "description": text}
    for (name, field), part in _FROM_VIEW.items():
        if name in schemas:
            schemas[name]["properties"][field] = part
    sent = _sent(openapi, schemas)
    # The server sends all fields; a client may omit those with a default.
    filled = [name for name in sent if _has_defaults(schemas[name])]
    from_clients, from_server = Types(aliases), Types(aliases, filled)
    text = _HEAD
    for name, schema in sorted({**aliases, **schemas}.items()):
        if name in schemas and name not in sent:
            text += from_server.declaration(name, _all_required(schema))
        else:
            text += from_clients.declaration(name, schema)
    return text


def _sent(openapi: Schema, schemas: dict[str, Schema]) -> set[str]:
    """Return the names of the types that clients send."""
    items = [*openapi.get("paths", {}).values(), *openapi.get("webhooks", {}).values()]
    bodies = [call.get("requestBody") for item in items for call in item.values()]
    found: set[str] = set()
    waiting = _refs(bodies)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting |= _refs(schemas[name])
    return found


def _refs(part: Any) -> set[str]:
    if isinstance(part, dict):
        own = {type_name(part["$ref"])} if isinstance(part.get("$ref"), str) else set()
        return own.union(*(_refs(each) for each in part.values()))
    return set().union(*(_refs(each) for each in part)) if isinstance(part, list) else set()


def _has_defaults(schema: Schema) -> bool:
    fields = schema.get("properties", {})
    required = set(schema.get("required", ()))
    return any(name not in required and "const" not in field for name, field in fields.items())


def _all_required(schema: Schema) -> Schema:
    if (
        "properties" not in schema or "x-sparse" in schema
    ):  # sparse: what does not apply is left out
        return schema
    return {**schema, "required": list(schema["properties"])}


def constants() -> str:
    """Return the constants of the rules that a page needs before there is a view."""
    from typing import get_args

    from patrizier.options import colours_for
    from patrizier.rules.board import CITIES, CODES, EDGES
    from patrizier.rules.score import SET_SIZE
    from patrizier.server.table.setup import Level

    cities = {
        city.code: {"floors": city.capacity, "cards": city.cards, "tokens": city.tokens}
        for city in CITIES
    }
    colours = {str(players): list(colours_for(players)) for players in range(2, 6)}
    return (
        "\n/** The colours available, by number of players. */\n"
        f"export const COLOURS_FOR: Readonly<Record<number, readonly Colour[]>> = "
        f"{json.dumps(colours)};\n"
        "\n/** The levels of bots, the weakest first. */\n"
        f"export const LEVELS: readonly Level[] = {json.dumps(get_args(Level))};\n"
        "\n/** Portraits of one noble in a set. */\n"
        f"export const SET_SIZE = {SET_SIZE};\n"
        "\n/** Every city: its floors when complete, its order cards, its tokens. */\n"
        "export const BOARD: Readonly<Record<ViewCityCode, "
        "{ floors: number; cards: number; tokens: readonly [number, number] }>> = "
        f"{json.dumps(cities)};\n"
        "\n/** The codes of all cities, in alphabetical order. */\n"
        f"export const CITY_CODES: readonly ViewCityCode[] = {json.dumps(CODES)};\n"
        "\n/** The roads: pairs of neighbouring cities. */\n"
        f"export const ROADS: readonly ViewPair[] = {json.dumps(EDGES)};\n"
    )


def type_aliases() -> dict[str, Schema]:
    """Return the protocol's named unions and literals."""
    from pydantic import TypeAdapter

    from patrizier import why
    from patrizier.server.protocol import messages as protocol
    from patrizier.server.table import commands, setup

    named = {
        commands: ("Command", "Code"),
        protocol: (
            "Avatar",
            "ClientMessage",
            "LessonName",
            "LogEntry",
            "ReasonKind",
            "ServerMessage",
            "Verdict",
            "WhyNot",
        ),
        setup: (
            "By",
            "Colour",
            "GuestBotName",
            "Level",
            "BotName",
            "Pace",
            "Phase",
            "Role",
            "Room",
            "Rule",
            "Watch",
            "Why",
        ),
        why: ("Bar",),
    }
    aliases = {}
    for module, names in named.items():
        for name in names:
            adapter: TypeAdapter[Any] = TypeAdapter(getattr(module, name))
            schema = adapter.json_schema(ref_template="#/components/schemas/{model}")
            schema.pop("$defs", None)
            aliases["WatchBy" if name == "Watch" else name] = schema
    return aliases


def documents() -> dict[Path, str]:
    """Return the generated files."""
    from pydantic import SecretStr

    from patrizier.server.http.app import create_app
    from patrizier.server.settings import Settings

    openapi = create_app(Settings(secret=SecretStr("x" * 32))).openapi()
    view = json.loads(VIEW.read_text(encoding="utf-8"))
    return {
        OPENAPI: json.dumps(openapi, indent=2, ensure_ascii=False) + "\n",
        TYPES: types_file(openapi, view, type_aliases()) + constants(),
    }


def outdated() -> list[Path]:
    """Return the generated files that are out of date."""
    return [
        file
        for file, text in documents().items()
        if not file.exists() or file.read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str]) -> int:
    """Write the files; with `--check`, only say which are out of date."""
    if arguments == ["--check"]:
        old = outdated()
        for file in old:
            print(f"{file} is out of date: run python -m patrizier.server.http.schema.typescript")
        return 1 if old else 0
    for file, text in documents().items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        print(f"wrote {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
