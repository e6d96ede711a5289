import asyncio
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from patrizier.server.store.base import Conflict, Repeated
from patrizier.server.store.models import people
from patrizier.server.store.rows import SeatSummary, TableSummary
from patrizier.server.store.sql import SqlStore, open_store
from patrizier.server.store.writer import Writer
from patrizier.server.table.events import Event, Left, Stored, TurnPlayed, stamp

pytestmark = pytest.mark.anyio

ANNA, BEN = "anna-0123456789ab", "ben-0123456789abc"


def seat(number: int, person: str | None = None, *, to_move: bool = False) -> SeatSummary:
    return SeatSummary(number, person, person or "", None, to_move)


def a_summary(table: str, **changes: object) -> TableSummary:
    summary = TableSummary(
        id=table,
        phase="playing",
        public=True,
        players=2,
        rules="",
        pace="none",
        rated=False,
        host=ANNA,
        turn=0,
        due=None,
        bot_to_move=False,
        seats=(seat(0, ANNA, to_move=True), seat(1, BEN)),
    )
    return replace(summary, **changes)  # type: ignore[arg-type]


async def add(
    store: SqlStore,
    table: str = "table",
    after: int = 0,
    *events: Event,
    at: float = 1.0,
    command: str | None = None,
    person: str | None = None,
    **changes: object,
) -> list[Stored]:
    stored = stamp(events or (Left(0),), after, at, command, person)
    await store.append(table, stored, a_summary(table, **changes))
    return stored


async def test_events_are_read_as_they_were_appended(store: SqlStore) -> None:
    first = await add(store, "table", 0, Left(0), Left(1), at=1.5, command="c1", person=ANNA)
    second = await add(store, "table", 2, TurnPlayed(0, "BO1:LL"), at=2.25)
    assert [stored.seq for stored in first + second] == [1, 2, 3]
    assert await store.read("table") == first + second
    assert await store.read("table", 2) == second
    assert await store.read("nowhere") == []


async def test_of_two_appends_at_once_one_wins(store: SqlStore) -> None:
    await add(store)
    tries = [add(store, "table", 1, Left(number)) for number in range(5)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes].count(list) == 1
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 4
    assert len(await store.read("table")) == 2


async def test_of_two_processes_one_wins(store: SqlStore, database_url: str) -> None:
    other = await open_store(database_url)
    try:
        for after in range(20):
            tries = [add(one, "table", after) for one in (store, other)]
            outcomes = await asyncio.gather(*tries, return_exceptions=True)
            assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "list"]
    finally:
        await other.close()


async def test_gaps_cannot_be(store: SqlStore) -> None:
    await add(store)
    with pytest.raises(Conflict):
        await add(store, "table", 2)
    with pytest.raises(Conflict):
        await add(store, "new", 1)


async def test_a_command_counts_once(store: SqlStore) -> None:
    first = await add(store, "table", 0, Left(0), Left(1), command="c1", person=ANNA)
    for after in (0, 2):
        with pytest.raises(Repeated):
            await add(store, "table", after, Left(3), command="c1", person=ANNA)
    assert await store.read("table") == first
    await add(store, "table", 2, command="c1", person=BEN)  # ids are each person's own
    await add(store, "other", 0, command="c1", person=ANNA)


async def test_a_repeated_command_does_not_hinder_others_in_its_transaction(
    store: SqlStore,
) -> None:
    await add(store, "a", 0, command="c1", person=ANNA)
    outcomes = await asyncio.gather(
        add(store, "b"),
        add(store, "a", 1, command="c1", person=ANNA),
        add(store, "c"),
        add(store, "c", 7),
        return_exceptions=True,
    )
    assert [type(outcome).__name__ for outcome in outcomes] == [
        "list", "Repeated", "list", "Conflict",
    ]  # fmt: skip
    assert await store.last_seqs(["a", "b", "c", "d"]) == {"a": 1, "b": 1, "c": 1}


async def test_appends_at_once_share_transactions(store: SqlStore) -> None:
    await asyncio.gather(*(add(store, f"table{number}") for number in range(100)))
    before = store.writer.batches
    await asyncio.gather(*(add(store, f"table{number}", 1) for number in range(100)))
    assert store.writer.batches - before <= 3
    seqs = await store.last_seqs([f"table{number}" for number in range(100)])
    assert set(seqs.values()) == {2}


async def test_many_transactions_in_a_row_make_room_for_larger_ones(store: SqlStore) -> None:
    store = SqlStore(store.database, Writer(store.database, pause=1.0))
    for after in range(20):
        await add(store, "table", after)
    before = store.writer.batches
    early = asyncio.create_task(add(store, "early"))
    await asyncio.sleep(0.1)
    await asyncio.gather(early, add(store, "late"))
    assert store.writer.batches == before + 1


async def test_everything_survives_a_restart(store: SqlStore, database_url: str) -> None:
    stored = await add(store, command="c1", person=ANNA)
    again = await open_store(database_url)
    try:
        assert await again.read("table") == stored
        with pytest.raises(Repeated):
            await add(again, "table", 1, command="c1", person=ANNA)
    finally:
        await again.close()


async def test_an_appender_that_gives_up_waiting_harms_nobody(store: SqlStore) -> None:
    impatient = asyncio.create_task(add(store, "a"))
    patient = asyncio.create_task(add(store, "b"))
    await asyncio.sleep(0)
    impatient.cancel()
    await patient
    assert len(await store.read("b")) == 1


