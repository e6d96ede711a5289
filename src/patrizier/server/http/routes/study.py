"""Hints, replays of finished games and records, and lessons."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from patrizier import __version__
from patrizier.bots.warmup import steps_before
from patrizier.errors import RecordError
from patrizier.server import lessons
from patrizier.server.http.answers.records import unreadable
from patrizier.server.http.answers.replays import read_replay
from patrizier.server.http.context import Here, MaybeWho, RulesReady, Who
from patrizier.server.http.limits.rates import address_of
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.protocol.messages import (
    Config,
    HintAnswer,
    HintBody,
    LessonAnswer,
    LessonBody,
    LessonList,
    LessonName,
    Preparing,
    Replay,
    ReplayBody,
)
from patrizier.server.runtime.hints import hint
from patrizier.server.table.setup import Level
from patrizier.server.table.visibility import record_text
from patrizier.server.workers.levels import bot_of

from .tables import Key, TablePath

router = APIRouter(prefix="/api", tags=["study"], responses=PROBLEMS)

Name = Annotated[LessonName, Path(description="The lesson's name, as in the list.")]
Levels = Annotated[
    tuple[Level, ...], Query(max_length=5, description="Levels to wait for; none: all.")
]


@router.get("/config", summary="Get the configuration")
async def get_config(request: Request, here: Here) -> Config:
    """Return what a page needs to know about this server."""
    mail, docs = here.mailer is not None, bool(request.app.state.has_docs)
    return Config(version=__version__, mail=mail, docs=docs)


@router.get("/preparing", summary="Get the progress of preparing the bots")
async def get_preparation(here: Here, level: Levels = ()) -> Preparing:
    """Return the progress of preparing the bots: all, or those of some levels."""
    needed = {step for each in level for step in steps_before(bot_of(each))} or None
    work = here.preparation
    return Preparing(progress=work.progress(needed), seconds=work.seconds_left(needed))


@router.post("/tables/{table}/hint", summary="Get a hint")
async def get_hint(
    table: TablePath, body: HintBody, request: Request, here: Here, who: Who
) -> HintAnswer:
    """Ask the best bot for advice; only where all opponents are bots."""
    here.limits.check("hint", who.person.id)
    return await hint(here.service, table, who.person.id, body, address_of(request))


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


@router.get("/lessons", dependencies=[RulesReady], summary="List the lessons")
async def list_lessons() -> LessonList:
    """List the lessons in the order in which they are taught."""
    return lessons.listed()


@router.get("/lessons/{name}", dependencies=[RulesReady], summary="Begin a lesson")
async def begin_lesson(name: Name) -> LessonAnswer:
    """Return the start of a lesson."""
    return lessons.play(name, LessonBody())


@router.post("/lessons/{name}/play", dependencies=[RulesReady], summary="Try a turn in a lesson")
async def play_lesson(name: Name, body: LessonBody) -> LessonAnswer:
    """Start a lesson, or try a turn in it. Stateless: the page sends what was played."""
    return lessons.play(name, body)
