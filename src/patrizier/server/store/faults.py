"""Database faults, recognised by error codes; messages may quote stored data."""

import errno
import sqlite3
from collections.abc import Iterator
from enum import StrEnum

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout


class DatabaseFault(StrEnum):
    """Why a database cannot be used now."""

    FULL = "the disk is full"
    READ_ONLY = "the database is read-only"
    DAMAGED = "the database is damaged"
    FAILING = "the disk cannot be read or written"
    SILENT = "the database does not answer"


_SYSTEM = {
    errno.ENOSPC: DatabaseFault.FULL,
    errno.EDQUOT: DatabaseFault.FULL,
    errno.EFBIG: DatabaseFault.FULL,
    errno.EROFS: DatabaseFault.READ_ONLY,
    errno.EACCES: DatabaseFault.READ_ONLY,
    errno.EPERM: DatabaseFault.READ_ONLY,
}
_SQLITE = {  # by primary code
    sqlite3.SQLITE_FULL: DatabaseFault.FULL,
    sqlite3.SQLITE_READONLY: DatabaseFault.READ_ONLY,
    sqlite3.SQLITE_CORRUPT: DatabaseFault.DAMAGED,
    sqlite3.SQLITE_NOTADB: DatabaseFault.DAMAGED,
    sqlite3.SQLITE_IOERR: DatabaseFault.FAILING,
    sqlite3.SQLITE_CANTOPEN: DatabaseFault.FAILING,
}
_POSTGRES = {  # by SQLSTATE
    "53100": DatabaseFault.FULL,
    "25006": DatabaseFault.READ_ONLY,
    "XX001": DatabaseFault.DAMAGED,
    "XX002": DatabaseFault.DAMAGED,
}


def fault_of(error: BaseException) -> DatabaseFault | None:
    """Return the fault behind an error; None if the database is not the cause."""
    for each in _chain(error):
        if isinstance(each, OSError) and each.errno in _SYSTEM:
            return _SYSTEM[each.errno]
        if (code := getattr(each, "sqlite_errorcode", -1) & 0xFF) in _SQLITE:
            return _SQLITE[code]
        if (state := getattr(each, "sqlstate", None)) in _POSTGRES:
            return _POSTGRES[state]
    return DatabaseFault.SILENT if _is_silent(error) else None


def reason(error: BaseException) -> str:
    """Return an error's message in one line, without the library's notes.

    For the administrator's terminal, not for the log: it may quote stored data.
    """
    told = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return str(told).partition("\n")[0] or type(told).__name__


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and its causes."""
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
