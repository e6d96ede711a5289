"""The README: its picture is there and small, and its commands are real ones."""

import re
import shlex
import struct
from pathlib import Path

import pytest
import typer.main
from typer.core import TyperGroup

from patrizier.cli.main import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
SCRIPT = (ROOT / "scripts" / "picture_the_game.py").read_text("utf-8")
SHELL = "\n".join(re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL))
COMMANDS = [shlex.split(line, comments=True) for line in SHELL.splitlines() if line]


def constant(pattern: str) -> list[int]:
    """Return the numbers of a constant of the script that takes the picture."""
    found = re.search(pattern, SCRIPT)
    assert found
    return [int(number) for number in found.groups()]


def test_it_opens_with_a_small_picture() -> None:
    title, _, rest = README.partition("\n\n")
    assert title == "# Patrizier"
    picture = re.match(r"!\[[^\]]+\]\(([^)]+)\)\n", rest)
    assert picture
    data = (ROOT / picture[1]).read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert list(struct.unpack(">2I", data[16:24])) == constant(r"SIZE = \((\d+), (\d+)\)")
    assert len(data) <= constant(r"MOST_BYTES = ([\d_]+)")[0]


@pytest.mark.parametrize("words", COMMANDS, ids=shlex.join)
def test_commands_exist_and_take_these_arguments(words: list[str]) -> None:
    program, *arguments = words[: words.index(">")] if ">" in words else words
    if program == "make":
        makefile = (ROOT / "Makefile").read_text("utf-8")
        assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in arguments)
        return
    assert program == "patrizier"
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    if arguments:
        name, *options = arguments
        command = group.commands[name]
        command.make_context(name, options)  # parses; raises for what it does not know


def test_three_lines_for_each_kind_of_reader() -> None:
    for reader in ("players", "programmers"):
        section = README.partition(f"## For {reader}\n")[2].partition("\n## ")[0]
        assert len(re.findall(r"^- ", section, re.MULTILINE)) == 3
        assert section.count("```") == 2
