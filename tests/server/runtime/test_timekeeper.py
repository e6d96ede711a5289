import asyncio
import time as clock

import pytest

from patrizier.server.runtime.news import News
from patrizier.server.runtime.service import TableService
from patrizier.server.runtime.shared_time import AWAY, Lease, SharedTime
from patrizier.server.runtime.timekeeper import Timekeeper
from patrizier.server.store.rows import Person, Pulse
from patrizier.server.store.sql import SqlStore
from patrizier.server.table.clock import DAY
from patrizier.server.table.commands import Resign
from patrizier.server.table.handlers.deadlines import ABSENCE, CONTRIBUTING, LEFT
from patrizier.server.table.setup import Correspondence, Realtime, TableSetup
from server.support.players import (
    ANNA,
    BEN,
    Time,
    a_service,
    new_id,
    next_play,
    play_turn,
    sit_down,
    whose_turn,
)
from server.support.stores import FillingStore

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
    assert [seat.stand_in for seat in (await service.message(table, ANNA)).seats].count("time")


async def test_time_without_any_server_does_not_count(store: SqlStore, time: Time) -> None:
    service = a_service(store, time)
    await a_keeper(service, time).beat()
    table = await sit_down(service, ANNA, BEN, pace=Realtime(base=60))
    time.now += 20
    await a_keeper(service, time).round()  # a heartbeat
    time.now += 10_000
    service = a_service(store, time)
    keeper = a_keeper(service, time)
    await keeper.beat()
    await keeper.round()
    message = await service.message(table, ANNA)
    assert message.clock.deadline == pytest.approx(time.now + 40)
    assert not any(seat.stand_in for seat in (await service.message(table, ANNA)).seats)
    events = len(await store.read(table))
    await a_keeper(a_service(store, time), time).beat()  # starting again gives nothing more
    assert len(await store.read(table)) == events


async def test_nobodys_time_is_up_before_clocks_have_got_theirs_back(
    store: SqlStore, time: Time
) -> None:
    service = a_service(store, time)
    await a_keeper(service, time).beat()
    table = await sit_down(service, ANNA, BEN, pace=Realtime(base=60))
    time.now += 10_000
    filling = FillingStore(store.database, store.writer)
    service = a_service(filling, time)
    keeper = a_keeper(service, time)
    filling.is_full = True
    await keeper.begin()  # the server starts all the same
    with pytest.raises(OSError, match="full"):
        await keeper.round()
    filling.is_full = False
    await keeper.round()
    message = await service.message(table, ANNA)
    assert message.clock.deadline == pytest.approx(time.now + 60)
    assert not any(seat.stand_in for seat in (await service.message(table, ANNA)).seats)


async def test_a_short_restart_gives_nothing_back(store: SqlStore, time: Time) -> None:
    service = a_service(store, time)
    await a_keeper(service, time).beat()
    table = await sit_down(service, ANNA, BEN, pace=Realtime(base=60))
    events = len(await store.read(table))
    time.now += AWAY / 2
    await a_keeper(a_service(store, time), time).beat()
    assert len(await store.read(table)) == events


class Jumping(SharedTime):
    """The shared time; the test moves this machine's and the database's clocks."""

    def __init__(self) -> None:
        self.up, self.set = 1000.0, 1_700_000_000.0
        super().__init__(lambda: self.up, self.wall)

    def wall(self) -> float:
        return self.set + self.up


class JumpingStore(SqlStore):
    """A store whose clock the test moves."""

    def __init__(self, store: SqlStore, time: Jumping) -> None:
        super().__init__(store.database, store.writer)
        self._time = time

    async def pulse(self) -> Pulse:
        return Pulse((await super().pulse()).at, self._time.wall())


@pytest.mark.parametrize("jump", [3600, -2 * DAY, 20, -20])
async def test_a_clock_that_is_set_costs_nobody_time_and_stops_nothing(
    store: SqlStore, jump: float
) -> None:
    time = Jumping()
    jumping = JumpingStore(store, time)
    service = a_service(jumping, time)
    keeper = Timekeeper(jumping, service.tables, service.hub, time)
    await keeper.beat()
    table = await sit_down(service, ANNA, BEN, pace=Realtime(base=60, increment=0))
    person, message = await whose_turn(service, table, ANNA, BEN)
    seat = message.you.to_move
    assert seat is not None
    time.up += 20
    time.set += jump
    await keeper.round()
    message = await service.message(table, person)
    assert message.seats[seat].stand_in is None
    deadline = message.clock.deadline
    assert deadline is not None
    assert 40 <= deadline - message.now <= 60  # a jump ahead may be to the player's good
    for _ in range(6):
        time.up += 10
        await keeper.round()
    assert (await service.message(table, person)).seats[seat].stand_in == "time"


