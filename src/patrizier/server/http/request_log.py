"""Middleware that measures and logs every request by its route; paths contain table ids."""

import logging
from time import perf_counter

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from patrizier.server.logs import log
from patrizier.server.store.faults import fault_of

from .metrics import Metrics
from .refusals import broken, database_unavailable

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Observed:
    """Times requests and answers internal errors; sockets do so themselves."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; measure and log it."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        begin = perf_counter()
        status = 0  # no response yet

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except Exception as error:
            answer = self._answer_to(error)
            if not status:
                await answer(scope, receive, send_and_note)
        finally:
            self._note(scope, status, perf_counter() - begin)

    def _answer_to(self, error: Exception) -> JSONResponse:
        """Log an error and return the response to it."""
        if fault := fault_of(error):
            log.error(str(fault), exc_info=error)
            return database_unavailable(fault)
        log.error("broken", exc_info=error)
        return broken()

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in METHODS else "other"
        route = getattr(scope.get("route"), "path", "") or "other"
        self._metrics.request_seconds.labels(method, route, str(status)).observe(seconds)
        if status >= 400:
            self._metrics.refused.labels(str(status)).inc()
        level = logging.ERROR if status >= 500 else logging.INFO
        if route in ("/healthz", "/readyz", "/metrics") and status < 500:
            level = logging.DEBUG
        fields = {
            "method": method,
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 2),
        }
        log.log(level, "request", extra=fields)
