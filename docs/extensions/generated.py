"""Reference pages generated from the program.

A page marks the place with a line such as `% generated: commands`.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import command_line
import http_api
import observation_fields
import schema
from sphinx.application import Sphinx

DOCS = Path(__file__).parents[1]
_MARK = re.compile(r"^% generated: (\w+)$", re.MULTILINE)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True}


def _read(app: Sphinx, docname: str, source: list[str]) -> None:
    source[0] = fill_in(source[0])


def fill_in(text: str) -> str:
    """Return a page with its marks replaced by generated text."""
    return _MARK.sub(lambda found: WRITERS[found[1]](), text)


def _http() -> str:
    return http_api.describe(json.loads((DOCS / "openapi.json").read_text("utf-8")))


def _view() -> str:
    document = json.loads((DOCS / "view.schema.json").read_text("utf-8"))
    return schema.describe(document["$defs"], names=schema.Names("view", "#/$defs/"))


WRITERS: dict[str, Callable[[], str]] = {
    "commands": command_line.describe,
    "http": _http,
    "observation": observation_fields.describe,
    "view": _view,
}
