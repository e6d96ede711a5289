"""What ails a database, told by codes and not by messages, which may quote what was stored."""

import errno
import sqlite3
from collections.abc import Iterator
from enum import StrEnum

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout


class Trouble(StrEnum):
    """Why a database cannot be used now."""

    FULL = "the disk is full"
    READ_ONLY = "the database is read-only"
    DAMAGED = "the database is damaged"
    FAILING = "the disk cannot be read or written"
    SILENT = "the database does not answer"


_SYSTEM = {
    errno.ENOSPC: Trouble.FULL,
    errno.EDQUOT: Trouble.FULL,
    errno.EFBIG: Trouble.FULL,
    errno.EROFS: Trouble.READ_ONLY,
    errno.EACCES: Trouble.READ_ONLY,
    errno.EPERM: Trouble.READ_ONLY,
}
_SQLITE = {  # by primary code
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: Trouble.DAMAGED,
    sqlite3.SQLITE_IOERR: Trouble.FAILING,
    sqlite3.SQLITE_CANTOPEN: Trouble.FAILING,
}
_POSTGRES = {  # by SQLSTATE
    "53100": Trouble.FULL,
    "25006": Trouble.READ_ONLY,
    "XX001": Trouble.DAMAGED,
    "XX002": Trouble.DAMAGED,
}


def trouble_of(error: BaseException) -> Trouble | None:
    """Return what ails the database, given an error; None if the error is not the database's."""
    for each in _chain(error):
        if isinstance(each, OSError) and each.errno in _SYSTEM:
            return _SYSTEM[each.errno]
        if (code := getattr(each, "sqlite_errorcode", -1) & 0xFF) in _SQLITE:
            return _SQLITE[code]
        if (state := getattr(each, "sqlstate", None)) in _POSTGRES:
            return _POSTGRES[state]
    return Trouble.SILENT if _is_silent(error) else None


def reason(error: BaseException) -> str:
    """Return what an error says, in one line and without the library's comments.

    For who runs the server, not for the log: it may quote what was stored.
    """
    told = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return str(told).partition("\n")[0] or type(told).__name__


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and those behind it."""
    seen: BaseException | None = error
    for _ in range(10):
        if seen is None:
            return
        yield seen
        seen = seen.__cause__ or seen.__context__


def _is_silent(error: BaseException) -> bool:
    if isinstance(error, DBAPIError):
        kinds = (DBAPIError, OperationalError, InterfaceError)
        return error.connection_invalidated or type(error) in kinds
    drivers = type(error).__module__.startswith("asyncpg.")  # it is not always installed
    return drivers or isinstance(error, PoolTimeout | OSError)
