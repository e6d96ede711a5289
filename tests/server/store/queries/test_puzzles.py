"""Attempts at puzzles: kept with the person, and gone with them."""

import pytest

from patrizier.puzzles.collection import shipped
from patrizier.server.puzzles.progress import after
from patrizier.server.store.rows import Person, PuzzleTry
from patrizier.server.store.sql import SqlStore

pytestmark = pytest.mark.anyio

ONE, TWO, THREE = list(shipped())[:3]


async def solve(store: SqlStore, person: str, *puzzles: str) -> None:
    tries = [PuzzleTry(puzzle, solved=True, at=float(at)) for at, puzzle in enumerate(puzzles, 1)]
    await store.puzzles.note(person, tries, after)


async def test_a_guest_takes_them_along_into_an_account(store: SqlStore) -> None:
    await solve(store, "guest", ONE, TWO)
    guest = await store.puzzles.solver("guest")
    await store.puzzles.adopt("guest", "anna")
    anna = await store.puzzles.solver("anna")
    assert guest is not None
    assert anna is not None
    assert (anna.mu, anna.streak) == (guest.mu, guest.streak)
    assert await store.puzzles.done("anna") == {ONE: 1, TWO: 1}
    assert await store.puzzles.solver("guest") is None


async def test_an_account_keeps_its_own(store: SqlStore) -> None:
    await solve(store, "anna", ONE)
    before = await store.puzzles.solver("anna")
    await solve(store, "guest", ONE, ONE, THREE)
    await store.puzzles.adopt("guest", "anna")
    assert await store.puzzles.solver("anna") == before
    assert await store.puzzles.done("anna") == {ONE: 1, THREE: 1}
    assert await store.puzzles.done("guest") == {}


async def test_they_are_erased_with_the_person_but_ratings_of_puzzles_stay(store: SqlStore) -> None:
    await store.people.add(Person("anna", "Anna", created=0.0, seen=0.0))
    await solve(store, "anna", ONE)
    await store.people.erase("anna")
    assert await store.puzzles.done("anna") == {}
    assert await store.puzzles.solver("anna") is None
    assert (await store.puzzles.ratings())[ONE].tries == 1


async def test_guests_who_are_forgotten_leave_nothing_behind(store: SqlStore) -> None:
    await store.people.add(Person("guest", "Guest", created=0.0, seen=0.0))
    await solve(store, "guest", ONE)
    assert await store.people.forget_guests(1.0) == 1
    assert await store.puzzles.done("guest") == {}
