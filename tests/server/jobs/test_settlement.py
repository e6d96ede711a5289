"""Results, records and ratings of finished games, in a real database."""

import asyncio

import pytest

from patrizier import Game, read_games
from patrizier.server.deal.dealer import FAIR_DEALER
from patrizier.server.deal.verification import verify
from patrizier.server.jobs.settlement import Settler, result_of, settle, settle_all
from patrizier.server.people.ratings import rate, shown
from patrizier.server.store.rows import Rating, Result, SeatSummary, TableSummary
from patrizier.server.store.sql import SqlStore
from patrizier.server.table.events import Stored, stamp
from patrizier.server.table.setup import TableSetup
from patrizier.server.table.table import Table
from server.support.table_driver import TableDriver

pytestmark = pytest.mark.anyio


def finished(setup: TableSetup | None = None, seed: int = 1) -> TableDriver:
    driver = TableDriver(setup or TableSetup(players=2, rated=True))
    driver.sit("ben")
    driver.finish(seed)
    assert driver.table.phase == "finished"
    return driver


async def keep(store: SqlStore, driver: TableDriver, table_id: str, at: float = 0.0) -> Result:
    """Store all events of a table under another id; return its result."""
    table = Table.load(table_id, driver.stored)
    seats = tuple(
        SeatSummary(number, seat.person, seat.name, seat.level, to_move=False)
        for number, seat in enumerate(table.seats)
    )
    setup = table.setup
    summary = TableSummary(
        table_id, table.phase, setup.public, setup.players, "", "none", table.rated, table.host,
        table.turn, None, False, seats,
    )  # fmt: skip
    events = [stored.event for stored in driver.stored]
    await store.append(table_id, stamp(events, 0, at or driver.now), summary)
    return result_of(table_id, await store.read(table_id))


def test_a_result_has_all_its_parts() -> None:
    driver = finished(TableSetup(players=4, seats=("person", "merchant", "person", "banker")))
    result = result_of(driver.table.id, driver.stored)
    outcome = driver.game.outcome()
    assert outcome
    assert [seat.points for seat in result.seats] == list(outcome.points)
    assert [seat.bot for seat in result.seats] == [None, "merchant", None, "banker"]
    assert [seat.person for seat in result.seats] == ["anna", None, "ben", None]
    winners = tuple(seat.seat for seat in result.seats if seat.place == 1)
    assert winners == outcome.winners
    places = sorted(seat.place for seat in result.seats)
    assert all(place <= number for number, place in enumerate(places, 1))
    (record,) = read_games(result.record)
    assert record.game().moves == driver.game.moves
    assert verify(record).holds
    assert record.names[0] == "Anna"
    assert "Bot" in record.names[1]


async def test_a_game_is_settled_once_and_rated(store: SqlStore) -> None:
    result = await keep(store, finished(), "table-1")
    assert await store.results.unsettled() == ["table-1"]
    assert await settle(store, result)
    assert not await settle(store, result)
    assert await store.results.unsettled() == []
    ratings = await store.results.ratings(["anna", "ben"], 2)
    winner = next(seat for seat in result.seats if seat.place == 1)
    best = max(ratings.values(), key=shown)
    assert best.person == winner.person
    assert [rating.games for rating in ratings.values()] == [1, 1]
    (line,) = await store.results.results_of("anna")
    assert line.table_id == "table-1"
    stored = await store.results.result("table-1")
    assert stored == result
    assert Game.from_record(stored.record).is_over


async def test_games_settled_at_once_all_count(store: SqlStore) -> None:
    driver = finished()
    results = [await keep(store, driver, f"table-{number}") for number in range(8)]
    assert all(await asyncio.gather(*(settle(store, result) for result in results)))
    ratings = await store.results.ratings(["anna", "ben"], 2)
    assert [rating.games for rating in ratings.values()] == [8, 8]


async def test_unrated_games_leave_ratings_alone(store: SqlStore) -> None:
    assert await settle(store, await keep(store, finished(TableSetup(players=2)), "table-1"))
    assert await store.results.ratings_of("anna") == []
    assert len(await store.results.results_of("anna")) == 1


async def test_who_left_has_lost(store: SqlStore) -> None:
    driver = TableDriver(TableSetup(players=2, rated=True))
    driver.sit("ben")
    mover = driver.mover
    other = "ben" if mover == "anna" else "anna"
    driver.pass_time(30 * 24 * 3600, other)  # who is to move has left
    away = [number for number, seat in enumerate(driver.table.seats) if seat.forfeited]
    assert [driver.table.seats[number].person for number in away] == [mover]
    driver.finish()
    result = await keep(store, driver, "table-1")
    await settle(store, result)
    ratings = await store.results.ratings(["anna", "ben"], 2)
    left = result.seats[away[0]].person
    assert left is not None
    assert ratings[left].mu < 25


async def test_what_a_dead_server_left_over_is_settled_in_the_right_order(store: SqlStore) -> None:
    results = {
        number: await keep(store, finished(seed=number), f"table-{number}", at=1000.0 + number)
        for number in (5, 3, 4)  # Ben wins the third, Anna the others
    }

    def rated_in(order: tuple[int, ...]) -> dict[str, Rating]:
        ratings: dict[str, Rating] = {}
        for number in order:
            after = rate(results[number], ratings)
            ratings |= {rating.person: rating for rating in after}
        return ratings

    assert await settle_all(store) == 3
    assert await settle_all(store) == 0
    ratings = await store.results.ratings(["anna", "ben"], 2)
    assert ratings == rated_in((3, 4, 5)) != rated_in((5, 3, 4))
    lines = await store.results.results_of("ben")
    assert [line.table_id for line in lines] == ["table-5", "table-4", "table-3"]


class FailingOnce(SqlStore):
    """A store that cannot read the first table it is asked for."""

    asked = 0

    async def read(self, table_id: str, after_seq: int = 0) -> list[Stored]:
        self.asked += 1
        if self.asked == 1:
            raise OSError("the disk is full")
        return await super().read(table_id, after_seq)


async def test_a_finished_game_is_settled_as_soon_as_it_is_noticed(store: SqlStore) -> None:
    failing, driver = FailingOnce(store.database, store.writer), finished()
    settler = Settler(failing, FAIR_DEALER)
    settling = asyncio.create_task(settler.run())
    try:
        await keep(store, driver, "table")
        async with asyncio.timeout(60):
            while await store.results.result("table") is None:
                settler.notice(driver.table, driver.stored)  # the first time its events are lost
                await asyncio.sleep(0)
        assert failing.asked > 1
    finally:
        settling.cancel()
        await asyncio.gather(settling, return_exceptions=True)
