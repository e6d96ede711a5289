"""The server itself: configuration, progress of its preparation, health, metrics."""

import asyncio
import ipaddress
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST

from patrizier import __version__
from patrizier.options import Options
from patrizier.rules.board import MAX_PLAYERS
from patrizier.server.errors import Declined
from patrizier.server.http.context import Here
from patrizier.server.http.refusals import PROBLEMS
from patrizier.server.logs import log
from patrizier.server.protocol.messages import Config, GuestBotLine, Preparing
from patrizier.server.reasons import Reason
from patrizier.server.store.faults import DatabaseFault, fault_of
from patrizier.server.table.setup import BotName

router = APIRouter(tags=["server"], responses={421: PROBLEMS[421], 429: PROBLEMS[429]})

Levels = Annotated[
    tuple[BotName, ...], Query(max_length=5, description="Bots to wait for; none: all.")
]

Players = Annotated[int, Query(ge=2, le=MAX_PLAYERS, description="Players in their game.")]
WithMessengers = Annotated[bool, Query(description="Whether they play with messengers.")]

_TIMEOUT = 2.0  # seconds for the database to answer


@router.get("/api/config", responses=PROBLEMS, summary="Get the configuration")
async def get_config(request: Request, here: Here) -> Config:
    """Return what a page needs to know about this server."""
    mail, docs = here.mailer is not None, bool(request.app.state.has_docs)
    bots = tuple(GuestBotLine(level=bot.level, about=bot.about) for bot in here.guest_bots)
    return Config(version=__version__, mail=mail, docs=docs, bots=bots)


@router.get("/api/preparing", responses=PROBLEMS, summary="Get the progress of preparing the bots")
async def get_preparation(
    here: Here, level: Levels = (), players: Players = 2, messengers: WithMessengers = False
) -> Preparing:
    """Return the progress of preparing the bots: all, or some for a game."""
    options = Options(players, {"messengers"} if messengers else ())
    needed = {step for each in level for step in here.steps_before(each, options)} or None
    work = here.preparation
    return Preparing(progress=work.progress(needed), seconds=work.seconds_left(needed))


@router.get("/healthz", response_class=PlainTextResponse, summary="Check that the server runs")
async def check_liveness() -> str:
    """Liveness: the process answers."""
    return "ok\n"


@router.get(
    "/readyz",
    response_class=PlainTextResponse,
    responses={503: {"description": "Turns cannot be stored."}},
    summary="Check that turns can be stored",
)
async def check_readiness(here: Here) -> PlainTextResponse:
    """Readiness: turns can be stored."""
    try:
        async with asyncio.timeout(_TIMEOUT):
            await here.store.ready()
    except Exception as error:
        log.warning("not ready", exc_info=True)
        return PlainTextResponse(f"{fault_of(error) or DatabaseFault.SILENT}\n", 503)
    return PlainTextResponse("ok\n")


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses={404: PROBLEMS[404]},
    summary="Get metrics for Prometheus",
)
async def get_metrics(request: Request, here: Here) -> Response:
    """Prometheus metrics; by default only for this machine."""
    allowed = here.settings.metrics
    if allowed == "off" or (allowed == "loopback" and not _is_from_here(request)):
        raise Declined(404, Reason.NOTHING_HERE)
    return Response(here.metrics.text(here.waiting()), media_type=CONTENT_TYPE_LATEST)


def _is_from_here(request: Request) -> bool:
    """Whether a request comes from this machine directly, not through a proxy on it."""
    if any(name in request.headers for name in ("x-forwarded-for", "forwarded", "via")):
        return False
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
