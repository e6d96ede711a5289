"""Settlement of a finished game: its result, its record, and new ratings."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from patrizier.outcome import Outcome
from patrizier.server.deal.dealer import FAIR_DEALER, Dealer
from patrizier.server.logs import log
from patrizier.server.people.ratings import rate
from patrizier.server.store.base import ResultStore
from patrizier.server.store.rows import Result, ResultSeat
from patrizier.server.table.events import Finished, Stored
from patrizier.server.table.table import Table

SETTLE_EVERY = 60.0  # seconds between checks for results of crashed servers


class SettlingStore(Protocol):
    """The parts of the store that settlement needs."""

    @property
    def results(self) -> ResultStore:
        """Finished games and ratings."""

    async def read(self, table_id: str, after_seq: int = 0) -> list[Stored]:
        """Return the events of a table."""


def result_of(table_id: str, stored: Sequence[Stored], dealer: Dealer = FAIR_DEALER) -> Result:
    """Return the result of a finished game from its events."""
    table = Table.load(table_id, stored, dealer)
    assert table.finished is not None, "only a finished game has a result"
    options = table.setup.options
    outcome = Outcome.from_json(table.finished.outcome)
    ranks = [(score.total, -score.floors) for score in outcome.scores]
    seats = tuple(
        ResultSeat(
            seat=number,
            person=seat.person,
            name=seat.name,
            bot=seat.level if seat.is_bot else None,
            points=outcome.points[number],
            place=1 + sum(rank > ranks[number] for rank in ranks),
            left=number in table.finished.forfeits,
        )
        for number, seat in enumerate(table.seats)
    )
    return Result(
        table_id=table.id,
        players=options.players,
        rules=options.rules_text,
        rated=table.finished.rated,
        finished=next(each.at for each in stored if isinstance(each.event, Finished)),
        record=table.record_text(),
        seats=seats,
    )


async def settle(store: SettlingStore, result: Result) -> bool:
    """Store a result and update ratings, once; False if already done."""
    return await store.results.settle(result, rate)


async def settle_all(store: SettlingStore, dealer: Dealer = FAIR_DEALER) -> int:
    """Settle all finished games in order; return how many."""
    results = []
    for table_id in await store.results.unsettled():
        try:
            results.append(result_of(table_id, await store.read(table_id), dealer))
        except Exception:
            log.exception("a finished game could not be settled")
    results.sort(key=lambda result: (result.finished, result.table_id))
    return sum([await settle(store, result) for result in results])


class Settler:
    """Stores the results of finished games, also those of servers that crashed before doing so."""

    def __init__(self, store: SettlingStore, dealer: Dealer) -> None:
        self._store = store
        self._dealer = dealer
        self._news = asyncio.Event()

    def notice(self, _table: Table, stored: Sequence[Stored]) -> None:
        """Wake up when a game is finished."""
        if any(isinstance(each.event, Finished) for each in stored):
            self._news.set()

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            self._news.clear()
            try:
                await settle_all(self._store, self._dealer)
            except Exception:
                log.exception("finished games could not be settled")
            try:
                async with asyncio.timeout(SETTLE_EVERY):
                    await self._news.wait()
            except TimeoutError:
                continue
