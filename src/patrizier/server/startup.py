"""Puts the parts of a server below HTTP together, starts them, and stops them in reverse order."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from patrizier.server.deal.dealer import Dealer
from patrizier.server.jobs.analyses import Analyses
from patrizier.server.jobs.retention import sweep
from patrizier.server.jobs.settlement import Settler
from patrizier.server.logs import log
from patrizier.server.mail.links import MailLinks
from patrizier.server.mail.mailer import Addresses, Mailer
from patrizier.server.mail.smtp import MailServer
from patrizier.server.people.accounts import People
from patrizier.server.people.friends import Friends
from patrizier.server.people.passwords import Passwords
from patrizier.server.people.sessions import Sessions
from patrizier.server.puzzles.progress import Progress
from patrizier.server.runtime.news import Observer
from patrizier.server.runtime.open_tables import OpenTables
from patrizier.server.runtime.presence import Presence
from patrizier.server.runtime.service import TableService
from patrizier.server.runtime.shared_time import TimeSource
from patrizier.server.runtime.startup import HearSessions, running_tables
from patrizier.server.settings import Settings
from patrizier.server.store.sql import SqlStore, open_store
from patrizier.server.workers.analyst import Analyst
from patrizier.server.workers.pool import WorkerPool


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """The parts of a running server below HTTP."""

    store: SqlStore
    people: People
    sessions: Sessions
    friends: Friends
    service: TableService
    presence: Presence
    waiting: Callable[[], int]  # how many tables wait for their bot
    analyses: Analyses
    puzzles: Progress
    mailer: Mailer | None
    addresses: Addresses


@asynccontextmanager
async def running_backend(
    settings: Settings,
    *,
    time: TimeSource,
    dealer: Dealer,
    watch_key: Callable[[], str],
    pool: WorkerPool,
    passwords: Passwords,
    analyst: Analyst,
    observers: Iterable[Observer],
    end_sessions: Callable[[Sequence[str]], None],  # called with sessions that ended here
    hear_sessions: HearSessions,  # called with those that ended in another process
) -> AsyncIterator[Backend]:
    """Run all parts while the context lasts."""
    secret = settings.signing_secret
    async with AsyncExitStack() as stack:
        store = await open_store(settings.database_url)
        stack.push_async_callback(store.close)
        settler = Settler(store, dealer)
        running = running_tables(
            store,
            secret=secret,
            pool=pool,
            time=time,
            dealer=dealer,
            watch_key=watch_key,
            open_tables=OpenTables(
                store, settings.open_tables_per_person, settings.open_tables_per_address
            ),
            observers=[*observers, settler.notice],
            hear_sessions=hear_sessions,
        )
        service, presence, bots = await stack.enter_async_context(running)
        sessions = Sessions(store.sessions, time, end_sessions)
        links = MailLinks(secret, settings.links_url, time)
        mailer = _mailer(settings, store, links, time)
        analyses = Analyses(
            store.analyses,
            time,
            busy=lambda: bots.waiting > 0,
            most_a_day=settings.analyses_per_day,
            analyst=analyst,
        )
        jobs = [settler.run(), sweep(store, sessions, time), analyses.run()]
        if mailer is not None:
            jobs.append(mailer.run())
        for job in jobs:
            stack.push_async_callback(_stop, asyncio.create_task(job))
        log.info("ready")
        yield Backend(
            store=store,
            people=People(store.people, sessions, passwords, service.leave_tables, time),
            sessions=sessions,
            friends=Friends(store.friends, store.people, secret, time),
            service=service,
            presence=presence,
            waiting=lambda: bots.waiting,
            analyses=analyses,
            puzzles=Progress(store.puzzles, time),
            mailer=mailer,
            addresses=Addresses(store.people, links),
        )


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
