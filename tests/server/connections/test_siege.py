"""A real server with hundreds of idle or unfinished connections."""

import selectors
import socket
import threading
from contextlib import ExitStack
from pathlib import Path

import httpx
from websockets.sync.client import connect

from patrizier.server.loadtest.process import ServerProcess

PER_NETWORK = 60  # connections, three for each socket
MOST = 1010  # in all
LIMITS = {
    "PATRIZIER_WORKERS": "1",
    "PATRIZIER_MAX_CONNECTIONS": "10",
    "PATRIZIER_CONNECTIONS_PER_ADDRESS": str(PER_NETWORK // 3),
    "PATRIZIER_REQUEST_WITHIN": "600",  # nobody goes by themselves
}


class Siege:
    """Connections from many addresses of this machine."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._lines = ExitStack()
        self.count = 0

    def come(self, host: str, words: bytes = b"") -> socket.socket:
        line = socket.create_connection(("127.0.0.1", self._port), 30, source_address=(host, 0))
        self._lines.enter_context(line)
        if words:
            line.send(words)
        self.count += 1
        return line

    def close(self) -> None:
        self._lines.close()


def wait_for_ends(lines: list[socket.socket], count: int) -> None:
    """Wait until the server has closed exactly this many of these connections."""
    with selectors.DefaultSelector() as open_lines:
        for line in lines:
            open_lines.register(line, selectors.EVENT_READ)
        while len(open_lines.get_map()) > len(lines) - count:
            ended = open_lines.select(60)
            assert ended, f"{len(open_lines.get_map())} of {len(lines)} are still open"
            for key, _ in ended:
                open_lines.unregister(key.fileobj)  # it says that there is no room, or nothing
        assert len(open_lines.get_map()) == len(lines) - count


def play(url: str, host: str) -> str:
    """Visit, create a table and follow it, as a player does; return the last message."""
    transport = httpx.HTTPTransport(local_address=host)
    with httpx.Client(base_url=url, transport=transport, timeout=60, trust_env=False) as http:
        me = http.get("/api/me")
        assert me.status_code == 200, me.text
        http.headers["X-Patrizier-Token"] = me.json()["token"]
        made = http.post("/api/tables", json={"id": "1", "setup": {"players": 2}})
        assert made.status_code == 201, made.text
        cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    port = int(url.rpartition(":")[2])
    line = socket.create_connection(("127.0.0.1", port), 60, source_address=(host, 0))
    with connect(
        url.replace("http", "ws") + "/api/live",
        additional_headers={"Cookie": cookie, "Origin": url},
        sock=line,
        compression=None,
        open_timeout=60,
        proxy=None,
    ) as live:
        live.send('{"kind": "ping"}')
        return str(live.recv(60))


def test_silent_and_slow_connections_shut_nobody_out(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, settings=LIMITS) as server:
        port = int(server.url.rpartition(":")[2])
        siege = Siege(port)
        try:
            # One address opens as many silent connections as it can.
            first = [siege.come("127.0.0.2") for _ in range(300)]
            wait_for_ends(first, 300 - PER_NETWORK)
            assert "pong" in play(server.url, "127.0.0.3")
            assert "pong" in play(server.url, "127.0.0.2")  # a neighbour behind the same address
            # Many addresses take up all connections, some with requests that never end.
            for number in range(10, 10 + MOST // PER_NETWORK + 2):
                for each in range(PER_NETWORK):
                    words = b"GET / HTTP/1.1\r\nX: " if each % 2 else b""
                    siege.come(f"127.0.0.{number}", words)
            assert siege.count > MOST + 300
            assert "pong" in play(server.url, "127.0.0.4")
            # And several people at once.
            told = list[str]()
            people = [
                threading.Thread(target=lambda n=n: told.append(play(server.url, f"127.0.1.{n}")))
                for n in range(1, 6)
            ]
            for person in people:
                person.start()
            for person in people:
                person.join(120)
            assert len(told) == 5
        finally:
            siege.close()
    assert server.errors == []
