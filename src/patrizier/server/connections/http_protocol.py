"""HTTP on one connection, with an end to patience: a request has to be complete in time."""

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from patrizier.server.networks import network_of

from .roster import Roster


class HttpProtocol(H11Protocol):
    """Uvicorn's protocol, which by itself waits for ever for a request that was begun.

    While the server waits for the client it may drop the connection: when the head of a request
    takes too long, or when others need the room. How long a body may take is seen to elsewhere.
    """

    roster: ClassVar[Roster]
    within: ClassVar[float]  # seconds for the head of a request
    _deadline: asyncio.TimerHandle | None = None
    _network = ""
    _upgraded = False  # the connection is a socket's now

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._network = network_of(self.client[0] if self.client else "")
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take what the client says."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the socket's protocol, which has heartbeats."""
        self._heard()
        self._upgraded = True
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._heard()
        super().connection_lost(exc)

    def drop(self) -> None:
        """End the connection, whatever the client still wants to say."""
        self._heard()
        self.transport.abort()

    def _look(self) -> None:
        """Wait for the client if it is to speak now, and for nobody else."""
        if self._upgraded or self.transport.is_closing():
            return
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering and not self.cycle.more_body:
            self._heard()
            return
        self.roster.wait(self, self._network)
        if answering:
            self._stop()  # the body has its own time
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.within, self.drop)

    def _heard(self) -> None:
        self.roster.heard(self)
        self._stop()

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def http_protocol(roster: Roster, within: float) -> type[HttpProtocol]:
    """Return the protocol for the connections of a roster."""
    return type("HttpProtocol", (HttpProtocol,), {"roster": roster, "within": within})
