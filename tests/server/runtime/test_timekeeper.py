import asyncio
import time as clock

import pytest

from patrizier.server.runtime.service import TableService
from patrizier.server.runtime.timekeeper import AWAY, Timekeeper
from patrizier.server.store.rows import Person
from patrizier.server.store.sql import SqlStore
from patrizier.server.table.clock import DAY
from patrizier.server.table.deadlines import ABSENCE, CONTRIBUTING
from patrizier.server.table.setup import Correspondence, Realtime, TableSetup
from server.company import (
    ANNA,
    BEN,
    SECRET,
    Time,
    a_service,
    new_id,
    play_turn,
    sit_down,
    whose_turn,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def time() -> Time:
    return Time()


def a_keeper(service: TableService, time: Time) -> Timekeeper:
    return Timekeeper(service.store, service.tables, service.hub, time)


async def test_time_that_is_up_brings_a_stand_in(store: SqlStore, time: Time) -> None:
    service = a_service(store, time)
    keeper = a_keeper(service, time)
    table = await sit_down(service, ANNA, BEN, pace=Realtime(base=60))
    person, message = await whose_turn(service, table, ANNA, BEN)
    seat = message.you.to_move
    assert seat is not None
    time.now += 59
    await keeper.round()
    assert (await service.message(table, person)).seats[seat].stand_in is None
    time.now += 2
    await keeper.round()
    assert (await service.message(table, person)).seats[seat].stand_in == "time"
    assert await store.bot_tables() == [table]


async def test_of_two_timekeepers_one_acts(store: SqlStore, time: Time) -> None:
    services = [a_service(store, time) for _ in range(3)]
    table = await sit_down(services[0], ANNA, BEN, pace=Correspondence(days=1))
    for service in services:
        await service.message(table, ANNA)
    before = len(await store.read(table))
    time.now += DAY + 1
    await asyncio.gather(*(a_keeper(service, time).round() for service in services))
    news = [type(each.event).__name__ for each in (await store.read(table))[before:]]
    assert news == ["Flagged", "StandIn"]


async def test_clocks_of_a_new_process_go_on(store: SqlStore, time: Time) -> None:
    table = await sit_down(a_service(store, time), ANNA, BEN, pace=Realtime(base=60))
    service = a_service(store, time)
    time.now += 61
    await a_keeper(service, time).round()
    assert await store.bot_tables() == [table]


async def test_time_without_any_server_does_not_count(store: SqlStore, time: Time) -> None:
    service = a_service(store, time)
    await a_keeper(service, time).give_back()
    table = await sit_down(service, ANNA, BEN, pace=Realtime(base=60))
    time.now += 20
    await a_keeper(service, time).round()  # a sign of life
    time.now += 10_000
    service = a_service(store, time)
    keeper = a_keeper(service, time)
    await keeper.give_back()
    await keeper.round()
    message = await service.message(table, ANNA)
    assert message.clock.deadline == pytest.approx(time.now + 40)
    assert await store.bot_tables() == []
    events = len(await store.read(table))
    await a_keeper(a_service(store, time), time).give_back()  # starting again gives nothing more
    assert len(await store.read(table)) == events


async def test_nobodys_time_is_up_before_clocks_have_got_theirs_back(
    store: SqlStore, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = a_service(store, time)
    await a_keeper(service, time).give_back()
    table = await sit_down(service, ANNA, BEN, pace=Realtime(base=60))
    time.now += 10_000
    service = a_service(store, time)
    keeper = a_keeper(service, time)

    async def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as full:
        for work in ("append", "beat"):
            full.setattr(store, work, fail)
        await keeper.begin()  # the server starts all the same
        with pytest.raises(OSError, match="full"):
            await keeper.round()
    await keeper.round()
    message = await service.message(table, ANNA)
    assert message.clock.deadline == pytest.approx(time.now + 60)
    assert await store.bot_tables() == []


async def test_a_short_restart_gives_nothing_back(store: SqlStore, time: Time) -> None:
    service = a_service(store, time)
    await a_keeper(service, time).give_back()
    table = await sit_down(service, ANNA, BEN, pace=Realtime(base=60))
    events = len(await store.read(table))
    time.now += AWAY / 2
    await a_keeper(a_service(store, time), time).give_back()
    assert len(await store.read(table)) == events


async def test_a_full_table_starts_without_contributions(store: SqlStore, time: Time) -> None:
    service = a_service(store, time)
    keeper = a_keeper(service, time)
    setup = TableSetup(players=2, seats=("person", "apprentice"))
    made = await service.create(ANNA, "Anna", setup, new_id())
    time.now += CONTRIBUTING
    await keeper.round()
    assert (await service.message(made.table, ANNA)).phase == "playing"


async def test_absence_is_noticed_when_somebody_waits(store: SqlStore, time: Time) -> None:
    service = a_service(store, time)
    keeper = a_keeper(service, time)
    table = await sit_down(service, ANNA, BEN)
    person, _ = await whose_turn(service, table, ANNA, BEN)
    other = BEN if person == ANNA else ANNA
    async with service.subscribe(table, other):
        time.now += ABSENCE + 1
        await keeper.round()
    assert (await store.bot_tables()) == [table]


async def test_who_is_connected_is_not_absent(store: SqlStore, time: Time) -> None:
    service = a_service(store, time)
    keeper = a_keeper(service, time)
    table = await sit_down(service, ANNA, BEN)
    async with service.subscribe(table, ANNA), service.subscribe(table, BEN):
        for _ in range(3):
            time.now += ABSENCE + 1
            await keeper.round()
            assert await store.due_tables(time.now) == []  # it is looked at again later
            assert await store.next_due() is not None
    assert await store.bot_tables() == []


async def test_who_is_connected_to_another_process_is_not_absent(
    store: SqlStore, time: Time
) -> None:
    here, there = a_service(store, time), a_service(store, time)
    table = await sit_down(here, ANNA, BEN)
    person, _ = await whose_turn(here, table, ANNA, BEN)
    other = BEN if person == ANNA else ANNA
    for each in (ANNA, BEN):
        await store.people.add(Person(each, each, created=0.0, seen=0.0))
    async with there.subscribe(table, person), here.subscribe(table, other):
        time.now += ABSENCE + 1
        await a_keeper(there, time).round()
        await a_keeper(here, time).round()
    assert await store.bot_tables() == []


async def test_nothing_happens_where_nothing_is_due(store: SqlStore, time: Time) -> None:
    service = a_service(store, time)
    keeper = a_keeper(service, time)
    table = await sit_down(service, ANNA, BEN, pace=Correspondence(days=3))
    await play_turn(service, table, ANNA, BEN)
    seq = (await service.message(table, ANNA)).seq
    time.now += 2 * DAY
    await keeper.round()
    assert (await service.message(table, ANNA)).seq == seq


async def test_the_loop_plans_for_what_is_due_next(store: SqlStore, time: Time) -> None:
    service = a_service(store, time)
    keeper = a_keeper(service, time)
    await sit_down(service, ANNA, BEN, pace=Correspondence(days=3))
    await keeper.round()
    assert keeper._planned == time.now + 3 * DAY
    assert not keeper._wake.is_set()
    await sit_down(service, ANNA, BEN, pace=Realtime(base=10))
    assert keeper._wake.is_set()
    await keeper.round()
    assert keeper._planned == time.now + 10


async def test_a_running_loop_acts_in_time(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("patrizier.server.runtime.timekeeper.LOOK", 0.2)
    start = clock.time()
    service = TableService(store, secret=SECRET, now=lambda: start + 10 * (clock.time() - start))
    keeper = Timekeeper(store, service.tables, service.hub, service._now)
    task = asyncio.create_task(keeper.run())
    try:
        table = await sit_down(service, ANNA, BEN, pace=Realtime(base=10))  # one of our seconds
        async with service.subscribe(table, ANNA) as anna:
            async with asyncio.timeout(20):
                message = await anext(anna)
                while not any(seat.stand_in for seat in message.seats):
                    message = await anext(anna)
        assert message.clock.deadline is None
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
