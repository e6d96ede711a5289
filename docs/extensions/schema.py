"""JSON schemas as Markdown: a section for every definition, a row for every field."""

import json
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

_LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} entries",
    "maxItems": "at most {} entries",
}


@dataclass(frozen=True)
class Names:
    """Names and links of definitions on a page."""

    prefix: str  # of their anchors
    pointer: str  # of references in the document

    def anchor(self, name: str) -> str:
        """Return a definition's anchor."""
        return f"{self.prefix}-{name.lower().replace('_', '-')}"

    def link(self, reference: str) -> str:
        """Return a link to a referenced definition."""
        name = reference.removeprefix(self.pointer)
        return f"[{name}](#{self.anchor(name)})"


def describe(definitions: dict[str, Json], names: Names, level: int = 2) -> str:
    """Return a section for every definition."""
    return "\n\n".join(
        _section(name, definitions[name], names, "#" * level) for name in definitions
    )


def _section(name: str, definition: Json, names: Names, mark: str) -> str:
    parts = [f"({names.anchor(name)})=\n{mark} {name}"]
    if "description" in definition:
        parts.append(" ".join(definition["description"].split()))
    fields = definition.get("properties", {})
    if fields:
        required = definition.get("required", ())
        described = any("description" in field for field in fields.values())
        parts.append(_table(fields, required, names, described))
    else:
        plain = {key: value for key, value in definition.items() if key != "description"}
        parts.append(kind(plain, names) + limits(plain))
    return "\n\n".join(part for part in parts if part)


def _table(fields: dict[str, Json], required: Any, names: Names, described: bool) -> str:
    head = ["field", "what it is"] + (["meaning"] if described else [])
    rows = [head, ["---"] * len(head)]
    for name, field in fields.items():
        told = kind(field, names) + limits(field)
        if "default" in field and "const" not in field:
            told += f"; `{_json(field['default'])}` if left out"
        elif name not in required:
            told += "; may be missing"
        row = [f"`{name}`", told]
        rows.append(row + ([cell(field.get("description", ""))] if described else []))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def kind(it: Json, names: Names) -> str:
    """Return the type of value that a schema describes."""
    if "$ref" in it:
        return names.link(it["$ref"])
    if "const" in it:
        return f"`{_json(it['const'])}`"
    if "enum" in it:
        return " or ".join(f"`{_json(value)}`" for value in it["enum"])
    for key in ("anyOf", "oneOf"):
        if key in it:
            return " or ".join(dict.fromkeys(kind(each, names) for each in it[key]))
    match it.get("type"):
        case "array" if "prefixItems" in it:
            return "list: " + ", ".join(kind(each, names) for each in it["prefixItems"])
        case "array":
            return f"list of {kind(it.get('items', {}), names)}"
        case "object" if isinstance(it.get("additionalProperties"), dict):
            return f"object whose values are {kind(it['additionalProperties'], names)}"
        case list() as several:
            return " or ".join(several)
        case str() as one:
            return one
    return "any value"


def limits(it: Json) -> str:
    """Return the limits of a value, to follow its type."""
    told = [text.format(_number(it[key])) for key, text in _LIMITS.items() if key in it]
    if "pattern" in it:
        told.append(f"like `{cell(it['pattern'])}`")
    return f" ({', '.join(told)})" if told else ""


def cell(text: str) -> str:
    """Return a text escaped for a table cell."""
    return " ".join(text.split()).replace("|", "\\|")


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else str(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
