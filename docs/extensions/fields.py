"""Documents fields by their trailing comments, on the site as in the sources."""

import ast
import inspect
import sys
from functools import cache
from textwrap import dedent
from typing import Any

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("autodoc-process-docstring", _document)
    return {"parallel_read_safe": True}


def _document(
    app: Sphinx, kind: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    if kind != "attribute":
        return
    holder_name, _, field = name.rpartition(".")
    module, _, class_name = holder_name.rpartition(".")
    holder = getattr(sys.modules.get(module), class_name, None)
    if holder is not None:
        comment = comments(holder).get(field)
        if comment:
            lines[:] = [comment[0].upper() + comment[1:] + ("" if comment[-1] in ".…" else "."), ""]
        elif lines and lines[0].startswith("Alias for field number"):
            lines.clear()  # the default docstring of named tuple fields


@cache
def comments(holder: Any) -> dict[str, str]:
    """Return the trailing comments of the fields of a class."""
    try:
        lines = inspect.getsource(holder).splitlines()
    except (OSError, TypeError):
        return {}
    (body,) = ast.parse(dedent("\n".join(lines))).body
    assert isinstance(body, ast.ClassDef)
    found = {}
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            assert node.end_lineno is not None
            _, _, comment = lines[node.end_lineno - 1].partition("  # ")
            if comment:
                found[node.target.id] = comment.strip()
    return found
