"""Two players at a table, and how long each waits for the other's turn to arrive."""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from random import Random
from time import perf_counter
from typing import Any

from pydantic_core import from_json, to_json
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from .client import Guest, act, watch

_TIMEOUT = 30.0  # seconds for a table to start


class Pair:
    """A table of two, each with a socket."""

    def __init__(self, guests: tuple[Guest, Guest], rng: Random, note: "Notes") -> None:
        self._guests = guests
        self._rng = rng
        self._note = note
        self._sockets: list[ClientConnection] = []
        self._readers: list[asyncio.Task[None]] = []
        self._table = ""
        self._turn = -1  # completed turns that both have seen
        self._known = [-1, -1]
        self._next: tuple[int, list[str]] | None = None  # seat to move, and the legal turns
        self._sent = 0.0  # when the current turn was sent
        self._ready = asyncio.Event()
        self.is_over = False

    @property
    def can_play(self) -> bool:
        """Whether the next turn can be sent."""
        both_know = self._known == [self._turn] * 2 and self._turn >= 0
        return both_know and self._next is not None and not self._sent and not self.is_over

    async def sit_down(self) -> None:
        """Create a table, take both seats, and wait until the game has started."""
        before, self._table = self._table, await self._guests[0].create_table(players=2)
        for line in self._sockets:
            await line.send(to_json({"kind": "unwatch", "table": before}), text=True)
        if not self._sockets:
            self._sockets = [await guest.connect() for guest in self._guests]
            for seat, line in enumerate(self._sockets):
                self._readers.append(asyncio.create_task(self._listen(seat, line)))
        self._turn, self._known, self.is_over = -1, [-1, -1], False
        self._next, self._sent = None, 0.0
        self._ready.clear()
        one, two = self._sockets
        given = [secrets.token_hex(32) for _ in self._sockets]
        await one.send(watch(self._table), text=True)
        await two.send(watch(self._table), text=True)
        join = act(self._table, "join", seat=1, contribution=given[1])
        await two.send(join, text=True)
        add = act(self._table, "contribute", seat=0, contribution=given[0])
        await one.send(add, text=True)
        try:
            async with asyncio.timeout(_TIMEOUT):
                await self._ready.wait()
        except TimeoutError:
            raise TimeoutError(f"a table did not start within {_TIMEOUT:g} s") from None

    async def play(self) -> None:
        """Send a turn for the seat to move."""
        assert self._next is not None
        seat, legal = self._next
        move = self._rng.choice(legal)
        message = act(self._table, "play", seat=seat, move=move, at_turn=self._turn)
        self._next = None
        self._sent = perf_counter()
        await self._sockets[seat].send(message, text=True)

    async def close(self) -> None:
        """Close both sockets."""
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)
        for line in self._sockets:
            with suppress(ConnectionClosed, OSError):
                await line.close()

    async def _listen(self, seat: int, line: ClientConnection) -> None:
        try:
            async for text in line:
                at = perf_counter()
                self._hear(seat, at, from_json(text))
        except ConnectionClosed:
            self._note.lost += 1
            self.is_over = True

    def _hear(self, seat: int, at: float, message: dict[str, Any]) -> None:
        self._note.messages += 1
        if message["kind"] == "refused":
            self._note.refused += 1
            self._sent, self.is_over = 0.0, True
        if message["kind"] != "table" or message["table"] != self._table:
            return
        turn = message["turn"]
        if message["phase"] == "open" or turn <= self._known[seat]:
            return
        self._known[seat] = turn
        if self._sent and turn > self._turn:
            if message["answers"] is None:
                self._note.waits.append(at - self._sent)
            else:
                self._note.answers.append(at - self._sent)
        if message["you"]["to_move"] is not None:
            self._next = (seat, message["views"][0]["view"]["legal"])
        if min(self._known) > self._turn:
            self._turn, self._sent = min(self._known), 0.0
            self.is_over = message["phase"] == "finished"
            self._ready.set()


class Notes:
    """Measurements of all pairs together."""

    def __init__(self) -> None:
        self.waits: list[float] = []  # seconds from a turn sent to the other's view
        self.answers: list[float] = []  # seconds from a turn sent to one's own view
        self.messages = 0
        self.refused = 0
        self.lost = 0  # sockets that the server closed

    def clear(self) -> None:
        """Discard the measurements of the warm-up."""
        self.__init__()  # type: ignore[misc]


async def in_groups(jobs: list[Callable[[], Any]], size: int = 16) -> list[Any]:
    """Run jobs concurrently, at most ``size`` at a time."""
    slots = asyncio.Semaphore(size)

    async def one(job: Callable[[], Any]) -> Any:
        async with slots:
            return await job()

    return await asyncio.gather(*(one(job) for job in jobs))
