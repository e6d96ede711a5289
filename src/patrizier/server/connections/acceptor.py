"""A listening socket that enforces the limits on connections.

asyncio calls `accept` in a loop until it would block. Out of file descriptors, it would log
thousands of lines a second (see `BaseSelectorEventLoop._accept_connection`), which is avoided here.
"""

import errno
import os
import socket
import time
from contextlib import suppress
from typing import Any

from patrizier.server.networks import network_of

from .roster import Roster

BACKLOG = 2048  # connections waiting to be accepted
UNREAD_WITHIN = 30.0  # seconds without an acknowledgement before the connection is dropped
_AT_ONCE = 100  # rejected connections before the event loop continues
_PAUSE = 0.05  # seconds to wait when the system is out of memory
_SORRY = b"There are too many connections. Please come back in a moment.\n"
_NO_ROOM = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30\r\nConnection: close\r\n"
    b"Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s" % (len(_SORRY), _SORRY)
)


class Acceptor(socket.socket):
    """The listening socket."""

    def __init__(self, family: socket.AddressFamily, roster: Roster) -> None:
        # asyncio sets TCP_NODELAY only if the protocol is named.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self.roster = roster
        self._spare: int | None = _spare()  # a descriptor in reserve, see `_shed`
        self._pause = False

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection within the limits; BlockingIOError if there is none now."""
        if self._pause:  # a dropped connection closes in the next round of the loop
            self._pause = False
            raise BlockingIOError
        for _ in range(_AT_ONCE):
            if self.roster.is_full and self.roster.make_room():
                raise BlockingIOError
            accepted, address = self._take()
            network = network_of(address[0])
            if self.roster.is_full or not self._has_room_for(network, address[0]):
                self._turn_away(accepted)
                continue
            return Accepted(accepted, self.roster, network), address
        raise BlockingIOError

    def close(self) -> None:
        """Stop listening."""
        super().close()
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None

    def _has_room_for(self, network: str, host: str) -> bool:
        """Whether a network may have one more connection, if need be in place of an idle one."""
        if not self.roster.is_crowded(network, host):
            return True
        self._pause = self.roster.make_room(network)
        return self._pause

    def _turn_away(self, accepted: socket.socket) -> None:
        self.roster.turned_away()
        with accepted, suppress(OSError):
            accepted.setblocking(False)
            accepted.send(_NO_ROOM)

    def _take(self) -> tuple[socket.socket, Any]:
        try:
            return super().accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                self._shed()
                raise BlockingIOError from None
            raise

    def _shed(self) -> None:
        """Reject a connection with the spare descriptor: left waiting, it would wake us forever."""
        self.roster.exhausted()
        self.roster.make_room()
        if self._spare is None:
            time.sleep(_PAUSE)
        else:
            os.close(self._spare)
            self._spare = None
            with suppress(OSError):
                self._turn_away(super().accept()[0])
        with suppress(OSError):
            self._spare = _spare()


class Accepted(socket.socket):
    """A connection that is counted until it is closed."""

    def __init__(self, accepted: socket.socket, roster: Roster, network: str) -> None:
        kind = accepted.family, accepted.type, accepted.proto
        super().__init__(*kind, fileno=accepted.detach())
        self._roster: Roster | None = roster
        self._network = network
        roster.come(network)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            within = int(1000 * UNREAD_WITHIN)
            self.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, within)

    def close(self) -> None:
        """Close the connection and uncount it."""
        super().close()
        if self._roster is not None:
            self._roster.go(self._network)
            self._roster = None


def listen_at(host: str, port: int, roster: Roster) -> Acceptor:
    """Return a socket that listens at an address; raises OSError."""
    acceptor = Acceptor(socket.AF_INET6 if ":" in host else socket.AF_INET, roster)
    try:
        acceptor.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        acceptor.bind((host, port))
        acceptor.listen(BACKLOG)  # connections wait until the server is ready
    except OSError:
        acceptor.close()
        raise
    return acceptor


def _spare() -> int:
    return os.open(os.devnull, os.O_RDONLY)
