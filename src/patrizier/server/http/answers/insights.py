"""Luck and errors in a person's games, from their analyses."""

import asyncio
import json
from collections import OrderedDict

from patrizier.server.errors import Declined
from patrizier.server.http.answers.records import read_record
from patrizier.server.jobs.analyses import Analyses
from patrizier.server.protocol.messages import AnalysedGame, AnalysedGames, SeatAccount
from patrizier.server.runtime.live_tables import Tables
from patrizier.server.store.base import ResultStore
from patrizier.server.store.rows import Result
from patrizier.server.table.visibility import record_text

MOST_GAMES = 60  # the latest ones
_REMEMBERED = 5000  # keys of finished tables, which never change


class Insights:
    """Finds the analyses of finished games; caches the key of each."""

    def __init__(self, results: ResultStore, tables: Tables, analyses: Analyses) -> None:
        self._results = results
        self._tables = tables
        self._analyses = analyses
        self._keys: OrderedDict[str, str] = OrderedDict()

    async def of(self, results: list[Result], person: str) -> AnalysedGames:
        """Return those of a person's games that were analysed; games are given the newest first."""
        found, others = list[AnalysedGame](), 0
        for result in results[:MOST_GAMES]:
            for seat in result.seats:
                if seat.person != person:
                    continue
                body = await self._body(result)
                if body is None:
                    others += 1
                    continue
                account = json.loads(body)["seats"][seat.seat]
                found.append(
                    AnalysedGame(
                        table=result.table_id,
                        finished=result.finished,
                        players=result.players,
                        seat=seat.seat,
                        place=seat.place,
                        account=SeatAccount.model_validate(account),
                    )
                )
        return AnalysedGames(games=tuple(reversed(found)), others=others)

    async def key_of(self, table: str, person: str | None, watch_key: str = "") -> str:
        """Return the key of a finished table's analysis; raises Refused."""
        found = await self._tables.get_finished(table)
        return await self._key(table, record_text(found, person, watch_key))

    async def _key(self, table: str, text: str) -> str:
        if table not in self._keys:
            record = await read_record(text)
            self._keys[table] = await asyncio.to_thread(self._analyses.key_of, record)
            if len(self._keys) > _REMEMBERED:
                self._keys.popitem(last=False)
        return self._keys[table]

    async def _body(self, result: Result) -> bytes | None:
        """Return the finished analysis of a game; None if there is none."""
        try:
            known = self._keys.get(result.table_id)
            whole = None if known else await self._results.result(result.table_id)
            key = known or (await self._key(result.table_id, whole.record) if whole else "")
            progress = await self._analyses.progress(key)
        except Declined:
            return None
        return progress.body if progress.state == "done" else None
