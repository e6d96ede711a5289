"""Exclusive use of a SQLite file: only one server at a time, since each caches tables.

The operating system holds the lock; it ends with the process, also after a crash.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy.engine import make_url


class AlreadyInUse(Exception):
    """Another server uses this file."""


@contextmanager
def exclusive_use(url: str) -> Iterator[None]:
    """Lock a SQLite file while the block lasts; raises `AlreadyInUse`.

    Other databases can be shared.
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
        raise AlreadyInUse(
            f"another server uses {database}: stop it, give this one a --data-dir of its own, or "
            "let both use PostgreSQL"
        ) from None
    try:
        yield
    finally:
        if not database.exists():
            with suppress(OSError):
                name.unlink()  # it was not used
        lock.release()
