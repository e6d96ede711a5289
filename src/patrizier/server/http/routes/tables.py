"""Tables: list, create, read, act, ask for hints; all that the socket can do, by plain requests."""

import asyncio
from contextlib import AbstractAsyncContextManager, suppress
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse

from patrizier.server.errors import Declined
from patrizier.server.http.answers.listings import table_line
from patrizier.server.http.context import Here, MaybeWho, Who
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.http.submission import act
from patrizier.server.protocol.messages import (
    CreateTable,
    HintAnswer,
    HintBody,
    TableList,
    TableMessage,
    WatchKey,
    WatchList,
)
from patrizier.server.reasons import Reason
from patrizier.server.runtime.hints import hint
from patrizier.server.runtime.hub import Subscription
from patrizier.server.table.commands import Command
from patrizier.server.table.setup import TableLink
from patrizier.server.table.visibility import record_text

router = APIRouter(prefix="/api", tags=["tables"], responses=PROBLEMS)

_PAGE = 50

TablePath = Annotated[TableLink, Path(description="The table's id, as in its link.")]
Since = Annotated[
    int, Query(ge=0, le=2**31 - 1, description="Return log entries after this number.")
]
Key = Annotated[WatchKey, Query(description="From the watchers' link.")]
Before = Annotated[
    float | None,
    Query(ge=0, le=1e12, allow_inf_nan=False, description="Only games touched before (unix s)."),
]
Wait = Annotated[
    float,
    Query(ge=0, le=30, allow_inf_nan=False, description="Long polling: seconds to wait."),
]


@router.get("/tables", summary="List open tables")
async def list_open_tables(here: Here, who: MaybeWho) -> TableList:
    """List the public tables that wait for players: first the newest table of every host."""
    found = await here.store.open_tables()
    me = who.person.id if who else None
    return TableList(tables=tuple(table_line(summary, me) for summary in found))


@router.get("/tables/watched", summary="List games to watch")
async def list_watched_tables(
    request: Request, here: Here, who: MaybeWho, before: Before = None
) -> WatchList:
    """List the running games of public tables that anybody may watch, the last touched first."""
    here.limits.check("list", address_of(request))
    found = await here.store.watched_tables(_PAGE, before)
    me = who.person.id if who else None
    return WatchList(
        tables=tuple(table_line(summary, me) for summary in found),
        before=found[-1].updated if len(found) == _PAGE else None,
    )


@router.get("/my/tables", summary="List my tables")
async def list_my_tables(here: Here, who: MaybeWho) -> TableList:
    """List my unfinished tables, "your turn" first."""
    found = await here.store.tables_of(who.person.id) if who else []
    me = who.person.id if who else None
    return TableList(tables=tuple(table_line(summary, me) for summary in found))


@router.post("/tables", status_code=201, summary="Create a table")
async def create_table(body: CreateTable, request: Request, here: Here, who: Who) -> TableMessage:
    """Create a table and take a seat."""
    here.limits.check("create", who.person.id)
    person = await here.people.keep(who.person)
    return await here.service.create(
        person.id,
        person.name,
        body.setup,
        body.id,
        take_seat=body.take_seat,
        seat=body.seat,
        address=address_of(request),
        avatar=person.avatar,
    )


@router.get("/tables/{table}", summary="Get a table")
async def get_table(
    table: TablePath,
    request: Request,
    here: Here,
    who: MaybeWho,
    since: Since = 0,
    key: Key = "",
    wait: Wait = 0,
) -> TableMessage:
    """Return a table; with `wait`, as soon as it is newer than `since`."""
    me, address = who.person.id if who else None, address_of(request)
    if not wait:
        return await here.service.message(table, me, since=since, key=key, address=address)
    with here.limits.connection(address, me or address):
        following = here.service.subscribe(table, me, since=since, key=key, address=address)
        message = await _look_later(following, since, wait)
    if who and await here.people.of(who.identity) is None:
        raise Declined(403, Reason.SIGNED_OUT)  # in the meantime
    return message


async def _look_later(
    following: AbstractAsyncContextManager[Subscription], since: int, wait: float
) -> TableMessage:
    async with following as subscription:
        message = await anext(subscription)
        with suppress(TimeoutError, StopAsyncIteration):  # the latter when the server stops
            async with asyncio.timeout(wait):
                while message.seq <= since:
                    message = await anext(subscription)
        return message


@router.post("/tables/{table}/commands", summary="Send a command to a table")
async def send_command(
    table: TablePath,
    body: Command,
    request: Request,
    here: Here,
    who: Who,
    since: Since = 0,
    key: Key = "",
) -> TableMessage:
    """Carry out a command: join, play, say, and so on."""
    address = address_of(request)
    return await act(here, who, table, body, since=since, key=key, address=address)


@router.get(
    "/tables/{table}/record", response_class=PlainTextResponse, summary="Get the record of a game"
)
async def get_record(
    table: TablePath, here: Here, who: MaybeWho, key: Key = ""
) -> PlainTextResponse:
    """Download the record of a finished game, with the proof of its deal."""
    found = await here.service.tables.get_finished(table)
    text = record_text(found, who.person.id if who else None, key)
    name = f'attachment; filename="patrizier-{table[:8]}.ptr"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


@router.post("/tables/{table}/hint", summary="Get a hint")
async def get_hint(
    table: TablePath, body: HintBody, request: Request, here: Here, who: Who
) -> HintAnswer:
    """Ask the best bot for advice; only where all opponents are bots."""
    here.limits.check("hint", who.person.id)
    return await hint(here.service, table, who.person.id, body, address_of(request))
