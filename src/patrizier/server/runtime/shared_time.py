"""The time of all servers that share a database: it runs evenly, and never goes back.

Within a process the monotonic clock counts. Between processes the database decides: it keeps the
latest time that any server has reached, and all of them follow. Wall clocks, which are set and
corrected, give the date and nothing else: when the database's jumps ahead, the servers go along,
and give the time back to everybody whose clock ran.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from patrizier.server.logs import log
from patrizier.server.store.rows import Pulse

AWAY = 15.0  # seconds without a sign of life: then no server was there
_PATIENCE = 5.0  # seconds to wait for the timekeeper


class TimeSource(Protocol):
    """What tells the time."""

    def __call__(self) -> float:
        """Return the time in unix seconds."""

    def agree(self, pulse: Pulse) -> float:
        """Come to the same time as the other servers, and return it."""


class SharedTime:
    """Monotonic time, set by the database."""

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._monotonic = monotonic
        self._ahead = wall() - monotonic()  # until the database is asked
        self._agreed = False

    def __call__(self) -> float:
        """Return the time in unix seconds."""
        return self._ahead + self._monotonic()

    def agree(self, pulse: Pulse) -> float:
        """Follow the server that is furthest; at first, and after a jump, the database's clock."""
        reached = pulse.clock if pulse.at is None else pulse.at
        if not self._agreed:
            self._agreed = True
            self._set(max(reached, pulse.clock))
            return self()
        target = max(self(), reached)
        if pulse.clock - target > AWAY:
            jump = round(pulse.clock - target)
            log.warning("the database's clock is ahead by so many seconds", extra={"count": jump})
            target = pulse.clock
        self._set(target)
        return self()

    def _set(self, at: float) -> None:
        self._ahead = at - self._monotonic()


class Lease:
    """For how long it is certain that this process has counted all time that has passed.

    The timekeeper renews it. Whoever wants to charge time to somebody waits while there is none:
    the process may have been stopped, and then that time is to be given back first.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.now = monotonic
        self._until = float("inf")  # without a timekeeper nothing is ever given back
        self._news = asyncio.Event()

    def renew(self, asked: float) -> None:
        """Be certain for a while, counted from when the database was asked."""
        self._until = asked + AWAY
        self._news.set()

    def revoke(self) -> None:
        """Be certain no more."""
        self._until = float("-inf")

    @property
    def is_held(self) -> bool:
        """Whether it is certain now."""
        return self.now() <= self._until

    async def held(self) -> None:
        """Return when it is certain; raises TimeoutError if that takes too long."""
        if self.is_held:
            return
        async with asyncio.timeout(_PATIENCE):
            while not self.is_held:
                self._news.clear()
                await self._news.wait()
