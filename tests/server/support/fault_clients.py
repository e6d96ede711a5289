"""Clients that play on through faults, and check that nothing they were told is lost."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from http.client import HTTPException
from math import inf
from random import Random
from time import monotonic
from typing import Any, TypeVar

from pydantic_core import from_json, to_json
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidHandshake, WebSocketException

from patrizier import read_games
from patrizier.server.deal.verification import verify
from patrizier.server.loadtest.client import Failed, Guest, new_id, watch
from patrizier.server.maintenance.damage import check_database
from patrizier.server.maintenance.rows import DatabaseRows, Row, read_all
from server.support.faults import Endpoint, Fault

SETUPS: tuple[dict[str, Any], ...] = (
    {"players": 2},
    {"players": 3, "rules": ["messengers"], "pace": {"kind": "realtime", "base": 3600}},
    {"players": 2, "seats": ["person", "apprentice"]},
    {"players": 4, "seats": ["person", "person", "apprentice", "person"], "rated": True},
)
T = TypeVar("T")
Tell = Callable[[str], None]  # how far it has come
_AGAIN = (OSError, WebSocketException, InvalidHandshake, EOFError, TimeoutError)
_TIMEOUT = 60.0  # seconds for a server to come back
_ANSWER = 20.0  # seconds after which a command is sent once more


class Heard:
    """Everything that clients received about a table: it must never change."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.turns: dict[int, dict[str, Any]] = {}  # turn number -> its record
        self.seqs: dict[int, int] = {}  # turn number -> sequence number
        self.acknowledged: set[str] = set()  # ids of commands that were answered
        self.most = 0  # turns that anybody was told of
        self.messages = 0

    def note(self, message: dict[str, Any]) -> None:
        """Compare a message with earlier ones."""
        self.messages += 1
        self.most = max(self.most, message["turn"])
        for entry in message["log"]:
            assert entry["kind"] != "undone"
            if entry["kind"] == "turn":
                number = entry["record"]["turn"]
                known = self.turns.setdefault(number, entry["record"])
                assert known == entry["record"], f"turn {number} is another one now"
                seq = self.seqs.setdefault(number, entry["seq"])
                assert seq == entry["seq"]


class Late(Exception):
    """A game has started without somebody's contribution."""


class Player:
    """A client at a table that reconnects whenever the connection is cut."""

    def __init__(
        self, guest: Guest, servers: Sequence[Endpoint], table: str, heard: Heard, rng: Random
    ) -> None:
        self._guest = guest
        self._servers = servers
        self._table = table
        self._heard = heard
        self._rng = rng
        self._seq = 0
        self._message: dict[str, Any] = {}
        self._line: ClientConnection | None = None
        self.repeated = 0  # commands that were sent more than once

    async def play(self) -> None:
        """Play to the end of the game."""
        try:
            while self._message.get("phase") != "finished":
                command = self._next_command() if self._message else None
                if command is None:
                    await self._hear()
                else:
                    await self._carry_out(command)
        finally:
            if self._line is not None:
                await self._line.close()

    def _next_command(self) -> dict[str, Any] | None:
        told = self._message
        if told["phase"] == "open":
            (seat,) = told["you"]["seats"]
            if told["seats"][seat]["contributed"]:
                return None
            given = self._rng.randbytes(32).hex()
            return {"kind": "contribute", "seat": seat, "contribution": given}
        seat = told["you"]["to_move"]
        if seat is None:
            return None
        move = self._rng.choice(told["views"][0]["view"]["legal"])
        return {"kind": "play", "seat": seat, "move": move, "at_turn": told["turn"]}

    async def _carry_out(self, command: dict[str, Any]) -> None:
        """Send a command until it is answered, always with the same id."""
        command_id = new_id()
        with suppress(Late):
            await self._send(command, command_id)

    async def _send(self, command: dict[str, Any], command_id: str) -> None:
        for attempt in itertools.count():
            line = await self._connected()
            act = {"kind": "act", "table": self._table, "command": command | {"id": command_id}}
            self.repeated += attempt > 0
            with suppress(*_AGAIN):
                await line.send(to_json(act), text=True)
                async with asyncio.timeout(_ANSWER):
                    while not await self._listen(line, command_id):
                        pass
                self._heard.acknowledged.add(command_id)
                return
            await self._lost(line)

    async def _hear(self) -> None:
        """Wait for a newer message."""
        while True:
            known = self._seq
            line = await self._connected()
            try:
                while not await self._listen(line) and self._seq == known:
                    pass
                return
            except _AGAIN:
                await self._lost(line)

    async def _listen(self, line: ClientConnection, command_id: str = "") -> bool:
        """Handle a message; return whether it answers the command."""
        message = from_json(await line.recv())
        if message["kind"] == "refused":
            # A full table does not wait for ever until everybody has added to the deal.
            assert message["reason"] == "game-started", f"refused: {message}"
            raise Late
        if message["kind"] == "bye":
            raise EOFError
        if message["kind"] != "table":
            return False
        self._heard.note(message)
        if message["seq"] >= self._seq:
            self._seq, self._message = message["seq"], message
        return not command_id or message["answers"] == command_id

    async def _connected(self) -> ClientConnection:
        if self._line is not None:
            return self._line
        async with asyncio.timeout(_TIMEOUT):
            while True:
                self._guest.url = self._rng.choice(self._servers).url
                with suppress(*_AGAIN):
                    line = await self._guest.connect()
                    await line.send(watch(self._table, self._seq), text=True)
                    self._line = line
                    return line
                await asyncio.sleep(0.05)

    async def _lost(self, line: ClientConnection) -> None:
        self._line = None
        with suppress(*_AGAIN):
            await line.close()


