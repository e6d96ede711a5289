"""Writes the records of many games into one file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def record_file(out: str) -> Iterator[TextIO | None]:
    """Write to a temporary file and rename it at the end: no partial file replaces a good one.

    Yields None without a name; an empty file is not kept.
    """
    if not out:
        yield None
        return
    part = Path(f"{out}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if part.stat().st_size:
            part.replace(out)
    finally:
        part.unlink(missing_ok=True)
