"""The application on a real port, and guests with cookies and sockets."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx
from argon2 import PasswordHasher
from fastapi import FastAPI
from websockets.sync.client import ClientConnection, connect

from patrizier.bots.warmup import DEALS, RULES, STEPS
from patrizier.server.connections.roster import Roster
from patrizier.server.http.app import create_app
from patrizier.server.http.collaborators import Collaborators
from patrizier.server.people.passwords import Passwords
from patrizier.server.process import Server, listen
from patrizier.server.settings import Settings

Json = dict[str, Any]

QUICK = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
GENEROUS: Json = {  # limits that no test meets by accident
    "rate_per_person": 100_000,
    "rate_per_address": 100_000,
    "rate_factor": 1_000,
    "connections_per_address": 1_000,
    "open_tables_per_person": 1_000,
    "open_tables_per_address": 1_000,
    "subscriptions_per_connection": 5,
}
_TIMEOUT = 30.0  # seconds
_numbers = count(1)


@dataclass(frozen=True)
class Serving:
    """A running server."""

    settings: Settings
    app: FastAPI
    roster: Roster

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.settings.port}"

    @contextmanager
    def live(self, **headers: str) -> Iterator[ClientConnection]:
        """Open a socket."""
        with connect(
            f"ws://127.0.0.1:{self.settings.port}/api/live",
            additional_headers=headers,
            compression=None,
            open_timeout=_TIMEOUT,
            max_size=None,
            proxy=None,
        ) as line:
            yield line


@cache
def compile_rules() -> None:
    """Compile the rules, or load them from the cache: no request has to wait for that."""
    for step in STEPS:
        if step.name in (RULES, DEALS):
            step.run()


@contextmanager
def serving(
    folder: Path,
    given: Collaborators | None = None,
    **settings: Any,
) -> Iterator[Serving]:
    """Run a server while the block lasts, with quick passwords."""
    compile_rules()
    given = given or Collaborators()
    if given.passwords is Passwords:
        given = replace(given, passwords=lambda: Passwords(QUICK))
    made = Settings(**{"data_dir": folder, "port": 0, "workers": 1, **GENEROUS, **settings})
    with listen(made) as listener:
        made = made.model_copy(update={"port": listener.getsockname()[1]})
        app = create_app(made, given)
        server = Server(made, app, listener.roster)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            until = time.monotonic() + 2 * _TIMEOUT
            while not server.started:
                assert thread.is_alive(), "the server does not start"
                assert time.monotonic() < until, "the server takes too long to start"
                time.sleep(0.02)
            yield Serving(made, app, listener.roster)
        finally:
            server.should_exit = True
            thread.join(_TIMEOUT)
            assert not thread.is_alive(), "the server does not stop"


class Guest:
    """A browser: cookies, and the page's token."""

    def __init__(self, server: Serving, name: str = "") -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.url, timeout=_TIMEOUT, trust_env=False)
        self.me = self.know(self.http.get("/api/me"))
        if name:
            self.me = self.know(self.http.put("/api/me/name", json={"name": name}))

    def know(self, answer: httpx.Response) -> Json:
        """Keep the token of a `Me` response."""
        assert answer.is_success, answer.text
        me: Json = answer.json()
        self.http.headers["X-Patrizier-Token"] = me["token"]
        return me

    def ask(self, method: str, path: str, *, status: int = 200, **options: Any) -> Any:
        """Send a request, expect a status, return the JSON of the answer."""
        answer = self.http.request(method, path, **options)
        assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
        return answer.json()

    def create(self, **setup: Any) -> Json:
        """Create a table, take a seat, and contribute to the deal."""
        setup.setdefault("players", 2)
        body = {"id": new_id(), "setup": setup}
        message: Json = self.ask("POST", "/api/tables", status=201, json=body)
        (seat,) = message["you"]["seats"]
        return self.act(message["table"], "contribute", seat=seat, contribution="1" * 64)

    def act(self, table: str, kind: str, *, status: int = 200, **fields: Any) -> Json:
        """Carry out a command by a request."""
        body = {"kind": kind, "id": new_id(), **fields}
        answer: Json = self.ask("POST", f"/api/tables/{table}/commands", status=status, json=body)
        return answer

    def look(self, table: str, **query: Any) -> Json:
        """Return a table."""
        message: Json = self.ask("GET", f"/api/tables/{table}", params=query)
        return message

    @property
    def cookie(self) -> str:
        """The Cookie header."""
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    @contextmanager
    def live(self) -> Iterator["Line"]:
        """Open a socket with my cookie."""
        with self.server.live(Cookie=self.cookie, Origin=self.server.url) as line:
            yield Line(line)

    def close(self) -> None:
        self.http.close()


class Line:
    """A socket, by messages."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[Json] = []

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"kind": kind, **fields}))

    def act(self, table: str, kind: str, **fields: Any) -> str:
        """Send a command; return its id."""
        command = {"kind": kind, "id": new_id(), **fields}
        self.say("act", table=table, command=command)
        return str(command["id"])

    def hear(self, wanted: Callable[[Json], bool] = lambda _: True) -> Json:
        """Return the next message of a kind; others are kept in `heard`."""
        until = time.monotonic() + _TIMEOUT
        while True:
            message: Json = json.loads(self.socket.recv(max(0.1, until - time.monotonic())))
            self.heard.append(message)
            if wanted(message):
                return message

    def hear_answer(self, command: str) -> Json:
        """Return the answer to a command."""
        return self.hear(lambda message: message.get("answers") == command)

    def hear_kind(self, kind: str) -> Json:
        return self.hear(lambda message: message["kind"] == kind)


def new_id() -> str:
    """Return an id for a command."""
    return f"c{next(_numbers)}"


def next_turn(message: Json, rng: Random) -> Json:
    """Return the fields of a legal turn for the person of this message."""
    seat = message["you"]["to_move"]
    assert seat is not None, "it is not their turn"
    (view,) = [each["view"] for each in message["views"] if each["seat"] == seat]
    return {"seat": seat, "move": rng.choice(view["legal"]), "at_turn": message["turn"]}
