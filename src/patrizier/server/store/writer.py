"""Group commit: appends that arrive together share a transaction."""

import asyncio
import secrets
from collections import deque
from collections.abc import Sequence

from sqlalchemy.exc import IntegrityError

from .appends import Append, carry_out, why
from .database import Database

_LARGEST = 200  # appends in one transaction
_PAUSE = 0.01  # seconds between transactions under load
_MANY = 20  # transactions in a row, closer than that on average: under load

Waiting = tuple[Append, "asyncio.Future[None]"]


class Writer:
    """Writes appends. While one transaction is written, the next one fills up."""

    def __init__(self, database: Database, pause: float = _PAUSE) -> None:
        self._database = database
        self._pause = pause
        self.origin = secrets.token_hex(4)  # identifies our own notices
        self._waiting: list[Waiting] = []
        self._begun: deque[float] = deque(maxlen=_MANY)  # when the last transactions began
        self._task: asyncio.Task[None] | None = None
        self.batches = 0  # transactions so far
        self.appends = 0

    async def append(self, append: Append) -> None:
        """Write an append; it is on disk when this returns. Raises `Conflict` or `Repeated`."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, done))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="patrizier-writer")
        await done

    async def close(self) -> None:
        """Write pending appends."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            while self._waiting:
                await self._gather()
                batch, self._waiting = self._waiting[:_LARGEST], self._waiting[_LARGEST:]
                await self._write(batch)
        finally:
            self._task = None

    async def _gather(self) -> None:
        """Under load, wait a little, so that more appends share a transaction."""
        now = asyncio.get_running_loop().time()
        if len(self._begun) == _MANY and now - self._begun[0] < _MANY * self._pause:
            pause = self._begun[-1] + self._pause - now
            if pause > 0:
                await asyncio.sleep(pause)
                now += pause
        self._begun.append(now)

    async def _write(self, batch: Sequence[Waiting]) -> None:
        outcomes: Sequence[BaseException | None]
        try:
            outcomes = await self._carry_out([append for append, _ in batch])
        except BaseException as error:
            # The outcome is unknown: callers must read again.
            _answer(batch, [error] * len(batch))
            if not isinstance(error, Exception):
                raise
            return
        self.appends += len(batch)
        _answer(batch, outcomes)

    async def _carry_out(self, appends: Sequence[Append]) -> list[Exception | None]:
        self.batches += 1
        try:
            return await self._database.write(lambda conn: carry_out(conn, appends, self.origin))
        except IntegrityError:
            if len(appends) == 1:
                return [await self._database.read(lambda conn: why(conn, appends[0]))]
        return [outcome for one in appends for outcome in await self._carry_out([one])]


def _answer(batch: Sequence[Waiting], outcomes: Sequence[BaseException | None]) -> None:
    for (_, done), outcome in zip(batch, outcomes, strict=True):
        if done.done():  # the caller has given up
            continue
        if outcome is None:
            done.set_result(None)
        else:
            done.set_exception(outcome)
