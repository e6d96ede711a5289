"""The HTTP interface as Markdown, from its OpenAPI document."""

from typing import Any

from schema import Json, Names, cell, kind, limits
from schema import describe as describe_schemas

NAMES = Names("http", "#/components/schemas/")
_METHODS = ("get", "post", "put", "delete")
_HIDDEN = {"HTTPValidationError", "ValidationError"}  # FastAPI's; the server answers with a Problem
_ROOMS = {
    "people": "People",
    "tables": "Tables",
    "games": "Games",
    "company": "Friends and invitations",
    "analyses": "Analyses of finished games",
    "lines": "What-if lines",
    "puzzles": "Puzzles",
    "replays": "Replays and pictures of games",
    "lessons": "Lessons",
    "printing": "Sheets to print",
    "server": "The server",
}

_ORDER = list(_ROOMS)


def describe(document: Json) -> str:
    """Return the requests by their tags, the socket's messages, and all schemas."""
    rooms: dict[str, list[str]] = {}
    problems: dict[str, str] = {}
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method in item:
                call = item[method]
                rooms.setdefault(call["tags"][0], []).append(_call(method, path, call))
                problems |= _problems(call)
    parts = [
        f"## {_ROOMS[tag]}\n\n" + "\n\n".join(calls)
        for tag, calls in sorted(rooms.items(), key=lambda room: _ORDER.index(room[0]))
    ]
    rows = [f"| `{status}` | {cell(text)} |" for status, text in sorted(problems.items())]
    parts.append(
        "## Refusals\n\nA refusal is a "
        f"{NAMES.link('Problem')}, with one of these:\n\n"
        "| status | meaning |\n|---|---|\n" + "\n".join(rows)
    )
    for hook in document["webhooks"].values():
        parts.append(_socket(hook["post"]))
    schemas = {
        name: it for name, it in document["components"]["schemas"].items() if name not in _HIDDEN
    }
    parts.append("## Schemas\n\n" + describe_schemas(schemas, NAMES, level=3))
    return "\n\n".join(parts)


def _call(method: str, path: str, call: Json) -> str:
    parts = [f"### `{method.upper()} {path}`", " ".join(call.get("description", "").split())]
    rows = [
        f"| `{it['name']}` | {it['in']} | {kind(it['schema'], NAMES)}{limits(it['schema'])} "
        f"| {cell(it.get('description', ''))} |"
        for it in call.get("parameters", ())
    ]
    if rows:
        parts.append("| parameter | in | what it is | |\n|---|---|---|---|\n" + "\n".join(rows))
    if "requestBody" in call:
        parts.append(f"Body: {_content(call['requestBody'])}.")
    answers = [
        f"`{status}`: {_content(answer)}."
        for status, answer in call["responses"].items()
        if int(status) < 400
    ]
    parts.append("Answer: " + " ".join(answers))
    return "\n\n".join(part for part in parts if part)


def _content(it: Json) -> str:
    content: dict[str, Any] = it.get("content", {})
    for media, told in content.items():
        if told.get("schema"):
            what = kind(told["schema"], NAMES)
            return what if media == "application/json" else f"`{media}`"
        return f"`{media}`"
    return " ".join(it.get("description", "nothing").split()).rstrip(".") or "nothing"


def _problems(call: Json) -> dict[str, str]:
    return {
        status: answer["description"]
        for status, answer in call["responses"].items()
        if int(status) >= 400
    }


def _socket(call: Json) -> str:
    sent = call["requestBody"]["content"]["application/json"]["schema"]
    got = call["responses"]["200"]["content"]["application/json"]["schema"]
    return (
        "## The socket\n\nAt `/api/live`, JSON in both directions.\n\n"
        f"A client sends {kind(sent, NAMES)}.\n\nIt gets {kind(got, NAMES)}."
    )
