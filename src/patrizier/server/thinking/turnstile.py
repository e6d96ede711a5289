"""A semaphore with two fair queues: bots that are to move first, then whoever can wait."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic

from .account import Account
from .fair_queue import FairQueue

_Turn = asyncio.Future[None]


class Turnstile:
    """So many may be inside at a time. Those who have time wait until nobody urgent does.

    The time spent inside is counted on the account of whoever it was.
    """

    def __init__(self, places: int, now: Callable[[], float] = monotonic) -> None:
        self.places = places
        self._free = places
        self._now = now
        self._urgent: FairQueue[_Turn] = FairQueue()
        self._patient: FairQueue[_Turn] = FairQueue()

    @asynccontextmanager
    async def passed(self, account: Account, *, urgent: bool = True) -> AsyncIterator[float]:
        """Hold a place while the block lasts; yields how crowded it is.

        That is 1 where nobody waits, and more the more others wait with equal right.
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
        """Return how many wait on the accounts of a network."""
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
                self._leave()  # the place was ours already: somebody else is to have it
            raise

    def _leave(self) -> None:
        """Hand the place on, or keep it free."""
        for queue in (self._urgent, self._patient):
            while found := queue.pop():
                _, turn = found
                if not turn.done():
                    turn.set_result(None)
                    return
        self._free += 1
