import asyncio
from typing import Any

import pytest

from patrizier.server.runtime.hub import MOST_BEHIND, Dropped
from patrizier.server.runtime.news import News
from patrizier.server.store.sql import SqlStore, open_store
from patrizier.server.table.commands import Join, OfferRematch, Refused, Resign, Say
from patrizier.server.table.setup import TableSetup
from server.support.players import (
    ANNA,
    BEN,
    CLEO,
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


async def test_a_table_from_the_first_seat_to_the_record(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    turns = 0
    while (await service.message(table, ANNA)).phase == "playing":
        message = await play_turn(service, table, ANNA, BEN)
        turns += 1
        assert message.turn == turns
    assert message.phase == "finished"
    again = a_service(store)
    assert (await again.message(table, ANNA)).result == message.result
    assert await store.results.unsettled() == [table]


async def test_a_repeated_creation_gives_the_same_table(store: SqlStore) -> None:
    service = a_service(store)
    first = await service.create(ANNA, "Anna", TableSetup(players=2), "once")
    again = await service.create(ANNA, "Anna", TableSetup(players=3), "once")
    other = await service.create(BEN, "Ben", TableSetup(players=2), "once")
    later = await a_service(store).create(ANNA, "Anna", TableSetup(players=2), "once")
    assert first.table == again.table == later.table != other.table
    assert again.setup == first.setup
    assert again.deal == first.deal


async def test_unknown_tables_are_refused(store: SqlStore) -> None:
    service = a_service(store)
    for attempt in (
        service.message("no-such-table-0000", ANNA),
        service.command("no-such-table-0000", ANNA, Say(id="x", text="hello")),
    ):
        with pytest.raises(Refused) as caught:
            await attempt
        assert caught.value.code == "unknown"


async def test_of_two_turns_at_once_one_wins(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    for _ in range(10):
        person, message = await whose_turn(service, table, ANNA, BEN)
        tries = [service.command(table, person, next_play(message)) for _ in range(3)]
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        refused = [each.code for each in outcomes if isinstance(each, Refused)]
        assert refused == ["stale", "stale"]
    assert (await service.message(table, ANNA)).turn == 10


async def test_of_two_processes_one_wins(store: SqlStore, database_url: str) -> None:
    other_store = await open_store(database_url)
    try:
        services = a_service(store), a_service(other_store)
        table = await sit_down(services[0], ANNA, BEN)
        for turn in range(10):
            await services[1].message(table, ANNA)
            person, message = await whose_turn(services[turn % 2], table, ANNA, BEN)
            tries = [each.command(table, person, next_play(message)) for each in services]
            outcomes = await asyncio.gather(*tries, return_exceptions=True)
            assert [each.code for each in outcomes if isinstance(each, Refused)] == ["stale"]
            for each in services:
                await each.tables.refresh(table)
                assert (await each.message(table, ANNA)).turn == turn + 1
    finally:
        await other_store.close()


async def test_chat_of_two_processes_all_comes_through(store: SqlStore, database_url: str) -> None:
    other_store = await open_store(database_url)
    try:
        services = a_service(store), a_service(other_store)
        table = await sit_down(services[0], ANNA, BEN)
        lines = [
            services[number % 2].command(table, ANNA, Say(id=new_id(), text=f"line {number}"))
            for number in range(20)
        ]
        await asyncio.gather(*lines)
        await services[0].tables.refresh(table)
        message = await services[0].message(table, ANNA)
        said = [entry.text for entry in message.log if entry.kind == "said"]
        assert sorted(said) == sorted(f"line {number}" for number in range(20))
    finally:
        await other_store.close()


async def test_a_repeated_command_is_harmless(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    person, message = await whose_turn(service, table, ANNA, BEN)
    command = next_play(message)
    first = await service.command(table, person, command)
    for each in (service, a_service(store)):
        again = await each.command(table, person, command)
        assert (again.seq, again.turn, again.answers) == (first.seq, 1, command.id)
    said = Say(id="said-once", text="hello")
    results = await asyncio.gather(*(service.command(table, person, said) for _ in range(5)))
    assert {result.seq for result in results} == {first.seq + 1}


async def test_a_command_repeated_long_after_is_harmless(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    person, message = await whose_turn(service, table, ANNA, BEN)
    command = next_play(message)
    await service.command(table, person, command)
    for number in range(80):  # more than a table remembers by itself
        await service.command(table, ANNA, Say(id=new_id(), text=f"line {number}"))
    await play_turn(service, table, ANNA, BEN)
    answer = await a_service(store).command(table, person, command)
    assert (answer.turn, answer.answers) == (2, command.id)


async def test_the_same_id_of_another_person_is_another_command(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    await service.command(table, ANNA, Say(id="x", text="Anna"))
    message = await service.command(table, BEN, Say(id="x", text="Ben"))
    assert [entry.text for entry in message.log if entry.kind == "said"] == ["Anna", "Ben"]


async def test_events_are_stored_before_anybody_hears_of_them(store: SqlStore) -> None:
    order: list[str] = []

    class SlowStore(SqlStore):
        """A store that looks at the table while it appends."""

        table: str | None = None  # the one to look at

        async def append(self, *args: Any, **more: Any) -> None:
            if self.table is not None:
                await asyncio.sleep(0)
                assert (await service.message(self.table, BEN)).turn == 0  # nobody sees it yet
            await super().append(*args, **more)
            order.append("stored")

    slow, news = SlowStore(store.database, store.writer), News()
    news.on_append(lambda *_: order.append("observed"))
    service = a_service(slow, news=news)
    table = slow.table = await sit_down(service, ANNA, BEN)
    order.clear()
    person, message = await whose_turn(service, table, ANNA, BEN)
    other = BEN if person == ANNA else ANNA
    async with service.subscribe(table, other, since=message.seq) as subscription:
        await anext(subscription)

        async def listen() -> None:
            await anext(subscription)
            order.append("told")

        listening = asyncio.create_task(listen())
        await service.command(table, person, next_play(message))
        await listening
    assert order == ["stored", "observed", "told"]


async def test_what_could_not_be_stored_did_not_happen(store: SqlStore) -> None:
    full = FillingStore(store.database, store.writer)
    service = a_service(full)
    table = await sit_down(service, ANNA, BEN)
    person, message = await whose_turn(service, table, ANNA, BEN)
    full.is_full = True
    async with service.subscribe(table, CLEO) as subscription:
        assert (await anext(subscription)).turn == 0
        with pytest.raises(OSError, match="disk is full"):
            await service.command(table, person, next_play(message))
        assert (await service.message(table, person)).turn == 0
        full.is_full = False
        await service.command(table, person, next_play(message))
        assert (await anext(subscription)).turn == 1


async def test_who_stops_waiting_does_not_stop_the_command(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    person, message = await whose_turn(service, table, ANNA, BEN)
    task = asyncio.create_task(service.command(table, person, next_play(message)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    await service.close()
    assert (await a_service(store).message(table, ANNA)).turn == 1


async def test_followers_get_what_is_theirs(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN, watch="everyone")
    async with (
        service.subscribe(table, ANNA) as anna,
        service.subscribe(table, BEN) as ben,
        service.subscribe(table, CLEO) as cleo,
    ):
        for subscription, seats in ((anna, (0,)), (ben, (1,)), (cleo, ())):
            message = await anext(subscription)
            assert message.you.seats == seats
            assert message.log_since == 0
        before = message.seq
        await play_turn(service, table, ANNA, BEN)
        for subscription in (anna, ben, cleo):
            message = await anext(subscription)
            assert (message.turn, message.log_since) == (1, before)
            assert [entry.kind for entry in message.log] == ["turn"]


async def test_who_acts_is_told_once(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    person, message = await whose_turn(service, table, ANNA, BEN)
    async with service.subscribe(table, person) as mine:
        first = await anext(mine)
        answer = await service.command(table, person, next_play(message), via=mine)
        assert (answer.log_since, answer.turn) == (first.seq, 1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await anext(mine)
        await service.command(table, person, Say(id=new_id(), text="hello"))
        later = await anext(mine)
        assert later.log_since == answer.seq
        assert [entry.kind for entry in later.log] == ["said"]


async def test_a_reader_who_is_behind_gets_the_latest(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    async with service.subscribe(table, CLEO) as slow:
        before = (await anext(slow)).seq
        for _ in range(5):
            await play_turn(service, table, ANNA, BEN)
        message = await anext(slow)
        assert (message.turn, message.log_since, message.seq) == (5, before, before + 5)


async def test_a_slow_subscriber_is_dropped(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    async with service.subscribe(table, ANNA) as slow, service.subscribe(table, BEN) as quick:
        await anext(slow)
        for _ in range(5):
            await play_turn(service, table, ANNA, BEN)
            await anext(quick)
        for _ in range(MOST_BEHIND):
            service.hub.publish(table)
        with pytest.raises(Dropped):
            await anext(slow)
    assert service.hub.followers(table) == frozenset()
    async with service.subscribe(table, ANNA) as back:
        assert (await anext(back)).turn == 5


async def test_people_hear_of_their_turn_at_other_tables(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    person, _ = await whose_turn(service, table, ANNA, BEN)
    other = BEN if person == ANNA else ANNA
    with service.turns_of(other) as notices:
        await service.command(table, person, Say(id=new_id(), text="wait"))
        await play_turn(service, table, ANNA, BEN)
        await service.command(table, person, Say(id=new_id(), text="there"))
        message = await anext(notices)
        assert message.table == table
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await anext(notices)


async def test_idle_tables_leave_the_memory_and_come_back(store: SqlStore) -> None:
    service = a_service(store, most_tables=3)
    tables = [await sit_down(service, ANNA, BEN) for _ in range(6)]
    assert len(service.tables) <= 3
    async with service.subscribe(tables[0], ANNA) as followed:
        await anext(followed)
        for table in tables:
            await play_turn(service, table, ANNA, BEN)
        assert len(service.tables) <= 3
        assert tables[0] in service.tables  # somebody follows it
        assert (await anext(followed)).turn == 1


async def test_a_rematch_leads_everybody_to_one_new_table(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    while (await service.message(table, ANNA)).phase == "playing":
        await play_turn(service, table, ANNA, BEN)
    assert (await service.command(table, ANNA, OfferRematch(id="again"))).rematch is None
    answers = await asyncio.gather(
        *(service.command(table, BEN, OfferRematch(id=new_id())) for _ in range(3))
    )
    (following,) = {answer.rematch for answer in answers}
    assert following is not None
    message = await service.message(following, ANNA)
    assert message.phase == "open"
    assert {seat.name for seat in message.seats} == {ANNA, BEN}
    # Two players: who did not start the first game starts this one, and its proof holds.
    first = (await service.tables.get(table)).playing
    assert first is not None
    before = message.seats[message.deal.not_first or 0].name
    assert before == (ANNA, BEN)[first.deal.start]
    assert [each.id for each in await store.tables_of(BEN)] == [following]


async def test_another_name_is_told_at_all_tables(store: SqlStore) -> None:
    service = a_service(store)
    tables = [await sit_down(service, ANNA, BEN) for _ in range(2)]
    await service.rename(BEN, "Benno")
    for table in tables:
        message = await service.message(table, ANNA)
        assert [seat.name for seat in message.seats] == [ANNA, "Benno"]
        summary = await store.summary(table)
        assert summary is not None
        assert summary.seats[1].name == "Benno"


async def test_who_is_erased_is_nowhere_to_be_read(store: SqlStore) -> None:
    service = a_service(store)
    table = await sit_down(service, ANNA, BEN)
    await service.command(table, BEN, Say(id=new_id(), text="I live in Parma"))
    await service.leave_tables(BEN)
    told = (await service.message(table, ANNA)).model_dump_json()
    stored = str([each.event for each in await store.read(table)])
    for text in (told, stored):
        assert "Parma" not in text
    assert f"name='{BEN}'" not in stored
    assert (await service.message(table, ANNA)).phase == "playing"
    await service.command(table, ANNA, Resign(id=new_id(), seat=0))


async def test_time_does_not_run_backwards(store: SqlStore) -> None:
    time = Time()
    service = a_service(store, time)
    table = await sit_down(service, ANNA, BEN)
    time.now -= 3600
    await play_turn(service, table, ANNA, BEN)
    times = [each.at for each in await store.read(table)]
    assert times == sorted(times)


async def test_a_full_seat_is_one_persons(store: SqlStore) -> None:
    service = a_service(store)
    made = await service.create(ANNA, "Anna", TableSetup(players=2), new_id())
    joins = [
        service.command(made.table, person, Join(id=new_id(), seat=1), name=person)
        for person in (BEN, CLEO)
    ]
    outcomes = await asyncio.gather(*joins, return_exceptions=True)
    assert [each.code for each in outcomes if isinstance(each, Refused)] == ["full"]


async def test_who_follows_hears_of_others_also_of_a_table_put_away(
    store: SqlStore, database_url: str
) -> None:
    other_store = await open_store(database_url)
    try:
        here, there = a_service(store), a_service(other_store)
        table = await sit_down(here, ANNA, BEN)
        async with there.subscribe(table, BEN) as ben:
            before = await anext(ben)
            there.tables.forget(table)
            answer = await play_turn(here, table, ANNA, BEN)
            there.tables.hear(table, answer.seq)
            assert (await anext(ben)).seq == answer.seq == before.seq + 1
            loading = asyncio.create_task(there.tables.refresh(table))
            there.tables.forget(table)
            await loading
            answer = await play_turn(here, table, ANNA, BEN)
            there.tables.hear(table, answer.seq)
            assert (await anext(ben)).seq == answer.seq
    finally:
        await other_store.close()
