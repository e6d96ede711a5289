"""A hostile client among players."""

import asyncio
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any
from urllib.parse import quote, urlsplit

from pydantic_core import from_json, to_json
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from patrizier.server.loadtest.client import Guest, new_id, watch
from server.support.fuzzing import Answers, Fuzzer

_TIMEOUT = 30.0  # seconds
_CLOSES = {1000, 1002, 1007, 1009, 4029}  # how a socket may end; 1011 would be an error there


class Line:
    """A socket that reconnects when the server has closed it."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._socket: ClientConnection | None = None
        self.answers = Answers()
        self.closes: Counter[int] = Counter()
        self._nonce = 1000

    async def exchange(self, sent: bytes, *, as_text: bool = True) -> list[dict[str, Any]]:
        """Send a frame and a ping; return all messages before the pong."""
        socket = self._socket = self._socket or await self._guest.connect()
        self._nonce += 1
        found: list[dict[str, Any]] = []
        try:
            await socket.send(sent, text=as_text)
            await socket.send(to_json({"kind": "ping", "nonce": self._nonce}), text=True)
            async with asyncio.timeout(_TIMEOUT):
                while True:
                    answer = from_json(await socket.recv())
                    if answer["kind"] == "pong" and answer["nonce"] == self._nonce:
                        return found
                    self.answers.check(answer, sent)
                    found.append(answer)
        except ConnectionClosed as error:
            self._socket = None
            code = error.rcvd.code if error.rcvd else 1000
            self.closes[code] += 1
            assert code in _CLOSES, f"closed with {code} over {sent[:200]!r}"
            return found

    async def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            await self._socket.close()


async def started_table(*guests: Guest, **setup: Any) -> str:
    """Start a new table with these guests."""
    table = await guests[0].create_table(players=len(guests), **setup)
    path = f"/api/tables/{table}/commands"
    for guest in guests[1:]:
        await guest.request("POST", path, {"kind": "join", "id": new_id()})
    for seat, guest in enumerate(guests):
        body = {"kind": "contribute", "id": new_id(), "seat": seat, "contribution": "0a" * 32}
        await guest.request("POST", path, body)
    return table


async def play_on(table: str, *guests: Guest) -> tuple[int, list[str]]:
    """Play a turn by request; return completed turns and the legal moves."""
    for guest in guests:
        told = await guest.request("GET", f"/api/tables/{table}")
        seat = told["you"]["to_move"]
        if seat is None:
            continue
        legal: list[str] = told["views"][0]["view"]["legal"]
        body = {"kind": "play", "id": new_id(), "seat": seat, "move": legal[0]}
        path = f"/api/tables/{table}/commands"
        answer = await guest.request("POST", path, body | {"at_turn": told["turn"]})
        assert answer["turn"] == told["turn"] + 1
        return answer["turn"], legal
    return 0, []


async def fuzz_sockets(url: str, messages: int, seed: int) -> Answers:
    """Send hostile messages as an outsider and as a player; the others must not be affected."""
    rng = Random(seed)
    anna, ben, cleo = [await Guest.come(url) for _ in range(3)]
    private = await started_table(anna, ben, watch="nobody", rules=["messengers"])
    own = await started_table(cleo, anna)
    waiting = await cleo.create_table(players=3)
    outsider, player = Line(cleo), Line(anna)
    liar = Fuzzer(rng, [private, private, own, waiting])
    total = Answers()
    for number in range(messages):
        if number % 40 == 0:
            turn, legal = await play_on(private, anna, ben)
            if not legal:  # over, or a stand-in plays: begin anew
                private = await started_table(anna, ben, watch="nobody", rules=["messengers"])
                own = await started_table(cleo, anna)
                waiting = await cleo.create_table(players=3)
                liar = Fuzzer(rng, [private, private, own, waiting])
            liar.turn, liar.moves = turn, [*liar.moves[-50:], *legal]
        line = player if number % 3 == 0 else outsider
        before = await anna.request("GET", f"/api/tables/{private}") if number % 10 == 0 else None
        sent = liar.message()
        found = await line.exchange(sent, as_text=rng.random() < 0.98)
        if line is outsider:
            _check_outsider(private, found)
        if before is not None and not any(each.get("answers") for each in found):
            after = await anna.request("GET", f"/api/tables/{private}")
            assert after | {"now": 0} == before | {"now": 0}, f"changed by {sent!r}"
    for line in (outsider, player):
        total.counts += line.answers.counts
        await line.close()
    await _play_to_the_end(url)
    return total


def _check_outsider(private: str, found: list[dict[str, Any]]) -> None:
    """An outsider gets nothing of a private game."""
    for answer in found:
        if answer["kind"] == "table" and answer["table"] == private:
            assert answer["you"]["role"] == "outsider"
            assert answer["views"] == []
            assert answer["log"] == []


async def _play_to_the_end(url: str) -> None:
    """Check that a normal game can still be played."""
    one, two = await Guest.come(url), await Guest.come(url)
    table = await started_table(one, two)
    for expected in range(1, 49):
        assert (await play_on(table, one, two))[0] == expected
    line = await one.connect()
    await line.send(watch(table), text=True)
    assert from_json(await line.recv())["phase"] == "finished"
    await line.close()


# -- requests


async def fuzz_requests(url: str, count: int, seed: int) -> Counter[int]:
    """Send hostile requests; return the counts of each status."""
    rng, guest = Random(seed), await Guest.come(url)
    table = await guest.create_table(players=2)
    openapi = await guest.request("GET", "/api/openapi.json")
    paths = [
        (
            path.replace("{table}", table).replace("{players}", "3").replace("{name}", "tie"),
            [method.upper() for method in item],
        )
        for path, item in openapi["paths"].items()
    ]
    statuses: Counter[int] = Counter()
    liar = Fuzzer(rng, [table])
    for _ in range(count):
        request = _request(rng, guest, *rng.choice(paths), liar)
        status = await _status(url, request)
        assert status < 500, f"{status} to {request[:300]!r}"
        statuses[status] += 1
    return statuses


def _request(rng: Random, guest: Guest, path: str, methods: list[str], liar: Fuzzer) -> bytes:
    if rng.random() < 0.3:
        letters = "".join(chr(rng.randrange(1, 0x250)) for _ in range(rng.randrange(20)))
        path = rng.choice(
            [path + "/" + quote(letters), quote(letters), path + "?" + quote(letters)]
        )
        path = path if path.startswith("/") else "/" + path
    if rng.random() < 0.2:
        path += rng.choice(
            ["?since=-1", "?since=x", "?wait=nan", "?key=" + "k" * 99, "?before=1e999"]
        )
    if rng.random() < 0.2:
        methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "XYZ"]
    method = rng.choice(methods)
    body = liar.message() if method not in ("GET", "HEAD", "OPTIONS") else b""
    if body and rng.random() < 0.3:
        body = liar.homework()
    if rng.random() < 0.02:
        body = b"x" * 70_000
    headers = [f"Host: {urlsplit(guest.url).netloc}", f"Content-Length: {len(body)}"]
    headers += ["Connection: close"]
    if rng.random() < 0.9:
        headers.append(f"Cookie: {guest.cookie}")
    if rng.random() < 0.9:
        headers.append(f"X-Patrizier-Token: {guest.token}")
    headers.append(rng.choice(["Content-Type: application/json", "Content-Type: x", "Accept: */*"]))
    if rng.random() < 0.1:
        headers.append("X-Odd: " + "y" * rng.choice([10, 20_000]))
    head = "\r\n".join([f"{method} {path} HTTP/1.1", *headers]).encode("latin-1", "replace")
    return head + b"\r\n\r\n" + body


async def _status(url: str, request: bytes) -> int:
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        with suppress(ConnectionError):
            writer.write(request)
            await writer.drain()
        async with asyncio.timeout(_TIMEOUT):
            line = await reader.readline()
        return int(line.split()[1]) if line else 0
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
