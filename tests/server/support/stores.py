"""A store whose disk may be full."""

from typing import Any

from patrizier.server.store.sql import SqlStore


class FillingStore(SqlStore):
    """A store whose disk may be full."""

    is_full = False

    async def append(self, *arguments: Any, **more: Any) -> None:
        self._check()
        await super().append(*arguments, **more)

    async def beat(self, now: float) -> None:
        self._check()
        await super().beat(now)

    def _check(self) -> None:
        if self.is_full:
            raise OSError("the disk is full")
