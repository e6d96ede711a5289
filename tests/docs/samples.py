"""The samples of the documents: blocks of code, and the commands in them."""

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "training/README.md"])
_BLOCK = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def name(document: Path) -> str:
    """Return a document's name."""
    return document.relative_to(ROOT).as_posix()


def blocks(document: Path) -> list[tuple[str, str]]:
    """Return the blocks of a document: language and text."""
    return _BLOCK.findall(document.read_text("utf-8"))


def samples(document: Path, language: str) -> list[str]:
    """Return the blocks of a document in a language."""
    return [text for found, text in blocks(document) if found == language]


def having(language: str) -> list[Path]:
    """Return the documents with blocks in a language."""
    return [document for document in DOCUMENTS if samples(document, language)]


def commands(document: Path) -> list[list[str]]:
    """Return the shell commands in a document, split into words."""
    lines = "\n".join(samples(document, "sh")).splitlines()
    return [words for line in lines if (words := shlex.split(line, comments=True))]
