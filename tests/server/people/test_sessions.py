import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from patrizier.server.people.identity import Identity
from patrizier.server.people.sessions import MOST, UNUSED, Sessions
from patrizier.server.store.rows import Person
from patrizier.server.store.sql import open_store

ANNA = Person("anna-0123456789ab", "Anna", 1.0, 1.0, login="anna", password_hash="kept")


class House:
    """Sessions in a real database, and those reported as ended."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0
        self.ended: list[str] = []
        self.sessions: Sessions


def living(folder: Path, story: Callable[[House], Awaitable[None]]) -> None:
    async def tell() -> None:
        store = await open_store(f"sqlite:///{folder / 'people.db'}")
        await store.people.add(ANNA)
        house = House()
        house.sessions = Sessions(store.sessions, lambda: house.time, house.ended.extend)
        try:
            await story(house)
        finally:
            await store.close()

    asyncio.run(tell())


def test_a_session_is_found_by_its_token_and_by_nothing_else(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        sessions = house.sessions
        token = await sessions.begin(ANNA, "Firefox · Linux")
        found = await sessions.find(Identity(ANNA.id, token))
        assert found is not None
        assert (found.device, found.began) == ("Firefox · Linux", house.time)
        assert token not in str(found)
        for wrong in (None, "another-token-0123", found.id, token[:-1]):
            assert await sessions.find(Identity(ANNA.id, wrong)) is None
        assert await sessions.find(Identity("ben-0123456789abc", token)) is None

    living(tmp_path, story)


def test_what_has_ended_is_told(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        sessions = house.sessions
        one, two = [Identity(ANNA.id, await sessions.begin(ANNA, "")) for _ in range(2)]
        await sessions.end(ANNA, but=two.key)
        assert house.ended == [one.key]
        assert await sessions.find(one) is None
        assert await sessions.find(two) is not None
        await sessions.end(ANNA)
        assert house.ended == [one.key, two.key]

    living(tmp_path, story)


def test_the_longest_unused_gives_way(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        sessions = house.sessions
        first = Identity(ANNA.id, await sessions.begin(ANNA, ""))
        for _ in range(MOST):
            house.time += 1
            await sessions.begin(ANNA, "")
        assert house.ended == [first.key]
        assert len(await sessions.of(ANNA)) == MOST

    living(tmp_path, story)


def test_a_session_lives_by_being_used(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        sessions = house.sessions
        used, unused = [Identity(ANNA.id, await sessions.begin(ANNA, "")) for _ in range(2)]
        house.time += UNUSED - 1
        assert await sessions.find(used) is not None
        house.time += 2
        assert await sessions.find(unused) is None
        assert [each.id for each in await sessions.of(ANNA)] == [used.key]
        await sessions.sweep()
        house.time -= 10  # as if it had not been so long
        assert await sessions.find(unused) is None
        assert await sessions.find(used) is not None

    living(tmp_path, story)
