"""Listens for what other processes append to a shared PostgreSQL database."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from patrizier.server.logs import log
from patrizier.server.store.notices import (
    CHANNEL,
    PRESENCE,
    SESSIONS,
    Notice,
    TablePresence,
    read_notices,
)

_RETRY = (0.1, 0.5, 1.0, 2.0, 5.0)  # seconds between attempts to connect
_CHECK = 15.0  # seconds between checks of the connection
_TIMEOUT = 10.0  # seconds


class Listener:
    """A listening connection; when it breaks, it reconnects and catches up."""

    def __init__(
        self,
        url: str,
        origin: str,
        hear: Callable[[Notice], None],
        catch_up: Callable[[], Awaitable[None]],
        hear_presence: Callable[[str, TablePresence], None] = lambda _origin, _there: None,
        hear_sessions: Callable[[Sequence[str]], None] = lambda _ids: None,
    ) -> None:
        self._url = url
        self._origin = origin  # to ignore our own notices
        self._hear = hear
        self._catch_up = catch_up
        self._hear_presence = hear_presence
        self._hear_sessions = hear_sessions
        self.listening = asyncio.Event()

    async def run(self) -> None:
        """Listen until cancelled."""
        failures = 0
        while True:
            try:
                await self._listen()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
                log.warning("cannot listen to the database", exc_info=True)
            if self.listening.is_set():
                failures = 0
                self.listening.clear()
            await asyncio.sleep(_RETRY[min(failures, len(_RETRY) - 1)])
            failures += 1

    async def _listen(self) -> None:
        """Listen until the connection breaks."""
        connection = await asyncpg.connect(self._url, timeout=_TIMEOUT)
        try:
            broken = asyncio.Event()
            connection.add_termination_listener(lambda _: broken.set())
            await connection.add_listener(CHANNEL, self._heard)
            await connection.add_listener(PRESENCE, self._heard)
            await connection.add_listener(SESSIONS, self._heard)
            self.listening.set()
            await self._catch_up()  # what was missed before
            while not broken.is_set():
                try:
                    await asyncio.wait_for(broken.wait(), _CHECK)
                except TimeoutError:
                    await connection.execute("SELECT 1", timeout=_TIMEOUT)
        finally:
            connection.terminate()

    def _heard(self, _connection: Any, _pid: int, channel: str, words: object) -> None:
        origin, notices = read_notices(str(words))
        if origin == self._origin:
            return
        if channel == SESSIONS:
            self._hear_sessions(notices)
            return
        for word in notices:
            if channel == PRESENCE:
                self._hear_presence(origin, TablePresence.read(word))
            else:
                self._hear(Notice.read(word))
