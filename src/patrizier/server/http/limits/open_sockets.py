"""Open sockets by session, so that they are closed when it ends."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol


class Recheckable(Protocol):
    """A socket that can check whether its person is still signed in."""

    def recheck(self) -> None:
        """Check soon."""


class OpenSockets:
    """All sockets of this process."""

    def __init__(self) -> None:
        self._by_key: dict[str, set[Recheckable]] = {}

    @contextmanager
    def holding(self, key: str, socket: Recheckable) -> Iterator[None]:
        """Register a socket while the block lasts, by the key of its identity."""
        self._by_key.setdefault(key, set()).add(socket)
        try:
            yield
        finally:
            there = self._by_key[key]
            there.discard(socket)
            if not there:
                del self._by_key[key]

    def recheck(self, keys: Iterable[str]) -> None:
        """Let the sockets of these identities check whether they are still signed in."""
        for key in keys:
            for socket in self._by_key.get(key, ()):
                socket.recheck()

    def hear(self, keys: Sequence[str] | None) -> None:
        """Handle sessions that ended in another process; None: some may have been missed."""
        self.recheck(list(self._by_key) if keys is None else keys)

    def __len__(self) -> int:
        return sum(map(len, self._by_key.values()))
