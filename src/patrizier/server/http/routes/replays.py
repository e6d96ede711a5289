"""Replays of finished games and records, position by position."""

import asyncio

from fastapi import APIRouter, Request, Response

from patrizier.errors import RecordError
from patrizier.server.http.answers.records import unreadable
from patrizier.server.http.answers.replays import read_replay
from patrizier.server.http.context import Here, MaybeWho, RulesReady
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.protocol.messages import Replay, ReplayBody
from patrizier.server.table.visibility import record_text

from .tables import Key, TablePath

router = APIRouter(prefix="/api", tags=["replays"], responses=PROBLEMS)


@router.get("/tables/{table}/replay", response_model=Replay, summary="Replay a finished game")
async def replay_table(
    table: TablePath, request: Request, here: Here, who: MaybeWho, key: Key = ""
) -> Response:
    """Return a finished game position by position."""
    here.limits.check("replay", address_of(request))
    found = await here.service.tables.get_finished(table)
    return await _replay(record_text(found, who.person.id if who else None, key))


@router.post(
    "/records/replay", response_model=Replay, dependencies=[RulesReady], summary="Replay a record"
)
async def replay_record(body: ReplayBody, request: Request, here: Here) -> Response:
    """Return the game of a record position by position."""
    here.limits.check("replay", address_of(request))
    return await _replay(body.record)


async def _replay(text: str) -> Response:
    """Compute off the event loop: it takes a while."""
    try:
        content = await asyncio.to_thread(read_replay, text)
    except RecordError as error:
        raise unreadable(error) from None
    return Response(content, media_type="application/json")
