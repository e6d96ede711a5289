"""HTTP on one connection, with a timeout for incomplete requests."""

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from patrizier.server.networks import network_of

from .roster import Roster


class HttpProtocol(H11Protocol):
    """Uvicorn's protocol, with a timeout: by itself it waits forever for an incomplete request.

    While the server waits for the client, the connection may be dropped: when the head of a request
    takes too long, or to make room for others. Bodies have their own timeout (`http.limits.rates`).
    """

    roster: ClassVar[Roster]
    within: ClassVar[float]  # seconds for the head of a request
    _deadline: asyncio.TimerHandle | None = None
    _network = ""
    _upgraded = False  # it is a WebSocket now

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start waiting for a request."""
        super().connection_made(transport)
        self._network = network_of(self.client[0] if self.client else "")
        self._look()

    def data_received(self, data: bytes) -> None:
        """Pass data on, and check whether the server still waits for the client."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Start waiting for the next request."""
        super().on_response_complete()
        self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand over to the WebSocket protocol, which has heartbeats."""
        self._heard()
        self._upgraded = True
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._heard()
        super().connection_lost(exc)

    def drop(self) -> None:
        """Abort the connection."""
        self._heard()
        self.transport.abort()

    def _look(self) -> None:
        """Update whether the server waits for the client, and the deadline."""
        if self._upgraded or self.transport.is_closing():
            return
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering and not self.cycle.more_body:
            self._heard()
            return
        self.roster.wait(self, self._network)
        if answering:
            self._stop()  # the body has its own timeout
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
    """Return the protocol class for the connections of a roster."""
    return type("HttpProtocol", (HttpProtocol,), {"roster": roster, "within": within})
