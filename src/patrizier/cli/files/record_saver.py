"""Saves a game record, never overwriting another file."""

import os
from pathlib import Path

from patrizier.ptr import GameRecord


def why_not_writable(file: str) -> str | None:
    """Return why a new file cannot be written there, or None if it looks possible."""
    path = Path(file)
    if path.exists():
        return f"{file} already exists"
    if not path.parent.is_dir():
        return f"{path.parent} is not a folder"
    if not os.access(path.parent, os.W_OK):
        return f"{path.parent} is not writable"
    return None


def save(record: GameRecord, file: str) -> None:
    """Write a record to a new file; if that fails, raise OSError and leave no file behind."""
    path = Path(file)
    with path.open("x", encoding="utf-8", newline="\n") as out:
        try:
            out.write(str(record))
            out.flush()
            os.fsync(out.fileno())
        except OSError:
            path.unlink(missing_ok=True)
            raise
