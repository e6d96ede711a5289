"""Friends, invitations, leaderboards, and what lists leave out."""

from dataclasses import replace

import pytest

from patrizier.server.store.rows import Person, Rating, Result, ResultSeat, SeatSummary
from patrizier.server.store.sql import SqlStore
from server.store.test_store import add, seat

pytestmark = pytest.mark.anyio

ANNA, BEN, EVE = "anna-0123456789ab", "ben-0123456789abc", "eve-0123456789abc"


async def meet(store: SqlStore, *ids: str) -> None:
    for each in ids:
        await store.people.add(Person(each, each.split("-")[0].title(), created=1.0, seen=2.0))


async def rate(store: SqlStore, table: str, **careful: float) -> None:
    """Give people ratings, by the first part of their id."""
    whole = {"anna": ANNA, "ben": BEN, "eve": EVE}
    await add(store, table, phase="finished")
    seats = tuple(
        ResultSeat(number, whole[name], name, None, 1, 1) for number, name in enumerate(careful)
    )
    result = Result(table, 2, "", True, 1.0, "", seats)
    ratings = [Rating(whole[name], 2, value + 3, 1.0, 4) for name, value in careful.items()]
    assert await store.results.settle(result, lambda _result, _before: ratings)


# -- friends


async def test_two_people_are_friends_once_both_have_agreed(store: SqlStore) -> None:
    await meet(store, ANNA, BEN)
    await store.friends.add(ANNA, BEN, 1.0)
    (ben,), (anna,) = await store.friends.of(ANNA), await store.friends.of(BEN)
    assert (ben.name, ben.asked, ben.wants) == ("Ben", True, False)
    assert (anna.name, anna.asked, anna.wants) == ("Anna", False, True)
    await store.friends.add(BEN, ANNA, 2.0)
    await store.friends.add(BEN, ANNA, 3.0)  # once more does no harm
    (ben,) = await store.friends.of(ANNA)
    assert (ben.asked, ben.wants) == (True, True)
    await store.friends.remove(BEN, ANNA)
    assert await store.friends.of(ANNA) == await store.friends.of(BEN) == []


async def test_friends_of_a_guest_follow_to_the_account(store: SqlStore) -> None:
    guest = "guest-0123456789a"
    await meet(store, ANNA, BEN, EVE, guest)
    for one, two in ((guest, BEN), (BEN, guest), (guest, EVE), (guest, ANNA), (ANNA, BEN)):
        await store.friends.add(one, two, 1.0)
    await store.friends.adopt(guest, ANNA)
    found = {each.id: (each.asked, each.wants) for each in await store.friends.of(ANNA)}
    assert found == {BEN: (True, True), EVE: (True, False)}
    assert await store.friends.of(guest) == []


async def test_who_is_erased_vanishes_from_all_lists(store: SqlStore) -> None:
    await meet(store, ANNA, BEN)
    await store.friends.add(ANNA, BEN, 1.0)
    await store.people.change(BEN, friend_code="c" * 22, avatar="RO")
    await add(store, "open", phase="open", seats=(seat(0, BEN), seat(1)))
    await store.invitations.add("open", BEN, ANNA, 1.0)
    await rate(store, "rated", anna=3.0, ben=5.0)
    assert len(await store.results.best(2)) == 2
    await store.people.erase(BEN)
    assert await store.friends.of(ANNA) == []
    assert await store.invitations.of(ANNA) == []
    assert await store.people.by_friend_code("c" * 22) is None
    assert [each.name for each in await store.results.best(2)] == ["Anna"]


# -- invitations


