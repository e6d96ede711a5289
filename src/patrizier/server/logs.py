"""Structured logs: one JSON object per line, only with fields that are safe to keep."""

import errno
import json
import logging
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

# Any other `extra` is dropped: no cookies, hands, chat or addresses.
SAFE_FIELDS = frozenset(
    {
        "code",
        "count",
        "database",
        "host",
        "kind",
        "method",
        "ms",
        "port",
        "route",
        "status",
        "url",
        "version",
    }
)

_EVERY = 60.0  # seconds between two equal warnings of the web server

log = logging.getLogger("patrizier.server")


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line.update({k: v for k, v in vars(record).items() if k in SAFE_FIELDS})
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = chain = _where(record.exc_info[1])
            if causes := [each["cause"] for each in chain if "cause" in each]:
                line["cause"] = causes[0]
        return json.dumps(line, default=str, ensure_ascii=False)


def _where(error: BaseException) -> list[dict[str, Any]]:
    """Return where errors were raised, not their messages, which may quote a hand or chat."""
    chain: list[dict[str, Any]] = []
    seen: BaseException | None = error
    while seen is not None and len(chain) < 5:
        frames = traceback.extract_tb(seen.__traceback__)[-20:]
        entry: dict[str, Any] = {
            "type": type(seen).__name__,
            "at": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
        }
        if cause := _cause(seen):
            entry["cause"] = cause
        chain.append(entry)
        seen = seen.__cause__ or seen.__context__
    return chain


def _cause(error: BaseException) -> str | None:
    """Return the meaning of an error, from codes of the system or the database."""
    if isinstance(error, OSError) and error.errno is not None and error.errno in errno.errorcode:
        return f"{errno.errorcode[error.errno]}: {os.strerror(error.errno)}"
    if isinstance(error, ConnectionError | TimeoutError):
        return "connection lost" if isinstance(error, ConnectionError) else "no answer in time"
    for code in ("sqlite_errorname", "sqlstate"):
        if isinstance(value := getattr(error, code, None), str):
            return value
    # SQLAlchemy's error when the driver lost the connection by itself: there is no database code.
    return "connection lost" if getattr(error, "connection_invalidated", False) is True else None


def _is_quiet(record: logging.LogRecord) -> bool:
    """Drop lines of the web server that quote paths, because a table's path is its key.

    Also a line that it writes for every rejected socket.
    """
    text = str(record.msg)
    noise = "WebSocket" in text or "without completing handshake" in text
    return record.name != "uvicorn.access" and not noise


class WarningThrottle(logging.Filter):
    """Limits warnings of the web server to one a minute: any client can cause them."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._next: dict[str, float] = {}  # by text; there are only a few
        self._held_back: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written; it says how many were dropped."""
        if record.name != "uvicorn.error" or record.levelno != logging.WARNING:
            return True
        text, now = str(record.msg), self._now()
        if now < self._next.get(text, now):
            self._held_back[text] += 1
            return False
        self._next[text] = now + _EVERY
        record.count = 1 + self._held_back.pop(text, 0)
        return True


def set_up_logs(level: str = "info") -> None:
    """Send all logs of this process to standard error as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(_is_quiet)
    handler.addFilter(WarningThrottle())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Debug logs of libraries contain statements, messages, cookies.
    root.setLevel(max(logging.INFO, logging.getLevelName(level.upper())))
    logging.getLogger("sqlalchemy").setLevel(logging.WARNING)
    logging.getLogger("patrizier").setLevel(level.upper())