async def test_who_was_away_when_the_clock_was_set_is_not_replaced(
    store: SqlStore,
) -> None:
    time = Jumping()
    jumping = JumpingStore(store, time)
    service = a_service(jumping, time)
    keeper = Timekeeper(jumping, service.tables, service.hub, time)
    await keeper.beat()
    table = await sit_down(service, ANNA, BEN)
    person, _ = await whose_turn(service, table, ANNA, BEN)
    async with service.subscribe(table, BEN if person == ANNA else ANNA):
        time.up += 10
        time.set += 2 * ABSENCE
        await keeper.round()
        assert not any(seat.stand_in for seat in (await service.message(table, ANNA)).seats)
        for _ in range(int(ABSENCE / 10) + 1):
            time.up += 10
            await keeper.beat()
        await keeper.round()
    assert [seat.stand_in for seat in (await service.message(table, ANNA)).seats].count("absent")


async def test_a_process_that_was_stopped_gives_the_time_back_before_anybody_plays(
    store: SqlStore,
) -> None:
    time = Jumping()
    jumping = JumpingStore(store, time)
    service = a_service(jumping, time, lease=Lease(lambda: time.up))
    keeper = Timekeeper(jumping, service.tables, service.hub, time)
    table = await sit_down(service, ANNA, BEN, pace=Realtime(base=60, increment=0))
    running = asyncio.create_task(keeper.run())
    try:
        while (await store.pulse()).at is None:
            await asyncio.sleep(0.01)
        person, message = await whose_turn(service, table, ANNA, BEN)
        seat = message.you.to_move
        assert seat is not None
        time.up += 3600  # nothing ran in this process, nor in any other
        after = await service.command(table, person, next_play(message))
        left = after.seats[seat].seconds_left
        assert left is not None
        assert left >= 50
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


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
    assert [seat.stand_in for seat in (await service.message(table, other)).seats].count("absent")


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
    assert not any(seat.stand_in for seat in (await service.message(table, ANNA)).seats)


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
    assert not any(seat.stand_in for seat in (await here.message(table, ANNA)).seats)


async def test_a_game_that_everybody_has_left_is_given_up_after_a_day(
    store: SqlStore, time: Time
) -> None:
    service = a_service(store, time)
    keeper = a_keeper(service, time)
    table = await sit_down(service, ANNA, BEN)
    for seat, person in enumerate((ANNA, BEN)):
        await service.command(table, person, Resign(id=new_id(), seat=seat))

    async def later(seconds: float) -> None:
        time.now += seconds
        await store.beat(time.now)  # some server was there all the time
        await keeper.round()

    async with service.subscribe(table, ANNA):
        await later(LEFT + 1)  # she looks on
    assert (await service.message(table, ANNA)).phase == "playing"
    await later(LEFT - 1)
    assert (await service.message(table, ANNA)).phase == "playing"
    await later(2)
    message = await service.message(table, ANNA)
    assert message.phase == "abandoned"
    assert [entry.kind for entry in message.log][-1] == "news"
    assert await store.next_due() is None
    assert await store.tables_of(ANNA) == []
    assert await store.results.unsettled() == []


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
    news = News()
    service = a_service(store, time, news=news)
    keeper = a_keeper(service, time)
    news.on_append(keeper.notice)
    await sit_down(service, ANNA, BEN, pace=Correspondence(days=3))
    await keeper.round()
    assert keeper.next_round == time.now + 3 * DAY
    await sit_down(service, ANNA, BEN, pace=Realtime(base=10))
    assert keeper.next_round == time.now
    await keeper.round()
    assert keeper.next_round == time.now + 10


class Hurry(Time):
    """Time that passes ten times as fast."""

    def __init__(self) -> None:
        super().__init__(clock.monotonic())

    def __call__(self) -> float:
        return self.now + 10 * (clock.monotonic() - self.now)


async def test_a_running_loop_acts_in_time(store: SqlStore) -> None:
    time = Hurry()
    news = News()
    service = a_service(store, time, news=news)
    keeper = Timekeeper(store, service.tables, service.hub, time, look=0.2)
    news.on_append(keeper.notice)
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
