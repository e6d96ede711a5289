"""Tests patch the outside world only: what is ours takes its collaborators as arguments."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

_PATCHES = {"setattr", "delattr", "setitem", "delitem"}  # of pytest's monkeypatch
# The interpreter, the system and its clock, libraries of others, the keyboard.
_OUTSIDE = (
    "sys",
    "os",
    "time",
    "sysconfig",
    "webbrowser",
    "numba",
    "numpy.random",
    "packaging",
    "rich.console.Console",
)
_REPLACED = re.compile(r"type: ignore\[.*method-assign")


def patches(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield what a test file patches, each with its line."""
    names = _imports(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            by_hand = isinstance(function, ast.Name) and function.id == "setattr"
            if by_hand or (isinstance(function, ast.Attribute) and function.attr in _PATCHES):
                yield node.lineno, _full_name(node.args[0], names)
        elif isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Attribute) and (
                    _root(target) in names or _is_private(target)
                ):
                    yield node.lineno, _full_name(target, names)


def _imports(tree: ast.Module) -> dict[str, str]:
    """Return what the imported names of a file stand for."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.asname or name.name: name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {n.asname or n.name: f"{node.module}.{n.name}" for n in node.names}
    return found


def _full_name(node: ast.expr, names: dict[str, str]) -> str:
    """Return what an expression stands for: imported, or a name as it is written."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    text = ast.unparse(node)
    root, dot, rest = text.partition(".")
    return names.get(root, root) + dot + rest


def _root(node: ast.expr) -> str:
    return ast.unparse(node).partition(".")[0]


def _is_private(target: ast.Attribute) -> bool:
    """Whether this is a private attribute of another object."""
    own = isinstance(target.value, ast.Name) and target.value.id in ("self", "cls")
    return target.attr.startswith("_") and not own


def replaced_methods(text: str) -> Iterator[int]:
    """Yield the lines that replace a method of an object: mypy objects, unless told not to."""
    for number, line in enumerate(text.splitlines(), 1):
        if _REPLACED.search(line):
            yield number


def is_outside(name: str) -> bool:
    """Whether something is not ours."""
    return any(name == part or name.startswith(f"{part}.") for part in _OUTSIDE)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from patrizier import bots\nm.setattr(bots, 'x', 1)", "patrizier.bots"),
        ("import patrizier.move as move\nmove.MOST = 3", "patrizier.move.MOST"),
        ("m.setattr('patrizier.game.Game', None)", "patrizier.game.Game"),
        ("m.setattr(store, 'pulse', late)", "store"),
        ("people._passwords = quick", "people._passwords"),
        ("self.people._clock += 1", "self.people._clock"),
        ("import sys\nm.setitem(sys.modules, 'ray', None)", "sys.modules"),
    ],
)  # fmt: skip
def test_patches_are_found(text: str, found: str) -> None:
    assert [name for _, name in patches(ast.parse(text))] == [found]
    assert is_outside(found) is found.startswith("sys")


def test_nothing_of_ours_is_patched() -> None:
    ours = [
        f"{file.relative_to(TESTS)}:{line}: {name}"
        for file in sorted(TESTS.rglob("*.py"))
        for line, name in patches(ast.parse(file.read_text("utf-8")))
        if not is_outside(name)
    ]
    assert ours == []


def test_own_state_and_public_attributes_may_be_set() -> None:
    assert list(patches(ast.parse("self._left = 1\nclock.time += 1"))) == []


def test_replaced_methods_are_found() -> None:
    ignored = "# type: " + "ignore[assignment, method-assign]"
    assert list(replaced_methods(f"store.now = 1\nstore.append = fail  {ignored}")) == [2]


def test_no_method_is_replaced() -> None:
    replaced = [
        f"{file.relative_to(TESTS)}:{line}"
        for file in sorted(TESTS.rglob("*.py"))
        for line in replaced_methods(file.read_text("utf-8"))
    ]
    assert replaced == []
