import asyncio

import pytest

from patrizier.server.store.base import PasswordChanged
from patrizier.server.store.rows import Person, Session
from patrizier.server.store.sql import SqlStore

pytestmark = pytest.mark.anyio

ANNA = Person("anna-0123456789ab", "Anna", 1.0, 1.0, login="anna", password_hash="kept")
BEN = Person("ben-0123456789abc", "Ben", 1.0, 1.0, login="ben", password_hash="kept")


@pytest.fixture
async def known(store: SqlStore) -> SqlStore:
    for person in (ANNA, BEN):
        await store.people.add(person)
    return store


def a_session(name: str, seen: float = 1.0, person: Person = ANNA) -> Session:
    return Session(name, person.id, "Firefox · Linux", began=1.0, seen=seen)


async def add(store: SqlStore, *sessions: Session, most: int = 20) -> list[str]:
    ended = []
    for session in sessions:
        ended += await store.sessions.add(session, "kept", most)
    return ended


async def names(store: SqlStore, person: Person = ANNA) -> list[str]:
    return [session.id for session in await store.sessions.of(person.id)]


async def test_sessions_are_kept_and_used(known: SqlStore) -> None:
    one, two = a_session("one"), a_session("two", seen=2.0)
    assert await add(known, one, two) == []
    assert await known.sessions.get("one") == one
    assert await known.sessions.get("none") is None
    assert await names(known) == ["two", "one"]
    await known.sessions.seen("one", 3.0)
    assert await names(known) == ["one", "two"]


async def test_all_of_a_person_end_or_one_or_all_but_one(known: SqlStore) -> None:
    sessions = [a_session(name, seen) for seen, name in enumerate(("one", "two", "three"))]
    await add(known, *sessions, a_session("bens", person=BEN))
    end = known.sessions.end
    assert await end(ANNA.id, only="bens") == []
    assert await end(ANNA.id, only="two") == ["two"]
    assert await end(ANNA.id, but="three") == ["one"]
    assert await names(known) == ["three"]
    assert await end(ANNA.id) == ["three"]
    assert await end(ANNA.id) == []
    assert await names(known, BEN) == ["bens"]


async def test_of_too_many_the_longest_unused_ends(known: SqlStore) -> None:
    await add(known, *(a_session(f"s{number}", seen=number) for number in range(3)), most=3)
    assert await add(known, a_session("new", seen=9.0), most=3) == ["s0"]
    assert await names(known) == ["new", "s2", "s1"]


async def test_none_begins_with_a_password_that_was_changed(known: SqlStore) -> None:
    await known.people.change(ANNA.id, password_hash="another")
    with pytest.raises(PasswordChanged):
        await add(known, a_session("late"))
    assert await names(known) == []


async def test_a_password_that_is_being_changed_leaves_no_session(known: SqlStore) -> None:
    """Whichever comes first, no session with the old password remains."""

    async def enter(number: int) -> None:
        try:
            await add(known, a_session(f"s{number}"))
        except PasswordChanged:
            return

    async def change() -> None:
        await known.people.change(ANNA.id, password_hash="another")
        await known.sessions.end(ANNA.id)

    await asyncio.gather(*map(enter, range(5)), change(), *map(enter, range(5, 10)))
    assert await names(known) == []


async def test_unused_ones_are_forgotten_and_erasing_takes_all(known: SqlStore) -> None:
    await add(known, a_session("old", seen=1.0), a_session("new", seen=9.0))
    await known.sessions.forget(before=5.0)
    assert await names(known) == ["new"]
    await known.people.erase(ANNA.id)
    assert await names(known) == []
