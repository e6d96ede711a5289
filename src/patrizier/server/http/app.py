"""The ASGI application: parts, middleware and routes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from patrizier import __version__
from patrizier.server.http.limits.rates import LimitedBody, LimitedRate, Limits
from patrizier.server.people.identity import Signatures
from patrizier.server.settings import Settings

from .collaborators import Collaborators
from .metrics import Metrics
from .pages.site import add_docs, add_site
from .refusals import add_refusals
from .request_log import Observed
from .routes import (
    analyses,
    company,
    games,
    identity,
    lessons,
    lines,
    live,
    mail,
    pictures,
    printing,
    puzzles,
    replays,
    status,
    tables,
)
from .schema.openapi import describe
from .security import Guarded, OriginPolicy, SafeHeaders
from .startup import started_parts

_ABOUT = (
    "Tables of the board game Patrizier, for people and bots. `GET /api/me` makes you a guest: "
    "keep its cookie, and send its `token` as header `X-Patrizier-Token` with every change."
)


def create_app(settings: Settings, given: Collaborators | None = None) -> FastAPI:
    """Return the application; its parts start and stop with its lifespan."""
    given = given or Collaborators()
    metrics, limits = Metrics(), Limits(settings)
    signatures = Signatures(settings.signing_secret, https=settings.https, now=given.time)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with started_parts(settings, signatures, limits, metrics, given) as parts:
            app.state.parts = parts
            yield

    app = FastAPI(
        title="Patrizier",
        version=__version__,
        description=_ABOUT,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    rooms = (
        status,
        identity,
        tables,
        games,
        company,
        replays,
        lessons,
        analyses,
        lines,
        puzzles,
        pictures,
        printing,
        mail,
        live,
    )
    add_refusals(app, [route for room in rooms for route in room.router.routes])
    for room in rooms:
        app.include_router(room.router)
    describe(app)
    app.state.has_docs = add_docs(app, given.docs)
    add_site(app, given.static)
    # The last one added comes first.
    app.add_middleware(LimitedBody, max_body=settings.max_body, timeout=given.body_timeout)
    app.add_middleware(Guarded, policy=OriginPolicy(settings), signatures=signatures)
    app.add_middleware(LimitedRate, limits=limits, signatures=signatures)
    app.add_middleware(Observed, metrics=metrics)
    app.add_middleware(SafeHeaders, signatures=signatures)
    if settings.trusted_proxies:
        trusted = list(settings.trusted_proxies)
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=trusted)
    return app


def end_waiting(app: FastAPI) -> None:
    """Answer all waiting requests now: the server is about to stop."""
    parts = getattr(app.state, "parts", None)
    if parts is not None:  # None if it never started
        parts.service.hub.close()
