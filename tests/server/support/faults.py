"""Faults to inject into running servers."""

import asyncio
import os
import signal
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Protocol
from urllib.parse import urlsplit

from patrizier.server.loadtest.process import ServerProcess
from server.support.disks import Disk
from server.support.postgres import Postgres

_CLOCKS = (-86_400.0, -3600.0, -2.0, 0.08, 2.0, 3600.0, 86_400.0)  # seconds


class Fault(Protocol):
    """A fault that can be injected."""

    async def inject(self, rng: Random) -> None:
        """Inject the fault, and end it."""


class Endpoint(Protocol):
    """Where a server can be reached."""

    @property
    def url(self) -> str:
        """The address."""


class Kill:
    """A process is killed and restarted."""

    def __init__(self, servers: Sequence[ServerProcess]) -> None:
        self._servers = servers

    async def inject(self, rng: Random) -> None:
        """Inject the fault, and end it."""
        server = rng.choice(self._servers)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)


class Pause:
    """A process is suspended for a while, as when a machine sleeps or swaps."""

    def __init__(self, servers: Sequence[ServerProcess], longest: float = 3.0) -> None:
        self._servers = servers
        self._longest = longest

    async def inject(self, rng: Random) -> None:
        """Inject the fault, and end it."""
        pid = rng.choice(self._servers).pid
        os.kill(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(self._longest * rng.random())
        finally:
            os.kill(pid, signal.SIGCONT)


class FullDisk:
    """The disk is full for a while."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    async def inject(self, rng: Random) -> None:
        """Inject the fault, and end it."""
        self._disk.fill()
        try:
            await asyncio.sleep(rng.random())
        finally:
            self._disk.free()


class DatabaseRestart:
    """PostgreSQL crashes and restarts."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres

    async def inject(self, rng: Random) -> None:
        """Inject the fault, and end it."""
        await asyncio.to_thread(self._postgres.stop)
        await asyncio.sleep(rng.random())
        await asyncio.to_thread(self._postgres.start)


class ShiftedClock:
    """A server's clock jumps: skew between servers, and wrong time."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files

    async def inject(self, rng: Random) -> None:
        """Shift a clock; it stays so until the next time."""
        rng.choice(self._files).write_bytes(struct.pack("d", rng.choice(_CLOCKS)))


def clock_file(folder: Path, number: int) -> Path:
    """Return a file with the offset of a server's clock."""
    file = folder / f"clock-{number}"
    file.write_bytes(struct.pack("d", 0.0))
    return file


def through(clock: Path) -> tuple[str, ...]:
    """Return the command that starts a server with this clock."""
    return (sys.executable, str(Path(__file__).with_name("shifted_clock.py")), str(clock))


class Relay:
    """A proxy in front of a server that can cut all connections."""

    def __init__(self, server: Endpoint) -> None:
        self._server = server
        self._lines: set[asyncio.StreamWriter] = set()
        self.url = ""

    async def open(self) -> None:
        """Start listening."""
        self._listener = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._listener.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """Stop."""
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Abort all connections."""
        for line in list(self._lines):
            line.transport.abort()

    async def inject(self, rng: Random) -> None:
        """Inject the fault, and end it."""
        self.cut()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = urlsplit(self._server.url)
        try:
            there, back = await asyncio.open_connection(address.hostname, address.port)
        except OSError:
            writer.transport.abort()
            return
        ours = {writer, back}
        self._lines |= ours
        try:
            with suppress(asyncio.CancelledError):  # the test is over
                await asyncio.gather(_copy(reader, back), _copy(there, writer))
        finally:
            self._lines -= ours
            for line in ours:
                line.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(2**16):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
    except OSError:  # one side has died: the other must not wait for it
        writer.transport.abort()
