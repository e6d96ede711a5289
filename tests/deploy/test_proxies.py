"""The example proxies: a game of two people through each, TLS and WebSockets included."""

import asyncio
import json
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from browser.house import ROOT
from patrizier.server.loadtest.process import ServerProcess
from server.support.postgres import find_binaries, running_postgres

DEPLOY = ROOT / "deploy"
NAME = "localhost"
SECRET = "a signing secret of more than thirty-two characters"
_TIMEOUT = 60.0  # seconds


pytestmark = pytest.mark.skipif(
    not os.environ.get("PATRIZIER_DEPLOY"), reason="takes minutes: `make test-deploy`"
)


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(program), reason=f"no {program}")


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


@contextmanager
def two_servers(folder: Path, port: int) -> Iterator[list[ServerProcess]]:
    """Run two servers on one PostgreSQL, which they reach by its socket as in compose.yaml."""
    binaries = find_binaries()
    if binaries is None:
        pytest.skip("no binaries of PostgreSQL found")
    settings = {
        "PATRIZIER_PUBLIC_URL": f"https://{NAME}:{port}",
        "PATRIZIER_TRUSTED_PROXIES": "127.0.0.1",
        "PATRIZIER_SECRET": SECRET,
        "PATRIZIER_WORKERS": "1",
    }
    with ExitStack() as stack:
        postgres = stack.enter_context(running_postgres(binaries))
        url = asyncio.run(postgres.new_database())
        server = url.partition("@127.0.0.1:")
        port_of, _, name = server[2].partition("/")
        by_socket = f"{server[0]}@/{name}?host={postgres.folder}&port={port_of}"
        yield [
            stack.enter_context(ServerProcess(folder / str(number), by_socket, settings))
            for number in range(2)
        ]


@contextmanager
def running(*command: str | Path, **environment: str) -> Iterator[None]:
    """Run a program while the block lasts."""
    words = [str(word) for word in command]
    words[0] = shutil.which(words[0]) or words[0]
    path = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **environment}
    with subprocess.Popen(words, env=path, stdin=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


class Person:
    """Somebody who plays through the proxy: requests by HTTPS, news by WebSocket."""

    def __init__(self, url: str, trusted: ssl.SSLContext) -> None:
        self.url = url
        self.trusted = trusted
        self.http = httpx.Client(base_url=url, verify=trusted, timeout=_TIMEOUT, trust_env=False)
        self._number = 0

    def arrive(self) -> None:
        """Become a guest; wait until the proxy answers."""
        until = time.monotonic() + _TIMEOUT
        while True:
            try:
                answer = self.http.get("/api/me")
                break
            except httpx.TransportError:
                assert time.monotonic() < until, "the proxy does not answer"
                time.sleep(0.1)
        self.http.headers["X-Patrizier-Token"] = answer.json()["token"]

    def act(self, path: str, **body: Any) -> dict[str, Any]:
        """Send a command."""
        self._number += 1
        answer = self.http.post(path, json={"id": f"c{self._number}", **body})
        message: dict[str, Any] = answer.json()
        too_late = body.get("kind") == "contribute" and message.get("reason") == "game-started"
        assert answer.is_success or too_late, answer.text  # a slow machine: it began without
        return message

    def hears_of(self, table: str, turn: int) -> dict[str, Any]:
        """Follow a table by WebSocket until this turn."""
        return asyncio.run(self._follow(table, turn))

    async def _follow(self, table: str, turn: int) -> dict[str, Any]:
        # The client with threads, which reads and writes one TLS socket at the same time, waits for
        # ever in its handshake now and then.
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"Cookie": cookies, "Origin": self.url}
        address = self.url.replace("https", "wss") + "/api/live"
        async with (
            asyncio.timeout(_TIMEOUT),
            connect(
                address,
                ssl=self.trusted,
                additional_headers=headers,
                open_timeout=_TIMEOUT,
                proxy=None,
            ) as line,
        ):
            await line.send(json.dumps({"kind": "watch", "table": table, "since": 0}))
            async for text in line:
                told: dict[str, Any] = json.loads(text)
                if told["kind"] == "table" and told.get("turn", -1) >= turn:
                    return told
        pytest.fail("the socket was closed")


