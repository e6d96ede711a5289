"""Saving a game record without ever losing one."""

import os
from pathlib import Path

from patrizier.ptr import GameRecord


def why_not_writable(file: str) -> str | None:
    """Return why a new file cannot be written there, or None if it looks possible."""
    path = Path(file)
    if path.exists():
        return f"{file} exists already"
    if not path.parent.is_dir():
        return f"{path.parent} is not a folder"
    if not os.access(path.parent, os.W_OK):
        return f"{path.parent} cannot be written to"
    return None


def save(record: GameRecord, file: str) -> None:
    """Write a record to a new file; OSError if that fails, and then no file is left behind."""
    path = Path(file)
    with path.open("x", encoding="utf-8", newline="\n") as out:
        try:
            out.write(str(record))
            out.flush()
            os.fsync(out.fileno())
        except OSError:
            path.unlink(missing_ok=True)
            raise
