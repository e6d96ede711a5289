"""Decorators for compiled functions, and a cache that is never stale.

Numba's own cache notices an edit in the file of a function, but not in the files of the
functions it calls. Ours is in a folder named by a hash of all sources a kernel may use.
"""

import hashlib
import os
import shutil
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.caching import FunctionCache

F = TypeVar("F", bound=Callable[..., Any])

_RULES = Path(__file__).parent
_PACKAGE = _RULES.parent
_KEPT_FOLDERS = 8  # compiled versions kept on disk
_PREFIX = "kernels-"


def kernel(function: F) -> F:
    """Compile a function, unless ``NUMBA_DISABLE_JIT=1``."""
    return _compile(function)


def inner_kernel(function: F) -> F:
    """Compile a function with forced inlining: for the steps of hot loops."""
    return _compile(function, forceinline=True)


def blending_kernel(function: F) -> F:
    """Compile a function with fast math: sums may be reordered and vectorised."""
    return _compile(function, fastmath=True)


def wrapping_kernel(function: F) -> F:
    """Compile a function whose unsigned arithmetic is meant to wrap around.

    Compiled code always wraps; NumPy would warn in plain Python.
    """
    compiled = inner_kernel(function)
    return np.errstate(over="ignore")(compiled) if numba.config.DISABLE_JIT else compiled


def _compile(function: F, **settings: bool) -> F:
    compiled = numba.njit(error_model="numpy", nogil=True, **settings)(function)
    if not numba.config.DISABLE_JIT:
        folder = cache_folder(Path(function.__code__.co_filename).parent)
        if folder is not None:
            _cache_in(compiled, folder)
    return compiled  # type: ignore[no-any-return]


def direct(function: F, *arguments: Any) -> F:
    """Return the compiled form for arguments of exactly these types.

    It skips Numba's type dispatch, which is half of a short call. Only for callers that
    never pass other types: nothing is checked.
    """
    if numba.config.DISABLE_JIT:
        return function
    types = tuple(numba.typeof(argument) for argument in arguments)
    return function.compile(types)  # type: ignore[attr-defined,no-any-return]


def cache_root() -> Path:
    """Return the folder for compiled code: ``PATRIZIER_CACHE_DIR``, or the user's cache folder."""
    if chosen := os.environ.get("PATRIZIER_CACHE_DIR"):
        return Path(chosen)
    if chosen := os.environ.get("XDG_CACHE_HOME"):
        return Path(chosen) / "patrizier"
    return Path("~/.cache/patrizier").expanduser()


@cache
def cache_folder(room: Path) -> Path | None:
    """Return the cache folder for the kernels of one room, or None if it is not writable."""
    folder = cache_root() / f"{_PREFIX}{sources_hash(*_rooms_used(room))}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError as error:
        warnings.warn(f"compiled code is not kept: {error}", RuntimeWarning, stacklevel=2)
        return None
    _prune(folder.parent)
    return folder


def _rooms_used(room: Path) -> set[Path]:
    """Return the rooms that kernels of one room may call.

    The rules call only themselves; other rooms of the package call the rules, the bots and their
    own top-level folder; kernels outside the package may call any of ours.
    """
    if room == _RULES:
        return {room}
    if not room.is_relative_to(_PACKAGE):
        return {source.parent for source in _PACKAGE.rglob("*.py")} | {room}
    houses = [_PACKAGE / "bots", _PACKAGE / room.relative_to(_PACKAGE).parts[0]]
    return {_RULES} | {source.parent for house in houses for source in house.rglob("*.py")}


def sources_hash(*rooms: Path) -> str:
    """Return a hash over every source file of these rooms."""
    digest = hashlib.sha256()
    for source in sorted({file for room in rooms for file in room.glob("*.py")}):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _prune(root: Path) -> None:
    """Remove the least recently used versions."""

    def last_use(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:  # removed by another process
            return 0.0

    folders = sorted(root.glob(f"{_PREFIX}*"), key=last_use, reverse=True)
    for old in folders[_KEPT_FOLDERS:]:
        shutil.rmtree(old, ignore_errors=True)


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache, but a full disk or a damaged file only means compiling again."""

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            warnings.warn(f"compiled code is not kept: {error}", RuntimeWarning, stacklevel=2)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling a damaged file can raise anything
            with suppress(OSError):
                self.flush()
            return None


def _cache_in(compiled: Any, folder: Path) -> None:
    """Give a compiled function a cache of its own in this folder."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)  # read once, when the cache object is made
    try:
        compiled._cache = _KernelCache(compiled.py_func)
    finally:
        numba.config.CACHE_DIR = before
