import asyncio
from dataclasses import replace

import pytest

from patrizier.server.store.base import LoginTaken
from patrizier.server.store.rows import MailJob, Person, Rating, Result, ResultSeat, YourTurn
from patrizier.server.store.sql import SqlStore
from server.store.test_store import ANNA, BEN, add, seat

pytestmark = pytest.mark.anyio


def a_person(person_id: str = ANNA, **fields: object) -> Person:
    person = Person(person_id, "Anna", created=1.0, seen=1.0)
    return replace(person, **fields)  # type: ignore[arg-type]


def a_result(table: str, finished: float = 9.0, *, rated: bool = True) -> Result:
    seats = (
        ResultSeat(0, ANNA, "Anna", None, 51, 1),
        ResultSeat(1, BEN, "Ben", None, 48, 2, left=True),
    )
    return Result(table, 2, "messengers", rated, finished, '[Game "Patrizier"]', seats)


async def test_people_are_kept_and_changed(store: SqlStore) -> None:
    anna = a_person()
    await store.people.add(anna)
    assert await store.people.get(ANNA) == anna
    account = replace(anna, name="Änne", login="änne", password_hash="x", email="a@b.de")
    await store.people.change(ANNA, name="Änne", login="änne", password_hash="x", email="a@b.de")
    assert await store.people.get(ANNA) == account
    assert await store.people.by_login("änne") == account
    await store.people.seen(ANNA, 5.0, "it")
    assert await store.people.get(ANNA) == replace(account, seen=5.0, language="it")
    assert await store.people.get(BEN) is None


async def test_a_login_is_one_persons(store: SqlStore) -> None:
    await store.people.add(a_person(login="anna"))
    with pytest.raises(LoginTaken):
        await store.people.add(a_person(BEN, login="anna"))
    await store.people.add(a_person(BEN))
    with pytest.raises(LoginTaken):
        await store.people.change(BEN, login="anna")


async def test_a_guest_who_comes_twice_at_once_is_one(store: SqlStore) -> None:
    await asyncio.gather(*(store.people.add(a_person()) for _ in range(3)))
    assert await store.people.get(ANNA) == a_person()


async def test_erasing_leaves_nothing_but_the_id(store: SqlStore) -> None:
    await add(store, "t", phase="finished")
    await store.people.add(a_person(login="anna", password_hash="x", email="a@b.de", language="de"))
    await store.results.settle(a_result("t"), lambda *_: [Rating(ANNA, 2, 25.0, 8.0, 1)])
    await store.people.erase(ANNA)
    assert await store.people.get(ANNA) == a_person(name="", mail=False, erased=True)
    assert await store.results.ratings_of(ANNA) == []
    result = await store.results.result("t")
    assert result is not None
    assert [seat.name for seat in result.seats] == ["Somebody", "Ben"]
    assert await store.results.results_of(ANNA) == []


async def test_old_guests_are_forgotten(store: SqlStore) -> None:
    await add(store, seats=(seat(0, "sits"),))
    await store.people.add(a_person("sits"))
    await store.people.add(a_person("account", login="a"))
    await store.people.add(a_person("lately", seen=50.0))
    await store.people.add(a_person("gone"))
    assert await store.people.forget_guests(before=40.0) == 1
    assert await store.people.get("gone") is None
    assert await store.people.forget_guests(before=40.0) == 0


async def test_a_game_is_settled_once(store: SqlStore) -> None:
    await add(store, "t", phase="finished")
    await add(store, "running")
    assert await store.results.unsettled() == ["t"]

    def rate(result: Result, before: object) -> list[Rating]:
        assert before == {}
        return [Rating(ANNA, 2, 26.0, 8.0, 1), Rating(BEN, 2, 24.0, 8.0, 1)]

    tries = [store.results.settle(a_result("t"), rate) for _ in range(3)]
    assert sorted(await asyncio.gather(*tries)) == [False, False, True]
    assert await store.results.unsettled() == []
    assert await store.results.result("t") == a_result("t")
    assert await store.results.result("running") is None
    found = await store.results.ratings([ANNA, BEN, "nobody"], 2)
    assert {person: rating.mu for person, rating in found.items()} == {ANNA: 26.0, BEN: 24.0}
    assert [each.person for each in await store.results.ratings_of(ANNA)] == [ANNA]


async def test_ratings_of_games_that_end_at_once_add_up(store: SqlStore) -> None:
    for number in range(10):
        await add(store, f"t{number}", phase="finished")

    def rate(result: Result, before: dict[str, Rating]) -> list[Rating]:
        games = before[ANNA].games if ANNA in before else 0
        return [Rating(ANNA, 2, 25.0, 8.0, games + 1)]

    settle = store.results.settle
    await asyncio.gather(*(settle(a_result(f"t{n}"), rate) for n in range(10)))  # type: ignore[arg-type]
    assert (await store.results.ratings_of(ANNA))[0].games == 10


async def test_history_of_a_person(store: SqlStore) -> None:
    for number in range(4):
        await add(store, f"t{number}", phase="finished")
        await store.results.settle(a_result(f"t{number}", float(number)))
    history = await store.results.results_of(ANNA, limit=3)
    assert [result.table_id for result in history] == ["t3", "t2", "t1"]
    assert history[0] == replace(a_result("t3", 3.0), record="")
    history = await store.results.results_of(ANNA, before=1.0)
    assert [result.table_id for result in history] == ["t0"]
    assert await store.results.results_of("nobody") == []


async def test_your_turn_is_told_once_a_turn(store: SqlStore) -> None:
    await add(store, "slow", pace="correspondence:3", turn=4)
    await add(store, "fast", pace="realtime:300+5", turn=4)
    assert await store.mail.your_turns() == []
    await store.people.add(a_person(email="a@b.de"))
    (mail,) = await store.mail.your_turns()
    assert mail == YourTurn("slow", 4, ANNA, "Anna", "a@b.de")
    job = MailJob(f"turn slow 4 {ANNA}", ANNA, "a@b.de", "slow", 4)
    puts = [store.mail.put(job, 1.0) for _ in range(3)]
    assert sorted(await asyncio.gather(*puts)) == [False, False, True]
    assert await store.mail.your_turns() == []
    await store.mail.finish(job.key)
    assert await store.mail.your_turns() == []
    await add(store, "slow", 1, pace="correspondence:3", turn=6)
    assert [mail.turn for mail in await store.mail.your_turns()] == [6]
    await store.people.change(ANNA, mail=False)
    assert await store.mail.your_turns() == []


async def test_many_people_are_noted_at_once(store: SqlStore) -> None:
    ids = [f"person-{number:016}" for number in range(250)]
    for person in ids[::10]:
        await store.people.add(Person(person, "Somebody", created=1.0, seen=1.0))
    await store.people.all_seen(ids, 7.0)
    assert await store.people.last_seen(ids) == dict.fromkeys(ids[::10], 7.0)
