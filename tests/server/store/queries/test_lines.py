"""Lines kept under a link."""

import pytest

from patrizier.server.store.queries import lines
from patrizier.server.store.sql import SqlStore

pytestmark = pytest.mark.anyio


async def test_the_oldest_of_a_person_go_first(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MOST_KEPT", 2)
    await store.lines.keep("other", "1.o", "ben", 0.0)
    for number in range(4):
        await store.lines.keep(f"line{number}", f"1.{number}", "anna", float(number))
    kept = [await store.lines.get(f"line{number}") for number in range(4)]
    assert kept == [None, None, "1.2", "1.3"]
    assert await store.lines.get("other") == "1.o"
