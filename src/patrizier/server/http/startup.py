"""Starts the parts of a server, and stops them in reverse order."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache

from patrizier.server.deal.dealer import Dealer
from patrizier.server.http.limits.guesses import Guesses
from patrizier.server.http.limits.open_sockets import OpenSockets
from patrizier.server.http.limits.rates import Limits
from patrizier.server.logs import log
from patrizier.server.mail.links import MailLinks
from patrizier.server.mail.mailer import Addresses, Mailer
from patrizier.server.mail.smtp import MailServer
from patrizier.server.people.accounts import People
from patrizier.server.people.friends import Friends
from patrizier.server.people.identity import Signatures
from patrizier.server.people.known_devices import KnownDevices
from patrizier.server.people.sessions import Sessions
from patrizier.server.puzzles.progress import Progress
from patrizier.server.runtime.analyses import Analyses
from patrizier.server.runtime.open_tables import OpenTables
from patrizier.server.runtime.settlement import settle_all
from patrizier.server.runtime.startup import running_tables
from patrizier.server.settings import Settings
from patrizier.server.store.sql import SqlStore, open_store
from patrizier.server.table.events import Finished, Stored
from patrizier.server.table.table import Table

from .answers.insights import Insights
from .collaborators import Collaborators
from .context import Parts
from .metrics import Metrics
from .submission import TurnCounter

FORGET_AFTER = 180 * 24 * 3600.0  # seconds until unused guests are deleted
KEEP_KEYS = 60 * 24 * 3600.0  # seconds to keep the keys of sent mails
KEEP_REQUESTS = 2 * 24 * 3600.0  # seconds to keep requests for analyses
SWEEP_EVERY = 3600.0
SETTLE_EVERY = 60.0  # seconds between checks for results of crashed servers


@asynccontextmanager
async def started_parts(
    settings: Settings,
    signatures: Signatures,
    limits: Limits,
    metrics: Metrics,
    given: Collaborators,
) -> AsyncIterator[Parts]:
    """Run all parts of a server while the context lasts."""
    secret, time, dealer = settings.signing_secret, given.time, given.dealer
    async with AsyncExitStack() as stack:
        store = await open_store(settings.database_url)
        stack.push_async_callback(store.close)
        sockets, pool = OpenSockets(), given.workers(settings.workers)
        running = running_tables(
            store,
            secret=secret,
            pool=pool,
            time=time,
            dealer=dealer,
            watch_key=given.watch_key,
            open_tables=OpenTables(
                store, settings.open_tables_per_person, settings.open_tables_per_address
            ),
            hear_sessions=sockets.hear,
        )
        service, presence, bots = await stack.enter_async_context(running)
        metrics.watch_workers(lambda: bots.waiting)
        sessions = Sessions(store.sessions, time, sockets.recheck)
        settler = Settler(store, dealer)
        service.tables.observers += [TurnCounter(metrics), settler.notice]
        links = MailLinks(secret, settings.links_url, time)
        mailer = _mailer(settings, store, links, time)
        analyses = Analyses(
            store.analyses,
            time,
            busy=lambda: bots.waiting > 0,
            most_a_day=settings.analyses_per_day,
            analyst=given.analyst(),
        )
        jobs = [settler.run(), _sweep(store, sessions, time), analyses.run()]
        if mailer is not None:
            jobs.append(mailer.run())
        for job in jobs:
            stack.push_async_callback(_stop, asyncio.create_task(job))
        log.info("ready")
        yield Parts(
            settings=settings,
            signatures=signatures,
            limits=limits,
            metrics=metrics,
            now=time,
            store=store,
            people=People(store.people, sessions, given.passwords(), service.leave_tables, time),
            sessions=sessions,
            sockets=sockets,
            preparation=pool.preparation,
            devices=KnownDevices(secret, signatures),
            guesses=Guesses(limits),
            friends=Friends(store.friends, store.people, secret, time),
            service=service,
            presence=presence,
            analyses=analyses,
            insights=Insights(store.results, service.tables, analyses),
            puzzles=Progress(store.puzzles, time),
            mailer=mailer,
            addresses=Addresses(store.people, links),
            make_sheet=cache(given.make_sheet),  # there are only 24, and each is small
            most_refused=given.most_refused,
        )


class Settler:
    """Stores the results of finished games, also those of servers that crashed before doing so."""

    def __init__(self, store: SqlStore, dealer: Dealer) -> None:
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
            await _attempt(settle_all(self._store, self._dealer))
            try:
                async with asyncio.timeout(SETTLE_EVERY):
                    await self._news.wait()
            except TimeoutError:
                continue


async def _sweep(store: SqlStore, sessions: Sessions, now: Callable[[], float]) -> None:
    """Delete expired data, until cancelled."""
    while True:
        await _attempt(sessions.sweep())
        await _attempt(store.people.forget_guests(now() - FORGET_AFTER))
        await _attempt(store.mail.clean(now() - KEEP_KEYS))
        await _attempt(store.invitations.clean())
        await _attempt(store.analyses.forget(now() - KEEP_REQUESTS))
        await asyncio.sleep(SWEEP_EVERY)


async def _attempt(work: Awaitable[object]) -> None:
    try:
        await work
    except Exception:
        log.exception("a background task failed")


def _mailer(
    settings: Settings,
    store: SqlStore,
    links: MailLinks,
    now: Callable[[], float],
) -> Mailer | None:
    if settings.smtp_url is None:
        return None
    if not settings.links_url:
        log.warning("mail is off: its links need PATRIZIER_PUBLIC_URL")
        return None
    server = MailServer.from_url(settings.smtp_url.get_secret_value())
    return Mailer(store, links, server.send, settings.mail_from, now)


async def _stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