async def until_it_works(
    guest: Guest, servers: Sequence[Endpoint], work: Callable[[], Awaitable[T]]
) -> T:
    """Repeat a request until it works."""
    async with asyncio.timeout(_TIMEOUT):
        for server in itertools.cycle(servers):
            guest.url = server.url
            with suppress(OSError, EOFError, HTTPException):
                try:
                    return await work()
                except Failed as error:
                    if error.status not in (500, 503):  # nothing could be stored
                        raise
            await asyncio.sleep(0.05)
    raise AssertionError("unreachable")


class Clients:
    """Clients that play one game after the other until told to stop."""

    def __init__(self, servers: Sequence[Endpoint], seed: int) -> None:
        self._servers = servers
        self._rng = Random(seed)
        self.faults = 0
        self.games = 0
        self.turns = 0
        self.acknowledged = 0
        self.repeated = 0
        self.is_closing = False
        self.tables: list[Heard] = []

    @property
    def messages(self) -> int:
        """Messages received."""
        return sum(heard.messages for heard in self.tables)

    async def play(self, setup: dict[str, Any]) -> None:
        """Play games of one kind until closing, each to its end."""
        while not self.is_closing:
            await self._game(setup)

    async def _game(self, setup: dict[str, Any]) -> None:
        plan = setup.get("seats") or ["person"] * setup["players"]
        guests = [await self._guest() for who in plan if who == "person"]
        heard = await self._new_table(guests, setup)
        table = heard.table
        self.tables.append(heard)
        players = [
            Player(guest, self._servers, table, heard, Random(self._rng.random()))
            for guest in guests
        ]
        await asyncio.gather(*(player.play() for player in players))
        path = f"/api/tables/{table}/record"
        host = guests[0]
        text = await until_it_works(host, self._servers, lambda: host.request("GET", path))
        check_record(text, heard)
        self.games += 1
        self.turns += len(heard.turns)
        self.acknowledged += len(heard.acknowledged)
        self.repeated += sum(player.repeated for player in players)

    async def _guest(self) -> Guest:
        guest = Guest(self._servers[0].url)
        me = await until_it_works(guest, self._servers, lambda: guest.request("GET", "/api/me"))
        guest.token = me["token"]
        return guest

    async def _new_table(self, guests: Sequence[Guest], setup: dict[str, Any]) -> Heard:
        host, command = guests[0], new_id()
        body = {"id": command, "setup": setup}
        made = await until_it_works(
            host, self._servers, lambda: host.request("POST", "/api/tables", body)
        )
        heard = Heard(made["table"])
        heard.acknowledged.add(command)
        path = f"/api/tables/{heard.table}/commands"
        for guest in guests[1:]:
            join = {"kind": "join", "id": new_id(), "contribution": "ab" * 32}

            async def sit_down(guest: Guest = guest, join: dict[str, str] = join) -> None:
                await guest.request("POST", path, join)

            await until_it_works(guest, self._servers, sit_down)
            heard.acknowledged.add(join["id"])
        return heard


def check_record(text: str, heard: Heard) -> None:
    """Replay a finished game and compare it with what was heard."""
    (record,) = read_games(text)
    game = record.game()
    assert game.is_over
    assert game.turn >= heard.most
    assert verify(record).holds
    for number, told in heard.turns.items():
        assert game.records[number - 1].to_json() == told


async def let_happen(
    clients: Clients, faults: Sequence[Fault], count: int, seed: int, until: float, tell: Tell
) -> None:
    """Inject faults at random moments, in turn."""
    rng = Random(seed)
    while clients.faults < count and monotonic() < until:
        if clients.faults % 10 == 0:
            tell(f"{clients.faults} faults, {clients.messages} messages")
        async with asyncio.timeout(_TIMEOUT):
            enough = clients.messages + rng.randint(1, 60)
            while clients.messages < enough:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.2 * rng.random())
        await faults[clients.faults % len(faults)].inject(rng)
        clients.faults += 1


async def play_with_faults(
    servers: Sequence[Endpoint],
    faults: Sequence[Fault],
    count: int,
    seed: int = 1,
    seconds: float = inf,
    tell: Tell = lambda _: None,
) -> Clients:
    """Play at all kinds of tables during faults; then finish all games.

    After ``seconds`` no more faults are injected.
    """
    clients = Clients(servers, seed)
    async with asyncio.TaskGroup() as group:
        for setup in SETUPS:
            group.create_task(clients.play(setup))
        await let_happen(clients, faults, count, seed, monotonic() + seconds, tell)
        clients.is_closing = True
    return clients


async def check_all(url: str, tables: Sequence[Heard]) -> None:
    """Check the database for damage, and that every acknowledged command took effect once."""
    found = await check_database(url)
    assert found.problems == []
    assert found.rows["events"] > 0
    stored = await read_all(url, lambda conn: list(DatabaseRows(conn).rows("events")))
    for heard in tables:
        check_acknowledged(heard, [row for row in stored if row["table_id"] == heard.table])


def check_acknowledged(heard: Heard, events: Sequence[Row]) -> None:
    """Compare the events of a table with the commands that were answered there."""
    for command in heard.acknowledged:
        brought = [row for row in events if row["command_id"] == command]
        assert brought, f"{command} was acknowledged and is lost"
        places = [(row["seq"], row["part"]) for row in brought]
        first = places[0][0]
        in_one_go = [(first + part, part) for part in range(len(brought))]
        different = len({row["body"] for row in brought}) == len(brought)
        assert places == in_one_go and different, f"{command} was carried out twice"  # noqa: PT018
