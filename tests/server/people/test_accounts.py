import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal

import pytest
from argon2 import PasswordHasher

from patrizier.server.errors import BadName, Declined
from patrizier.server.people.accounts import People
from patrizier.server.people.identity import Identity
from patrizier.server.people.passwords import Passwords
from patrizier.server.people.sessions import Sessions
from patrizier.server.store.sql import SqlStore, open_store
from server.support.statements import statements

QUICK = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
PASSWORD = "correct horse"


class Clock:
    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def __call__(self) -> float:
        return self.time


class House:
    """People in a real database, and those removed from tables."""

    def __init__(self, store: SqlStore) -> None:
        self.clock = Clock()
        self.left: list[str] = []
        self.sessions = Sessions(store.sessions, self.clock)
        self._store = store
        self.people = self.with_passwords(QUICK)

    def with_passwords(self, hasher: PasswordHasher) -> People:
        """Return the same people, with passwords hashed in another way."""
        passwords = Passwords(hasher)
        return People(self._store.people, self.sessions, passwords, self._leave, self.clock)

    async def _leave(self, person: str) -> None:
        self.left.append(person)


def living(folder: Path, story: Callable[[House], Awaitable[None]]) -> None:
    async def tell() -> None:
        store = await open_store(f"sqlite:///{folder / 'people.db'}")
        try:
            await story(House(store))
        finally:
            await store.close()

    asyncio.run(tell())


