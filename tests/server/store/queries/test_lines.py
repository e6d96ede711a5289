"""Lines kept under a link."""

import pytest

from patrizier.server.store.queries.lines import SqlLines
from patrizier.server.store.rows import Person
from patrizier.server.store.sql import SqlStore

pytestmark = pytest.mark.anyio


async def test_the_oldest_of_a_person_go_first(store: SqlStore) -> None:
    lines = SqlLines(store.database, most_kept=2)
    await lines.keep("other", "1.o", "ben", 0.0)
    for number in range(4):
        await lines.keep(f"line{number}", f"1.{number}", "anna", float(number))
    kept = [await lines.get(f"line{number}") for number in range(4)]
    assert kept == [None, None, "1.2", "1.3"]
    assert await lines.get("other") == "1.o"


async def test_they_are_erased_with_the_person(store: SqlStore) -> None:
    for person in ("anna", "ben"):
        await store.people.add(Person(person, person.title(), created=0.0, seen=0.0))
        await store.lines.keep(f"by-{person}", "1.x", person, 1.0)
    await store.people.erase("anna")
    assert await store.lines.get("by-anna") is None
    assert await store.lines.get("by-ben") == "1.x"
