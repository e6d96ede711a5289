"""Finished analyses on disk, so that no game is analysed twice."""

import gzip
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from patrizier.analysis.result import VERSION
from patrizier.kernels.cache import cache_root

_DEEP = "-deep"


def key_of(record: str, *, deep: bool, seed: int = 0) -> str:
    """Return the name of an analysis: the game, the analyser's version, and the settings."""
    return f"{record}-{VERSION}{_DEEP if deep else ''}{f'-{seed}' if seed else ''}"


def deep_key(key: str) -> str:
    """Return the name of the deep analysis of the same game, with the usual seed.

    >>> deep_key(key_of("f00d", deep=False)) == key_of("f00d", deep=True)
    True
    """
    return key if key.endswith(_DEEP) else key + _DEEP


class Shelf:
    """A folder of analyses."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_root() / "analyses"

    def find(self, key: str) -> dict[str, Any] | None:
        """Return a stored analysis, or None if there is none that can be read."""
        try:
            found: dict[str, Any] = json.loads(gzip.decompress(self._file(key).read_bytes()))
        except (OSError, EOFError, ValueError):
            return None
        return found

    def put(self, key: str, analysis: dict[str, Any]) -> None:
        """Store an analysis; a full disk only means that it is computed again."""
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(gzip.compress(json.dumps(analysis).encode(), mtime=0))
                Path(name).replace(self._file(key))
            except OSError:
                Path(name).unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.json.gz"
