"""A turnstile with two queues: whoever is urgent goes first, each queue in its order."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turnstile:
    """So many may be inside at a time. Those who have time wait until nobody urgent does."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def passed(self, *, urgent: bool = True) -> AsyncIterator[None]:
        """Hold a place while the block lasts."""
        await self._enter(self._urgent if urgent else self._patient)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, queue: "deque[asyncio.Future[None]]") -> None:
        if self._free > 0:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()  # the place was ours already: somebody else is to have it
            raise

    def _leave(self) -> None:
        """Hand the place on, or keep it free."""
        for queue in (self._urgent, self._patient):
            while queue:
                turn = queue.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self._free += 1
