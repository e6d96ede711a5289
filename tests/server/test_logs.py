import json
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy.exc import InterfaceError

from patrizier.server.logs import JsonLines, WarningThrottle, _is_quiet, set_up_logs


def line(record: logging.LogRecord) -> dict[str, object]:
    text = JsonLines().format(record)
    assert "\n" not in text
    parsed = json.loads(text)
    assert isinstance(parsed, dict)
    return parsed


def record(**extra: object) -> logging.LogRecord:
    made = logging.LogRecord("patrizier.server", logging.INFO, "", 1, "request", None, None)
    vars(made).update(extra)
    return made


def test_a_line_has_the_fields_it_may_have() -> None:
    found = line(record(route="/api/tables/{table}", status=200, ms=1.5))
    assert found["event"] == "request"
    assert found["level"] == "info"
    assert (found["route"], found["status"], found["ms"]) == ("/api/tables/{table}", 200, 1.5)
    assert str(found["at"]).endswith("+00:00")


def test_whatever_else_comes_along_is_left_out() -> None:
    found = line(record(cookie="abc", password="abc", text="abc", hand=["BO4"], person="abc"))
    assert set(found) == {"at", "level", "logger", "event"}


def test_an_error_tells_where_and_not_what() -> None:
    made = record()
    try:
        try:
            raise KeyError("BO4 is in the hand of seat 1")
        except KeyError as error:
            raise ValueError("the password is abc") from error
    except ValueError as error:
        made.exc_info = (ValueError, error, error.__traceback__)
    text = JsonLines().format(made)
    assert "BO4" not in text
    assert "abc" not in text
    assert [part["type"] for part in json.loads(text)["error"]] == ["ValueError", "KeyError"]
    assert "test_logs.py" in text


def raise_(error: Exception) -> None:
    raise error


def test_an_error_of_the_system_or_the_database_names_its_cause(tmp_path: Path) -> None:
    def cause(work: Callable[[], object]) -> object:
        made = record()
        try:
            try:
                work()
            except Exception as error:
                raise RuntimeError("a secret") from error
        except RuntimeError as error:
            made.exc_info = (RuntimeError, error, error.__traceback__)
        found = line(made)
        assert "a secret" not in str(found)
        return found.get("cause")

    def fill(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA max_page_count=2")
        connection.execute("CREATE TABLE hands (cards TEXT)")
        connection.execute("INSERT INTO hands VALUES (?)", ("BO4" * 10_000,))

    assert cause((tmp_path / "nothing").read_bytes) == "ENOENT: No such file or directory"
    with closing(sqlite3.connect(":memory:")) as connection:
        assert cause(lambda: fill(connection)) == "SQLITE_FULL"
    assert cause(lambda: raise_(ConnectionError("unexpected"))) == "connection lost"
    assert cause(lambda: raise_(TimeoutError())) == "no answer in time"
    closed = InterfaceError("SELECT 1", {}, OSError(), connection_invalidated=True)
    assert cause(lambda: raise_(closed)) == "connection lost"
    misused = InterfaceError("SELECT 1", {}, OSError())
    assert cause(lambda: raise_(misused)) is None
    assert cause(lambda: [][0]) is None


def test_only_our_own_lines_can_be_debugging_ones() -> None:
    root, ours = logging.getLogger(), logging.getLogger("patrizier")
    before = root.handlers[:], root.level, ours.level
    try:
        set_up_logs("debug")
        assert ours.isEnabledFor(logging.DEBUG)
        for name in ("uvicorn.error", "asyncio", "sqlalchemy.engine", "aiosmtplib", "alembic"):
            assert not logging.getLogger(name).isEnabledFor(logging.DEBUG)
        assert not logging.getLogger("sqlalchemy.engine").isEnabledFor(logging.INFO)
        set_up_logs("error")
        assert not logging.getLogger("uvicorn.error").isEnabledFor(logging.WARNING)
    finally:
        root.handlers[:] = before[0]
        root.setLevel(before[1])
        ours.setLevel(before[2])


def test_addresses_of_tables_stay_out() -> None:
    path = logging.LogRecord("uvicorn.error", 20, "", 1, '%s - "WebSocket %s" 403', None, None)
    assert not _is_quiet(path)
    assert not _is_quiet(logging.LogRecord("uvicorn.access", 20, "", 1, "GET /x", None, None))
    assert _is_quiet(record())


def test_what_clients_bring_about_at_will_is_told_once_a_minute() -> None:
    now = 0.0
    seldom = WarningThrottle(lambda: now)

    def warn(text: str, name: str = "uvicorn.error", level: int = logging.WARNING) -> object:
        made = logging.LogRecord(name, level, "", 1, text, None, None)
        return line(made).get("count", True) if seldom.filter(made) else False

    assert [warn("invalid request") for _ in range(1000)] == [1] + [False] * 999
    assert warn("another matter") == 1
    now = 60.0
    assert warn("invalid request") == 1000
    for name, level in (("uvicorn.error", logging.ERROR), ("patrizier.server", logging.WARNING)):
        assert [warn("trouble", name, level) for _ in range(3)] == [True] * 3
