"""Slow and idle connections, at a server with short timeouts."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep

import pytest

from server.support.serving import Guest, Serving, serving

WITHIN = 1.0  # seconds for a request
HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder: Path = tmp_path_factory.mktemp("server")
    with serving(folder, request_within=WITHIN) as server:
        yield server


@pytest.fixture
def line(server: Serving) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.settings.port), 30) as line:
        yield line


def answer(line: socket.socket) -> bytes:
    """Return one whole answer."""
    text = b""
    while b"\r\n\r\n" not in text:
        text += line.recv(4096)
    head, _, body = text.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split()[0])
    while len(body) < length:
        body += line.recv(4096)
    return head


def drip(line: socket.socket, letter: Callable[[], bytes]) -> int:
    """Send a byte from time to time until the server hangs up; return how many."""
    line.settimeout(0.05)
    for count in range(600):  # half a minute, and less than anybody has to take in
        try:
            line.send(letter())
            if line.recv(4096) == b"":
                return count
        except TimeoutError:
            continue
        except OSError:
            return count
    raise AssertionError("the server waits for ever")


def test_who_says_nothing_is_not_waited_for(line: socket.socket) -> None:
    assert line.recv(100) == b""


def test_a_head_that_never_ends_is_not_waited_for(line: socket.socket) -> None:
    line.send(b"GET / HTTP/1.1\r\n")
    drip(line, lambda: b"X: y\r\n")


def test_the_second_request_has_to_end_too(line: socket.socket) -> None:
    line.send(HEAD)
    assert b"200" in answer(line)
    drip(line, lambda: b"X")


def test_a_body_that_nobody_wants_has_to_end_too(line: socket.socket) -> None:
    line.send(b"POST /api/me HTTP/1.1\r\nHost: elsewhere.example\r\nContent-Length: 60000\r\n\r\n")
    assert b"421" in answer(line)
    drip(line, lambda: b"x")


def test_requests_in_time_are_answered_one_after_the_other(line: socket.socket) -> None:
    for _ in range(5):
        line.send(HEAD[:20])
        sleep(WITHIN / 4)  # each takes its time, all together more than one may
        line.send(HEAD[20:])
        assert b"200" in answer(line)


def test_whoever_waits_for_an_answer_may_wait_longer(server: Serving) -> None:
    guest = Guest(server)
    table = guest.create()
    seq = guest.look(table["table"])["seq"]
    assert guest.look(table["table"], since=seq, wait=3 * WITHIN)["seq"] == seq
    with guest.live() as live:
        live.say("watch", table=table["table"])
        live.hear_kind("table")
        sleep(2 * WITHIN)  # a socket may be silent
        live.say("ping", nonce=7)
        assert live.hear_kind("pong")["nonce"] == 7
    guest.close()


def test_all_is_forgotten_when_they_are_gone(tmp_path: Path) -> None:
    with serving(tmp_path, request_within=WITHIN) as server:
        roster = server.roster
        lines = [socket.create_connection(("127.0.0.1", server.settings.port)) for _ in range(5)]
        lines[0].send(HEAD)
        answer(lines[0])
        guest = Guest(server)
        with guest.live() as live:
            live.say("ping")
            live.hear_kind("pong")
            assert roster.total >= 1
        guest.close()
        for line in lines:
            assert line.recv(100) == b""
            line.close()
    assert roster.total == 0
    assert not roster.make_room()