def test_a_guest_is_stored_only_after_doing_something(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = house.people
        guest = people.newcomer()
        assert guest.name.startswith("Guest ")
        house.clock.time += 100
        met = await people.of(Identity(guest.id))
        assert met is not None
        assert met.created == house.clock.time  # nothing was kept
        named = await people.rename(met, " Anna ")
        assert named.name == "Anna"
        assert await people.of(Identity(guest.id)) == named
        with pytest.raises(BadName):
            await people.rename(named, "")

    living(tmp_path, story)


def test_an_account_is_the_same_person(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = house.people
        guest = await people.rename(people.newcomer(), "Anna")
        account = await people.open_account(guest, "Anna.M", PASSWORD)
        assert (account.id, account.name, account.login) == (guest.id, "Anna", "anna.m")
        assert PASSWORD not in (account.password_hash or "")
        assert await people.sign_in("ANNA.m", PASSWORD) == account
        for login, password in (("anna.m", "wrong"), ("ben", PASSWORD)):
            with pytest.raises(Declined) as caught:
                await people.sign_in(login, password)
            assert caught.value.code == "wrong-password"
        with pytest.raises(Declined, match="already"):
            await people.open_account(account, "anna2", PASSWORD)
        with pytest.raises(Declined, match="of that name"):
            await people.open_account(people.newcomer(), "anna.m", PASSWORD)

    living(tmp_path, story)


class Noting(PasswordHasher):
    """Records the costs of each hash."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=64, parallelism=1)
        self.costs: list[str] = []

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
        self.costs.append(str(hash).rsplit("$", 2)[0])
        return super().verify(hash, password)


def test_signing_in_does_not_tell_whether_there_is_an_account(tmp_path: Path) -> None:
    """Neither by the answer, nor by the work and its time."""

    async def story(house: House) -> None:
        noting = Noting()
        people = house.with_passwords(noting)
        await people.open_account(people.newcomer(), "anna", PASSWORD)
        gone = await people.open_account(people.newcomer(), "gone", PASSWORD)
        await people.erase(gone, PASSWORD)
        told = []
        for login in ("anna", "nobody", "gone"):
            noting.costs.clear()
            with statements() as said, pytest.raises(Declined) as caught:
                await people.sign_in(login, "wrong horse")
            told.append((caught.value.reason, caught.value.values, noting.costs[:], said))
        assert told[0] == told[1] == told[2]
        assert len(told[0][2]) == 1  # hashed, and with what it costs
        assert told[0][3]

    living(tmp_path, story)


def test_an_account_needs_a_session(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = house.people
        guest = people.newcomer()
        account = await people.open_account(guest, "anna", PASSWORD)
        assert await people.of(Identity(guest.id)) is None  # the cookie of before
        assert await people.of(Identity(guest.id, "made-up-0123456789")) is None
        one, two = [await house.sessions.begin(account, "") for _ in range(2)]
        assert await people.of(Identity(account.id, one)) == account
        assert await people.of(Identity(account.id, two)) == account
        other = await people.open_account(people.newcomer(), "ben", PASSWORD)
        assert await people.of(Identity(other.id, one)) is None  # that is somebody else's

    living(tmp_path, story)


def test_another_password_ends_all_sessions(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = house.people
        account = await people.open_account(people.newcomer(), "anna", PASSWORD)
        token = await house.sessions.begin(account, "")
        with pytest.raises(Declined):
            await people.change_password(account, "wrong", "battery staple")
        assert await people.of(Identity(account.id, token)) == account
        changed = await people.change_password(account, PASSWORD, "battery staple")
        assert await people.of(Identity(account.id, token)) is None
        assert await people.sign_in("anna", "battery staple") == changed
        # Somebody gave the old password in time, and was not fast enough.
        with pytest.raises(Declined, match="password"):
            await house.sessions.begin(account, "")
        assert await house.sessions.of(account) == []

    living(tmp_path, story)


def test_a_guest_has_no_password_to_change(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        with pytest.raises(Declined, match="not signed in"):
            await house.people.change_password(house.people.newcomer(), "", "battery staple")

    living(tmp_path, story)


def test_two_changes_at_once_do_not_undo_each_other(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = house.people
        account = await people.open_account(people.newcomer(), "anna", PASSWORD)
        await people.change_password(account, PASSWORD, "battery staple")
        await people.rename(account, "Anna")  # by who has read the account before
        assert (await people.sign_in("anna", "battery staple")).name == "Anna"

    living(tmp_path, story)


def test_an_erased_person_is_gone_for_good(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = house.people
        account = await people.open_account(people.newcomer(), "anna", PASSWORD)
        token = await house.sessions.begin(account, "")
        with pytest.raises(Declined, match="confirm"):
            await people.erase(account, None)
        assert house.left == []
        await people.erase(account, PASSWORD)
        assert house.left == [account.id]
        for session in (None, token):
            assert await people.of(Identity(account.id, session)) is None
        with pytest.raises(Declined):
            await people.sign_in("anna", PASSWORD)
        again = await people.open_account(people.newcomer(), "anna", PASSWORD)
        assert again.id != account.id

    living(tmp_path, story)


def test_an_erased_guest_cannot_come_back_by_a_copied_cookie(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        guest = house.people.newcomer()
        await house.people.erase(guest, None)
        assert await house.people.of(Identity(guest.id)) is None

    living(tmp_path, story)


def test_weak_hashes_are_replaced_when_somebody_signs_in(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = house.people
        account = await people.open_account(people.newcomer(), "anna", PASSWORD)
        people = house.with_passwords(PasswordHasher(time_cost=2, memory_cost=64, parallelism=1))
        signed_in = await people.sign_in("anna", PASSWORD)
        assert signed_in.password_hash != account.password_hash
        assert await people.sign_in("anna", PASSWORD) == signed_in

    living(tmp_path, story)


def test_visits_are_noted_now_and_then(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        person = await house.people.rename(house.people.newcomer(), "Anna")
        house.clock.time += 10
        await house.people.of(Identity(person.id))
        found = await house.people.of(Identity(person.id))
        assert found is not None
        assert found.seen == person.seen
        house.clock.time += 60
        await house.people.of(Identity(person.id))
        found = await house.people.of(Identity(person.id))
        assert found is not None
        assert found.seen == house.clock.time

    living(tmp_path, story)


def test_the_language_of_the_last_visit_is_remembered(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        people = house.people
        guest = people.newcomer("de")
        assert guest.language == "de"
        await people.keep(guest)
        assert await people.of(Identity(guest.id)) == guest  # a program that tells no language
        house.clock.time += 60
        await people.of(Identity(guest.id), "it")
        house.clock.time += 60
        found = await people.of(Identity(guest.id))
        assert found is not None
        assert found.language == "it"
        asked = await people.of(Identity(guest.id), "nl")
        assert asked is not None
        await people.keep(asked)  # who asks for mails gets them in this language at once
        found = await people.of(Identity(guest.id))
        assert found is not None
        assert found.language == "nl"

    living(tmp_path, story)


def test_a_guest_who_was_not_stored_is_kept_with_their_language(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        person = house.people.newcomer()
        met = await house.people.of(Identity(person.id), "it")
        assert met is not None
        await house.people.rename(met, "Anna")
        found = await house.people.of(Identity(person.id))
        assert found is not None
        assert found.language == "it"

    living(tmp_path, story)
