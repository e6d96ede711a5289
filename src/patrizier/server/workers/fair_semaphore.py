"""A semaphore with two fair queues: urgent requests first, then the others."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic

from .account import Account
from .fair_queue import FairQueue

_Turn = asyncio.Future[None]


class FairSemaphore:
    """A semaphore; waiters that are not urgent wait until no urgent one does.

    The time for which a place is held is charged to its account.
    """

    def __init__(self, places: int, now: Callable[[], float] = monotonic) -> None:
        self.places = places
        self._free = places
        self._now = now
        self._urgent: FairQueue[_Turn] = FairQueue()
        self._patient: FairQueue[_Turn] = FairQueue()

    @asynccontextmanager
    async def passed(self, account: Account, *, urgent: bool = True) -> AsyncIterator[float]:
        """Hold a place while the block lasts; yields the load.

        The load is 1 if nobody waits, and grows with the number of equal waiters.
        """
        queue = self._urgent if urgent else self._patient
        await self._enter(queue, account)
        begin = self._now()
        try:
            yield max(1.0, queue.crowd(account) / self.places)
        finally:
            queue.charge(account, self._now() - begin)
            self._leave()

    def waiting(self, address: str, *, urgent: bool = True) -> int:
        """Return the number of waiters of a network."""
        return (self._urgent if urgent else self._patient).waiting(address)

    async def _enter(self, queue: "FairQueue[_Turn]", account: Account) -> None:
        if self._free > 0:
            self._free -= 1
            return
        turn: _Turn = asyncio.get_running_loop().create_future()
        queue.add(account, turn)
        try:
            await turn
        except asyncio.CancelledError:
            queue.discard(account, turn)
            if turn.done() and not turn.cancelled():
                self._leave()  # cancelled after getting the place: hand it on
            raise

    def _leave(self) -> None:
        """Hand the place on, or free it."""
        for queue in (self._urgent, self._patient):
            while found := queue.pop():
                _, turn = found
                if not turn.done():
                    turn.set_result(None)
                    return
        self._free += 1
