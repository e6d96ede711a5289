"""How long data is kept: deletes what has expired."""

import asyncio
from collections.abc import Awaitable, Callable

from patrizier.server.logs import log
from patrizier.server.people.sessions import Sessions
from patrizier.server.store.sql import SqlStore

FORGET_AFTER = 180 * 24 * 3600.0  # seconds until unused guests are deleted
KEEP_KEYS = 60 * 24 * 3600.0  # seconds to keep the keys of sent e-mails
KEEP_REQUESTS = 2 * 24 * 3600.0  # seconds to keep requests for analyses
SWEEP_EVERY = 3600.0  # seconds


async def sweep(store: SqlStore, sessions: Sessions, now: Callable[[], float]) -> None:
    """Delete expired data, until cancelled; what fails is tried again the next time."""
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
