"""Garbage to any path is refused, and the server keeps running."""

import json
import socket
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from server.support.serving import Guest, Serving

Make = Callable[..., Guest]

BODIES: list[Any] = [
    b"",
    b"null",
    b"[]",
    b"{",
    b'{"name": "\\ud800"}',
    b'{"name": "\\u0000"}',
    b'{"id": "\\ud800\\udc00", "setup": {"players": 1e400}}',
    b'{"id": "x", "setup": {"players": 2, "deck": {"name": "x", "cards": {"BO1": "?"}}}}',
    b'{"id": "x", "setup": {"colours": ["red", "red"], "players": 2}}',
    b'{"id": "\\u0007", "kind": "start"}',
    b"\xff\xfe\x00",
    b"[" * 20_000,
    b'{"a":' * 5_000,
    json.dumps({"name": "x", "password": "y" * 200}).encode(),
    json.dumps({"kind": "say", "id": "1", "text": "\u202e" * 300}).encode(),
    json.dumps({"kind": "mute", "id": "1", "who": "x"}).encode(),
]
TABLES = ["x" * 24, "short", "%00", "..%2F..%2Fetc", "x" * 500, "%F0%9F%A6%81" * 8, "a b"]


def calls(document: dict[str, Any]) -> list[tuple[str, str]]:
    return [(method, path) for path, item in document["paths"].items() for method in item]


def test_no_request_breaks_the_server(guest: Make) -> None:
    anna = guest("Anna")
    document = anna.ask("GET", "/api/openapi.json")
    table = anna.create()["table"]
    rng, seen = Random(4), set[int]()
    for method, path in calls(document):
        for body in BODIES:
            url = path.replace("{table}", rng.choice([*TABLES, table])).replace("{players}", "9")
            query = rng.choice(["", "?since=-1", "?wait=nan", "?before=inf", "?key=%ff&token=%ff"])
            headers = {"Content-Type": "application/json"}
            answer = anna.http.request(method, url + query, content=body, headers=headers)
            assert answer.status_code < 500, (method, url, body[:50])
            seen.add(answer.status_code)
            if "set-cookie" in answer.headers:
                anna.know(anna.http.get("/api/me"))
            if answer.status_code >= 400 and "json" in answer.headers["content-type"]:
                assert set(answer.json()) == {"code", "reason", "values", "text"}
    assert {200, 404, 422} <= seen


@pytest.mark.parametrize(
    "request_",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\n",
        b"GET /%zz%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /api/me HTTP/1.1\r\nHost: localhost\r\nCookie: \xff\xfe=\xff\r\n"
        b"X-Patrizier-Token: \xff\r\nOrigin: \xff\r\nConnection: close\r\n\r\n",
        b"PUT /api/me/name HTTP/1.1\r\nHost: [::1\r\nConnection: close\r\n\r\n",
    ],
)
def test_no_bytes_break_the_server(server: Serving, request_: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.settings.port), 10) as line:
        line.sendall(request_)
        line.shutdown(socket.SHUT_WR)
        answer = line.recv(1000)
    assert not answer.startswith(b"HTTP/1.1 5")


def test_deep_decks_and_long_names_are_refused_in_words(guest: Make) -> None:
    anna = guest("Anna")
    setup = {"players": 2, "deck": {"name": "mine", "cards": {"BO1": "?"}}}
    body = {"id": "x", "setup": setup}
    problem = anna.ask("POST", "/api/tables", status=422, json=body)
    assert problem["code"] == "invalid"
    assert problem["text"]
