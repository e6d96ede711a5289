"""The README: its picture is there and small, and every reader finds something soon."""

import re
import struct
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
SCRIPT = (ROOT / "scripts" / "picture_the_game.py").read_text("utf-8")


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


def test_three_lines_for_each_kind_of_reader() -> None:
    for reader in ("players", "programmers"):
        section = README.partition(f"## For {reader}\n")[2].partition("\n## ")[0]
        assert len(re.findall(r"^- ", section, re.MULTILINE)) == 3
        assert section.count("```") == 2