async def test_invitations_wait_with_their_table(store: SqlStore) -> None:
    await meet(store, ANNA, BEN)
    await add(store, "open", phase="open", seats=(seat(0, ANNA), seat(1)))
    await store.invitations.add("open", ANNA, BEN, 5.0)
    await store.invitations.add("open", ANNA, BEN, 6.0)
    (found,) = await store.invitations.of(BEN)
    assert (found.table.id, found.name, found.at) == ("open", "Anna", 5.0)
    assert await store.invitations.invited("open") == {BEN}
    await add(store, "open", 1, phase="playing")
    assert await store.invitations.of(BEN) == []
    await store.invitations.clean()
    assert await store.invitations.invited("open") == set()


async def test_who_has_declined_is_not_asked_again(store: SqlStore) -> None:
    await meet(store, ANNA, BEN)
    await add(store, "open", phase="open", seats=(seat(0, ANNA), seat(1)))
    await store.invitations.add("open", ANNA, BEN, 5.0)
    await store.invitations.decline("open", BEN)
    await store.invitations.add("open", ANNA, BEN, 6.0)
    assert await store.invitations.of(BEN) == []
    assert await store.invitations.invited("open") == {BEN}


async def test_invitations_of_a_guest_follow_to_the_account(store: SqlStore) -> None:
    guest = "guest-0123456789a"
    await meet(store, ANNA, BEN, guest)
    for table in ("one", "two"):
        await add(store, table, phase="open", seats=(seat(0, ANNA), seat(1)))
        await store.invitations.add(table, ANNA, guest, 5.0)
    await store.invitations.add("one", ANNA, BEN, 5.0)
    await store.invitations.adopt(guest, BEN)
    assert {each.table.id for each in await store.invitations.of(BEN)} == {"one", "two"}
    assert await store.invitations.of(guest) == []


# -- leaderboards


async def test_leaderboards_come_in_pages(store: SqlStore) -> None:
    await meet(store, ANNA, BEN, EVE)
    await rate(store, "rated", anna=3.0, ben=5.0, eve=4.0)
    first = await store.results.best(2, 2)
    assert [(each.place, each.name) for each in first] == [(1, "Ben"), (2, "Eve")]
    (last,) = await store.results.best(2, 2, 2)
    assert (last.place, last.name, last.rating.games) == (3, "Anna", 4)
    assert await store.results.best(3) == []
    rank = await store.results.rank_of(ANNA, 2)
    assert rank == last
    assert await store.results.rank_of(ANNA, 3) is None


async def test_who_hides_is_in_no_leaderboard(store: SqlStore) -> None:
    await meet(store, ANNA, BEN, EVE)
    await rate(store, "rated", anna=3.0, ben=5.0, eve=4.0)
    await store.people.change(BEN, listed=False)
    assert [(each.place, each.name) for each in await store.results.best(2)] == [
        (1, "Eve"),
        (2, "Anna"),
    ]
    assert await store.results.rank_of(BEN, 2) is None
    assert len(await store.results.ratings_of(BEN)) == 1  # they still see their own


# -- lists of tables


async def test_games_to_watch_are_those_that_say_so(store: SqlStore) -> None:
    await add(store, "shy", at=1.0)
    for number in range(3):
        await add(store, f"open-{number}", at=2.0 + number, watched=True)
    assert [each.id for each in await store.watched_tables(2)] == ["open-2", "open-1"]
    assert [each.id for each in await store.watched_tables(2, before=3.0)] == ["open-0"]
    await add(store, "open-2", 1, at=9.0, phase="finished", watched=False)
    assert [each.id for each in await store.watched_tables()] == ["open-1", "open-0"]


async def test_a_game_that_was_given_up_is_listed_no_more(store: SqlStore) -> None:
    gone = SeatSummary(0, ANNA, "Anna", "merchant", to_move=False, resigned=True)
    await add(store, "table", seats=(gone, seat(1, BEN)))
    assert await store.tables_of(ANNA) == []
    assert [each.id for each in await store.tables_of(BEN)] == ["table"]
    await add(store, "table", 1, seats=(replace(gone, resigned=False), seat(1, BEN)))
    assert [each.id for each in await store.tables_of(ANNA)] == ["table"]
