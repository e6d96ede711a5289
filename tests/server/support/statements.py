"""Collects SQL statements, to compare the work behind two answers."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, event


@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the SQL of this process while the block lasts, without its values."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)
