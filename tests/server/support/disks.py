"""Full disks: a small tmpfs where that is allowed, else a limit on file sizes."""

import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from patrizier.server.loadtest.process import ServerProcess

_SIZE = "6m"  # of the small disk: room for a few games


class Disk(Protocol):
    """A disk under a server's data."""

    def fill(self) -> None:
        """Leave no room on it."""

    def free(self) -> None:
        """Make room again."""


class SmallDisk:
    """A disk in memory that a large file fills."""

    def __init__(self, folder: Path) -> None:
        self._filler = folder / "filler"

    def fill(self) -> None:
        """Leave no room on it."""
        with self._filler.open("ab", buffering=0) as file:
            for size in (2**20, 2**10):
                with suppress(OSError):
                    while file.write(bytes(size)):
                        pass

    def free(self) -> None:
        """Make room again."""
        self._filler.unlink()


class LimitedFiles:
    """Without a small disk: no file of a server may grow. The error is another one then."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server

    def fill(self) -> None:
        """Let no file have more than a byte."""
        self._limit(1)

    def free(self) -> None:
        """Let files be as large as they like."""
        self._limit(resource.RLIM_INFINITY)

    def _limit(self, size: int) -> None:
        _, most = resource.prlimit(self._server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self._server.pid, resource.RLIMIT_FSIZE, (size, most))


@contextmanager
def small_disk(folder: Path, size: str = _SIZE) -> Iterator[SmallDisk | None]:
    """Mount a small disk at a folder; None where that is not allowed."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if not _works(mount):
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        assert _works(["umount", "--lazy", str(folder)])


def make_read_only(folder: Path) -> bool:
    """Remount a small disk read-only; False where that is not possible."""
    return _works(["mount", "-o", "remount,ro", str(folder)])


def _works(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False
