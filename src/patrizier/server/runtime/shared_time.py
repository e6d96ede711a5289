"""The shared time of all servers on one database: monotonic, even across restarts.

Within a process the monotonic clock counts. Between processes the database stores the latest time
that any server has reached, and all follow it. Wall clocks, which may be adjusted, only give the
date: if the database's jumps ahead, the servers follow, and credit the jump to all running clocks.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from patrizier.server.logs import log
from patrizier.server.store.rows import Pulse

AWAY = 15.0  # seconds without a heartbeat until servers count as away
_TIMEOUT = 5.0  # seconds to wait for the timekeeper


class TimeSource(Protocol):
    """A source of the shared time."""

    def __call__(self) -> float:
        """Return the time in unix seconds."""

    def agree(self, pulse: Pulse) -> float:
        """Agree with the other servers on the time, and return it."""


class SharedTime:
    """Monotonic time, synchronised through the database."""

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._monotonic = monotonic
        self._ahead = wall() - monotonic()  # until synchronised
        self._agreed = False

    def __call__(self) -> float:
        """Return the time in unix seconds."""
        return self._ahead + self._monotonic()

    def agree(self, pulse: Pulse) -> float:
        """Follow the latest server; at first, and after a jump, the database's clock."""
        reached = pulse.clock if pulse.at is None else pulse.at
        if not self._agreed:
            self._agreed = True
            self._set(max(reached, pulse.clock))
            return self()
        target = max(self(), reached)
        if pulse.clock - target > AWAY:
            jump = round(pulse.clock - target)
            log.warning("the database's clock is ahead, in seconds", extra={"count": jump})
            target = pulse.clock
        self._set(target)
        return self()

    def _set(self, at: float) -> None:
        self._ahead = at - self._monotonic()


class Lease:
    """A lease on the shared time: while held, this process is sure to have missed no time.

    The timekeeper renews it. Charging time to a player waits for it: the process may have been
    suspended, and then that time must be credited first.
    """

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, timeout: float = _TIMEOUT
    ) -> None:
        self._timeout = timeout
        self.now = monotonic
        self._until = float("inf")  # always held without a timekeeper
        self._news = asyncio.Event()

    def renew(self, asked: float) -> None:
        """Extend the lease, counted from when the database was asked."""
        self._until = asked + AWAY
        self._news.set()

    def revoke(self) -> None:
        """Give up the lease."""
        self._until = float("-inf")

    @property
    def is_held(self) -> bool:
        """Whether the lease is held now."""
        return self.now() <= self._until

    async def held(self) -> None:
        """Wait for the lease; raises TimeoutError if that takes too long."""
        if self.is_held:
            return
        async with asyncio.timeout(self._timeout):
            while not self.is_held:
                self._news.clear()
                await self._news.wait()
