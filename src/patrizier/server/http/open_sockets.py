"""Which sockets stand open for which session, so that they end together with it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol


class Doubtful(Protocol):
    """A socket that can look whether its person is still signed in."""

    def doubt(self) -> None:
        """Look soon."""


class OpenSockets:
    """All sockets of this process."""

    def __init__(self) -> None:
        self._by_key: dict[str, set[Doubtful]] = {}

    @contextmanager
    def holding(self, key: str, socket: Doubtful) -> Iterator[None]:
        """Know of a socket while the block lasts, by the key of its identity."""
        self._by_key.setdefault(key, set()).add(socket)
        try:
            yield
        finally:
            there = self._by_key[key]
            there.discard(socket)
            if not there:
                del self._by_key[key]

    def doubt(self, keys: Iterable[str]) -> None:
        """Let the sockets of these look whether they still may be open."""
        for key in keys:
            for socket in self._by_key.get(key, ()):
                socket.doubt()

    def hear(self, keys: Sequence[str] | None) -> None:
        """Take note of what ended in another process; None: something may have been missed."""
        self.doubt(list(self._by_key) if keys is None else keys)

    def __len__(self) -> int:
        return sum(map(len, self._by_key.values()))
