"""A client: a cookie, requests, and a socket."""

import asyncio
import http.client
import ipaddress
import secrets
import socket
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from pydantic_core import from_json, to_json
from websockets.asyncio.client import ClientConnection, connect

_TIMEOUT = 60.0  # seconds


class NotHere(ValueError):
    """A URL that is not on this machine."""


class Failed(Exception):
    """A request that the server refused."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text}")
        self.status = status


def check_loopback(url: str) -> str:
    """Return a URL without its path; raises `NotHere` unless it is on this machine.

    >>> check_loopback("http://127.0.0.1:8321/")
    'http://127.0.0.1:8321'
    """
    parts = urlsplit(url)
    if parts.scheme != "http" or not parts.hostname:
        raise NotHere(f"{url} is not like http://127.0.0.1:8321")
    try:
        found = socket.getaddrinfo(parts.hostname, parts.port or 80, type=socket.SOCK_STREAM)
    except OSError as error:
        raise NotHere(f"{parts.hostname}: {error.strerror}") from None
    for *_, address in found:
        if not ipaddress.ip_address(str(address[0]).partition("%")[0]).is_loopback:
            raise NotHere(f"{parts.hostname} is not this machine: only loopback addresses are")
    return f"http://{parts.netloc}"


class Guest:
    """A guest on a server."""

    def __init__(self, url: str, cookie: str = "", token: str = "") -> None:
        self.url = url
        self.cookie = cookie
        self.token = token

    @classmethod
    async def come(cls, url: str) -> "Guest":
        """Visit the server as a new guest."""
        guest = cls(url)
        me = await guest.request("GET", "/api/me")
        guest.token = me["token"]
        return guest

    async def request(self, method: str, path: str, body: object = None) -> Any:
        """Return the answer to a request; raises `Failed`."""
        return await asyncio.to_thread(self._request, method, path, body)

    async def connect(self) -> ClientConnection:
        """Open a socket."""
        return await connect(
            f"ws{self.url.removeprefix('http')}/api/live",
            additional_headers={"Cookie": self.cookie, "Origin": self.url},
            compression=None,
            max_size=None,
            ping_interval=None,
            open_timeout=_TIMEOUT,
            proxy=None,
        )

    async def create_table(self, **setup: object) -> str:
        """Create a table and take its first seat; return its id."""
        body = {"id": new_id(), "setup": setup}
        message = await self.request("POST", "/api/tables", body)
        return str(message["table"])

    def _request(self, method: str, path: str, body: object) -> Any:
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=_TIMEOUT)
        try:
            headers = {"Cookie": self.cookie, "X-Patrizier-Token": self.token}
            data = None
            if body is not None:
                data = to_json(body)
                headers["Content-Type"] = "application/json"
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            content = answer.read()
            if not 200 <= answer.status < 300:
                raise Failed(answer.status, content.decode("utf-8", "replace")[:300])
            if given := answer.getheader("Set-Cookie"):
                ((name, morsel),) = SimpleCookie(given).items()
                self.cookie = f"{name}={morsel.value}"
            is_json = (answer.getheader("Content-Type") or "").startswith("application/json")
            return from_json(content) if is_json else content.decode()
        finally:
            connection.close()


def new_id() -> str:
    """Return a new command id."""
    return secrets.token_urlsafe(12)


def act(table: str, kind: str, **fields: object) -> bytes:
    """Return a command as a message for the socket."""
    command = {"kind": kind, "id": new_id(), **fields}
    return to_json({"kind": "act", "table": table, "command": command})


def watch(table: str, since: int = 0) -> bytes:
    """Return the message that subscribes to a table."""
    return to_json({"kind": "watch", "table": table, "since": since})