def play_through(url: str, certificate: Path) -> None:
    """Two people play a few turns; each learns of the other's on a socket."""
    until = time.monotonic() + _TIMEOUT
    while not certificate.exists():
        assert time.monotonic() < until, "there is no certificate"
        time.sleep(0.1)
    trusted = ssl.create_default_context(cafile=str(certificate))
    people, rng = [Person(url, trusted) for _ in range(2)], Random(1)
    for person in people:
        person.arrive()
    anna, ben = people
    setup = {"players": 2, "seats": ["person", "person"]}
    table = anna.act("/api/tables", setup=setup, seat=0)["table"]
    commands = f"/api/tables/{table}/commands"
    ben.act(commands, kind="join")
    for seat, person in enumerate(people):
        person.act(commands, kind="contribute", seat=seat, contribution=f"{seat}" * 64)
    for turn in range(4):
        told = [person.hears_of(table, turn) for person in people]
        seat = next(n for n in range(2) if told[n]["you"]["to_move"] is not None)
        (view,) = [each["view"] for each in told[seat]["views"] if each["seat"] == seat]
        move = rng.choice(view["legal"])
        people[seat].act(commands, kind="play", seat=seat, move=move, at_turn=turn)
    assert "Strict-Transport-Security" in anna.http.get("/api/me").headers
    for person in people:
        person.http.close()


@needs("caddy")
def test_caddy_in_front_of_two_servers(tmp_path: Path) -> None:
    https, http = free_ports(2)
    (tmp_path / "Caddyfile").write_text(
        f"{{\n\tadmin off\n\tskip_install_trust\n\thttps_port {https}\n\thttp_port {http}\n}}\n"
        f"import {DEPLOY / 'Caddyfile'}\n"
    )
    with two_servers(tmp_path, https) as servers:
        at = " ".join(server.url.removeprefix("http://") for server in servers)
        settings = {"PATRIZIER_DOMAIN": NAME, "PATRIZIER_SERVERS": at, "HOME": str(tmp_path)}
        data = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        command = ("caddy", "run", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile")
        with running(*command, **settings, **data):
            root = tmp_path / "caddy" / "pki" / "authorities" / "local" / "root.crt"
            play_through(f"https://{NAME}:{https}", root)
            servers[0].kill()  # the other one goes on
            play_through(f"https://{NAME}:{https}", root)


@needs("nginx")
@needs("openssl")
def test_nginx_in_front_of_two_servers(tmp_path: Path) -> None:
    https, http = free_ports(2)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
         "-keyout", tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    with two_servers(tmp_path, https) as servers:
        site = (DEPLOY / "nginx.conf").read_text("utf-8")
        at = [server.url.removeprefix("http://") for server in servers]
        for old, new in {
            "/etc/letsencrypt/live/patrizier.example": str(tmp_path),
            "patrizier.example": NAME,
            "443": str(https),
            "listen 80": f"listen {http}",
            "listen [::]:80": f"listen [::]:{http}",
            "server 127.0.0.1:8321": f"server {at[0]}",
            "# server 127.0.0.1:8322": f"server {at[1]}",
            "$host;": f"{NAME}:{https};",  # it does not stand at the usual port here
        }.items():
            assert old in site
            site = site.replace(old, new)
        (tmp_path / "site.conf").write_text(site)
        (tmp_path / "nginx.conf").write_text(
            f"daemon off;\npid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\n"
            f"http {{\naccess_log off;\ninclude {tmp_path}/site.conf;\n}}\n"
        )
        with running("nginx", "-p", tmp_path, "-c", tmp_path / "nginx.conf"):
            play_through(f"https://{NAME}:{https}", tmp_path / "fullchain.pem")
