"""Sees to it that one server at a time uses a SQLite file: each keeps tables in its memory.

The lock is the operating system's. It ends with the process, however that ends.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy.engine import make_url

if os.name == "nt":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class NotAlone(Exception):
    """Another server uses this file."""


@contextmanager
def alone_with(url: str) -> Iterator[None]:
    """Hold the lock of a database file while the block lasts; raises `NotAlone`.

    A database that is no file can be shared.
    """
    address = make_url(url)
    if address.get_backend_name() != "sqlite" or not address.database:
        yield
        return
    database = Path(address.database)
    name = Path(f"{database}.lock")
    name.parent.mkdir(parents=True, exist_ok=True)
    lock = _hold(name)
    if lock is None:
        raise NotAlone(
            f"another server uses {database}: stop it, give this one a --data-dir of its own, or "
            "let both use PostgreSQL"
        )
    try:
        yield
    finally:
        if not database.exists():
            with suppress(OSError):
                name.unlink()  # nothing came of it
        os.close(lock)


def _hold(name: Path) -> int | None:
    """Return a lock that is ours until it is closed; None if another process has it."""
    while True:
        lock = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)  # a child process does not inherit it
        try:
            _lock(lock)
        except OSError:
            os.close(lock)
            return None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock), name.stat()):
                return lock
        os.close(lock)  # whoever had it before has removed it
