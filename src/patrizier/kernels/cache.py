"""Compiled code between runs: shipped with the package, or kept in the user's cache folder.

Numba's own cache notices an edit in the file of a function, but not in the files of the functions
it calls. Here, both kinds are in folders named by a hash of all sources a kernel may use.
"""

import hashlib
import os
import shutil
import warnings
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, NullCache

from patrizier.kernels import shipped

_PACKAGE = Path(__file__).parent.parent
_RULES = _PACKAGE / "rules"
_KEPT_FOLDERS = 8  # compiled versions kept on disk
_PREFIX = "kernels-"


class KernelCache(NullCache):  # type: ignore[misc]
    """The cache of one kernel; no folder is touched before the kernel is called."""

    def __init__(self, function: Any) -> None:
        self._function = function
        # Now, not when it is called: by then the sources may have been edited.
        self._sources = folder_name(Path(function.__code__.co_filename).parent)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code for a signature, or None."""
        target_context.refresh()  # Numba's caches begin with this, too
        found = shipped.load(self._function, self._sources, sig, target_context)
        if found is None and not shipped.is_being_built():
            found = self._user.load_overload(sig, target_context)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code."""
        if shipped.is_being_built():
            shipped.save(self._function, self._sources, sig, data)
        else:
            self._user.save_overload(sig, data)

    def flush(self) -> None:
        """Clear the user's cache."""
        self._user.flush()

    @cached_property
    def _user(self) -> Any:
        """The cache in the user's folder, if that can be written."""
        folder = cache_folder(Path(self._function.__code__.co_filename).parent)
        if folder is None:
            return NullCache()
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)  # read once, when the cache object is made
        try:
            return _UserCache(self._function)
        finally:
            numba.config.CACHE_DIR = before


class _UserCache(FunctionCache):  # type: ignore[misc]
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
    folder = cache_root() / folder_name(room)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError as error:
        warnings.warn(f"compiled code is not kept: {error}", RuntimeWarning, stacklevel=2)
        return None
    _prune(folder.parent)
    return folder


@cache
def folder_name(room: Path) -> str:
    """Return the name of the folder for the kernels of one room: a hash of all they depend on."""
    return f"{_PREFIX}{sources_hash(*_rooms_used(room))}"


def _rooms_used(room: Path) -> set[Path]:
    """Return the rooms that kernels of one room may call, and the one that compiles them.

    The rules call only themselves; other rooms of the package call the rules, the bots and their
    own top-level folder; kernels outside the package may call any of ours.
    """
    own = Path(__file__).parent
    if room == _RULES:
        return {room, own}
    if not room.is_relative_to(_PACKAGE):
        return {source.parent for source in _PACKAGE.rglob("*.py")} | {room}
    houses = [_PACKAGE / "bots", _PACKAGE / room.relative_to(_PACKAGE).parts[0]]
    return {_RULES, own} | {source.parent for house in houses for source in house.rglob("*.py")}


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
