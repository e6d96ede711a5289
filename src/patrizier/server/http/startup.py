"""Starts a server, and hands its parts to the routes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from patrizier.server.http.limits.guesses import Guesses
from patrizier.server.http.limits.open_sockets import OpenSockets
from patrizier.server.http.limits.rates import Limits
from patrizier.server.people.identity import Signatures
from patrizier.server.people.known_devices import KnownDevices
from patrizier.server.settings import Settings
from patrizier.server.startup import running_backend

from .answers.insights import Insights
from .collaborators import Collaborators
from .context import Parts
from .metrics import Metrics
from .submission import TurnCounter


@asynccontextmanager
async def started_parts(
    settings: Settings,
    signatures: Signatures,
    limits: Limits,
    metrics: Metrics,
    given: Collaborators,
) -> AsyncIterator[Parts]:
    """Run all parts of a server while the context lasts."""
    sockets, pool = OpenSockets(), given.workers(settings.workers)
    running = running_backend(
        settings,
        time=given.time,
        dealer=given.dealer,
        watch_key=given.watch_key,
        pool=pool,
        passwords=given.passwords(),
        analyst=given.analyst(),
        observers=[TurnCounter(metrics)],
        end_sessions=sockets.recheck,
        hear_sessions=sockets.hear,
    )
    async with running as backend:
        yield Parts(
            settings=settings,
            signatures=signatures,
            limits=limits,
            metrics=metrics,
            now=given.time,
            store=backend.store,
            people=backend.people,
            sessions=backend.sessions,
            sockets=sockets,
            preparation=pool.preparation,
            steps_before=pool.steps_before,
            guest_bots=pool.guests.values(),
            devices=KnownDevices(settings.signing_secret, signatures),
            guesses=Guesses(limits),
            friends=backend.friends,
            service=backend.service,
            presence=backend.presence,
            waiting=backend.waiting,
            analyses=backend.analyses,
            insights=Insights(backend.store.results, backend.service.tables, backend.analyses),
            puzzles=backend.puzzles,
            mailer=backend.mailer,
            addresses=backend.addresses,
            make_sheet=cache(given.make_sheet),  # there are only 24, and each is small
            most_refused=given.most_refused,
        )