async def test_closing_writes_what_waits(database_url: str) -> None:
    store = await open_store(database_url)
    waiting = [asyncio.create_task(add(store, f"t{number}")) for number in range(20)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*waiting)


async def test_summaries_come_back(store: SqlStore) -> None:
    await add(store, at=3.0, due=17.5, rules="messengers")
    await add(store, "table", 1, at=4.0, due=18.5, rules="messengers", turn=1)
    assert await store.summary("table") == a_summary(
        "table", due=18.5, rules="messengers", turn=1, created=3.0, updated=4.0
    )
    assert await store.summary("nowhere") is None


async def test_lists_of_open_tables(store: SqlStore) -> None:
    await add(store, "a", at=1, phase="open")
    await add(store, "b", at=2, phase="open")
    await add(store, "hidden", at=3, phase="open", public=False)
    await add(store, "running", at=4)
    assert [table.id for table in await store.open_tables()] == ["b", "a"]
    assert [table.id for table in await store.open_tables(limit=1)] == ["b"]
    assert await store.counts() == {"open": 3, "playing": 1}


async def test_whoever_opens_many_tables_keeps_no_others_off_the_list(store: SqlStore) -> None:
    await add(store, "modest", at=1, phase="open", host=BEN)
    for number in range(120):
        await add(store, f"greedy-{number:03}", at=2 + number, phase="open", host=ANNA)
    await add(store, "second", at=500, phase="open", host=BEN)
    listed = [table.id for table in await store.open_tables()]
    assert len(listed) == 100
    assert listed[:4] == ["second", "greedy-119", "greedy-118", "modest"]
    assert await store.open_tables_of(ANNA) == 120
    assert await store.open_tables_of(BEN) == 2
    assert await store.open_tables_of("nobody") == 0
    await add(store, "modest", 1, at=600, phase="playing", host=BEN)
    assert await store.open_tables_of(BEN) == 1
    assert await store.still_open(["modest", "second", "nowhere"]) == {"second"}


async def test_my_tables_have_my_turn_first(store: SqlStore) -> None:
    theirs = (seat(0, ANNA), seat(1, BEN, to_move=True))
    await add(store, "a", at=1)
    await add(store, "b", at=2, seats=theirs)
    await add(store, "c", at=3, seats=theirs)
    await add(store, "over", at=4, phase="finished")
    await add(store, "free", at=5, seats=(seat(0), seat(1)))
    assert [table.id for table in await store.tables_of(ANNA)] == ["a", "c", "b"]
    assert [table.id for table in await store.tables_of(BEN)] == ["c", "b", "a"]
    assert [table.id for table in await store.tables_of(BEN, limit=1)] == ["c"]
    assert await store.tables_of("nobody") == []


async def test_who_leaves_has_the_table_no_more(store: SqlStore) -> None:
    await add(store, person=BEN, command="c1")
    await add(store, "table", 1, seats=(seat(0, ANNA), seat(1)))
    assert await store.tables_of(BEN) == []
    assert await store.all_tables_of(BEN) == ["table"]
    assert await store.all_tables_of(ANNA) == ["table"]


async def test_due_times(store: SqlStore) -> None:
    assert await store.next_due() is None
    await add(store, "a", due=30.0)
    await add(store, "b", due=10.0)
    await add(store, "c")
    assert await store.next_due() == 10
    assert await store.due_tables(9.0) == []
    assert await store.due_tables(10.0) == ["b"]
    assert await store.due_tables(99.0) == ["b", "a"]
    await add(store, "b", 1)
    assert await store.due_tables(99.0) == ["a"]


async def test_where_bots_are_to_move(store: SqlStore) -> None:
    for name in "abc":
        await add(store, name, bot_to_move=name != "b")
    assert await store.bot_tables() == ["a", "c"]
    assert await store.bot_tables(after="a") == ["c"]
    assert await store.bot_tables(limit=1) == ["a"]


async def test_events_can_be_rewritten(store: SqlStore) -> None:
    (stored,) = await add(store, "table", 0, TurnPlayed(0, "secret"))
    changed = replace(stored, event=TurnPlayed(0, ""))
    await store.rewrite("table", [changed])
    assert await store.read("table") == [changed]


async def test_it_is_ready(store: SqlStore) -> None:
    await store.ready()


async def test_only_the_owner_reads_a_sqlite_file(tmp_path: Path) -> None:
    file = tmp_path / "new" / "patrizier.db"
    store = await open_store(f"sqlite+aiosqlite:///{file}")
    await add(store)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}
    await store.close()
    assert set(modes.values()) == {0o600}


@pytest.mark.parametrize("url", ["mysql://localhost/x", "sqlite://", "sqlite:///:memory:"])
async def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"SQLite needs|is not supported"):
        await open_store(url)


async def test_errors_of_the_database_quote_nothing(store: SqlStore) -> None:
    with pytest.raises(IntegrityError) as error:
        await store.database.write(
            lambda conn: conn.execute(
                insert(people), [{"id": "hidden-word", "name": None, "created": 1, "seen": 1}]
            )
        )
    assert "hidden-word" not in str(error.value).partition("DETAIL")[0]
