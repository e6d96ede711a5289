"""Sees to it that one server at a time uses a SQLite file: each keeps tables in its memory.

The lock is the operating system's. It ends with the process, however that ends.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy.engine import make_url


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
    lock = FileLock(name, timeout=0, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        raise NotAlone(
            f"another server uses {database}: stop it, give this one a --data-dir of its own, or "
            "let both use PostgreSQL"
        ) from None
    try:
        yield
    finally:
        if not database.exists():
            with suppress(OSError):
                name.unlink()  # nothing came of it
        lock.release()
