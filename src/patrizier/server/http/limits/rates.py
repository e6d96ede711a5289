"""Limits on sizes, rates and connections, in bounded memory."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from patrizier.server.errors import TooMuch
from patrizier.server.http.refusals import refusal, too_much
from patrizier.server.networks import network_of
from patrizier.server.people.identity import Signatures
from patrizier.server.reasons import Reason, Values
from patrizier.server.settings import Settings

BODY_TIMEOUT = 30.0  # seconds for the body of a request
REMEMBERED = 20_000  # buckets per action; the longest unused are dropped first


@dataclass(frozen=True, slots=True)
class Rate:
    """A burst, and a steady rate per second."""

    burst: float
    per_second: float


RATES = {  # limits on actions that cost more than a usual request
    "guest": Rate(200, 600 / 3600),  # new visitors, by address
    "account": Rate(5, 10 / 3600),  # new accounts, by address
    "password": Rate(20, 60 / 3600),  # password hashes for unknown browsers, by address
    "all passwords": Rate(40, 2),  # the same for everybody together
    "guess": Rate(10, 20 / 3600),  # wrong passwords, by address, known browser or session
    "guess account": Rate(300, 100 / 3600),  # wrong passwords of an account, from unknown browsers
    "mail": Rate(5, 10 / 3600),  # confirmation e-mails, by address
    "all mails": Rate(50, 200 / 3600),  # the same for everybody together
    "create": Rate(20, 60 / 3600),  # tables, by person
    "join": Rate(20, 120 / 3600),  # seats, by person
    "join-network": Rate(100, 600 / 3600),  # seats, by address
    "rename": Rate(10, 30 / 3600),  # names, by person
    "friend": Rate(20, 60 / 3600),  # friends asked and links made, by person
    "friend-link": Rate(30, 120 / 3600),  # links opened, by address
    "invite": Rate(20, 120 / 3600),  # invitations, by person
    "list": Rate(60, 2),  # leaderboards and games to watch, by address
    "figures": Rate(10, 0.2),  # by person
    "say": Rate(8, 0.5),  # chat, by person
    "connect": Rate(60, 1),  # sockets, by address
    "hint": Rate(10, 0.25),  # seconds of a bot's thinking, by person
    "replay": Rate(30, 1),  # whole games to show, by address
    "line": Rate(120, 4),  # positions of lines, by address
    "line-bot": Rate(30, 0.5),  # turns and advice of bots in lines, by person
    "keep-lines": Rate(20, 60 / 3600),  # lines stored under a link, by person
    "keep-lines-network": Rate(100, 300 / 3600),  # the same by address
    "picture": Rate(20, 0.5),  # pictures of finished games, by address
    "analyse": Rate(30, 60 / 3600),  # games to analyse, by address
    "puzzle": Rate(60, 0.5),  # attempts reported, by person
    "puzzles": Rate(300, 4),  # chunks of puzzles, and attempts reported, by address
    "print": Rate(20, 0.2),  # sheets to print, by address
}


class Buckets:
    """Token buckets by key, full at first."""

    def __init__(self, rate: Rate, now: Callable[[], float], remembered: int = REMEMBERED) -> None:
        self.rate = rate
        self._now = now
        self._remembered = remembered
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, at

    def take(self, key: str) -> float:
        """Take a token; return 0, or the seconds until one is available."""
        now = self._now()
        tokens, at = self._buckets.pop(key, (self.rate.burst, now))
        tokens = min(self.rate.burst, tokens + max(0.0, now - at) * self.rate.per_second)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / self.rate.per_second
        self._buckets[key] = (tokens if wait else tokens - 1, now)
        if len(self._buckets) > self._remembered:
            self._buckets.popitem(last=False)
        return wait

    def wait(self, key: str) -> float:
        """Return the seconds until a token is available, without taking it."""
        tokens, at = self._buckets.get(key, (self.rate.burst, 0.0))
        tokens += max(0.0, self._now() - at) * self.rate.per_second
        return max(0.0, (1 - tokens) / self.rate.per_second)

    def __len__(self) -> int:
        return len(self._buckets)


class Limits:
    """All limits of one server process."""

    def __init__(self, settings: Settings, now: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        person, address = settings.rate_per_person, settings.rate_per_address
        self._rates = {
            "person": Buckets(Rate(max(10, 3 * person), person), now),
            "address": Buckets(Rate(max(10, 5 * address), address), now),
        }
        for action, rate in RATES.items():
            scaled = Rate(rate.burst * settings.rate_factor, rate.per_second * settings.rate_factor)
            self._rates[action] = Buckets(scaled, now)
        self._connections = 0
        self._by_address: Counter[str] = Counter()
        self._by_person: Counter[str] = Counter()

    def check(self, action: str, key: str) -> None:
        """Count an action; raises TooMuch if there were too many."""
        wait = self._rates[action].take(key)
        if wait:
            raise TooMuch(Reason.TOO_OFTEN, wait)

    def look(self, action: str, key: str, reason: Reason) -> None:
        """Raise TooMuch if the limit of an action is reached, without counting."""
        if wait := self._rates[action].wait(key):
            raise TooMuch(reason, wait)

    def count(self, action: str, key: str) -> None:
        """Count an action after the fact; never raises."""
        self._rates[action].take(key)

    @property
    def holders(self) -> int:
        """The number of addresses and people with connections."""
        return len(self._by_address) + len(self._by_person)

    @contextmanager
    def connection(self, address: str, person: str) -> Iterator[None]:
        """Hold one of the connections that an address and a person may have."""
        settings = self._settings
        if self._connections >= settings.max_connections:
            raise TooMuch(Reason.SERVER_FULL, 30)
        if self._by_address[address] >= settings.connections_per_address:
            raise TooMuch(Reason.NETWORK_FULL, 30)
        if self._by_person[person] >= settings.connections_per_person:
            raise TooMuch(Reason.PAGES_OPEN, 30)
        self._count(address, person, 1)
        try:
            yield
        finally:
            self._count(address, person, -1)

    def _count(self, address: str, person: str, change: int) -> None:
        self._connections += change
        for counter, key in ((self._by_address, address), (self._by_person, person)):
            counter[key] += change
            if not counter[key]:
                del counter[key]  # else the counters would grow without bound


def address_of(connection: HTTPConnection) -> str:
    """Return the network of a visitor; an IPv6 /64 counts as one."""
    return network_of(connection.client.host if connection.client else "")


class LimitedRate:
    """Middleware: 429 for too many requests."""

    def __init__(self, app: ASGIApp, limits: Limits, signatures: Signatures) -> None:
        self.app = app
        self._limits = limits
        self._signatures = signatures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count the request; pass it on or answer 429."""
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        connection = HTTPConnection(scope)
        try:
            self._limits.check("address", address_of(connection))
            if identity := self._signatures.identity(connection):
                self._limits.check("person", identity.person)
        except TooMuch as error:
            answer = too_much(error)
            return await answer(scope, receive, send)
        return await self.app(scope, receive, send)


class LimitedBody:
    """Middleware: 413 for too large a body, 408 for too slow a one."""

    def __init__(self, app: ASGIApp, max_body: int, timeout: float = BODY_TIMEOUT) -> None:
        self.app = app
        self._max_body = max_body
        self._timeout = timeout

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the whole body, which is small, and pass it on."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        try:
            async with asyncio.timeout(self._timeout):
                body = await self._read(scope, receive)
        except TimeoutError:
            answer = refusal(408, Reason.TOO_SLOW, headers={"Connection": "close"})
            return await answer(scope, receive, send)
        if body is None:
            most: Values = {"most": self._max_body}
            answer = refusal(413, Reason.TOO_LARGE, most, {"Connection": "close"})
            return await answer(scope, receive, send)
        given = False

        async def receive_body() -> Message:
            nonlocal given
            if given:
                return await receive()  # only a disconnect can follow
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        return await self.app(scope, receive_body, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """Return the body; None if it is too large."""
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and (len(announced) > 12 or int(announced) > self._max_body):
            return None
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return b""  # the client is gone
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self._max_body:
                return None
            if not message.get("more_body", False):
                return b"".join(parts)
