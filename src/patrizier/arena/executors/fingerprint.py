"""What must be the same on all machines of a run: versions, sources and weights."""

import hashlib
import platform
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numba
import numpy as np

import patrizier
from patrizier.rules import RULES_VERSION

_PARTS = ("**/*.py", "bots/learned/weights/*", "rules/decks/*")


@cache
def fingerprint() -> dict[str, str]:
    """Return the versions of this process by name.

    >>> sorted(fingerprint())
    ['NumPy', 'Numba', 'Python', 'patrizier', 'rules', 'sources']
    """
    return {
        "patrizier": patrizier.__version__,
        "rules": str(RULES_VERSION),
        "sources": _digest(Path(patrizier.__file__).parent),
        "Python": platform.python_version(),
        "Numba": numba.__version__,
        "NumPy": np.__version__,
    }


def differences(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """Return what differs, in words; empty if nothing does.

    >>> differences({"patrizier": "1.0", "Numba": "0.61"}, {"patrizier": "0.9", "Numba": "0.61"})
    'patrizier is 0.9 there and 1.0 here'
    """
    return ", ".join(
        f"{name} {'are' if name == 'sources' else 'is'} {there.get(name, 'unknown')} there "
        f"and {value} here"
        for name, value in here.items()
        if there.get(name) != value
    )


def _digest(package: Path) -> str:
    """Return a short hash of everything that decides how a game is played."""
    digest = hashlib.sha256()
    for pattern in _PARTS:
        for path in sorted(package.glob(pattern)):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(package).as_posix()}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
