"""Fault injection: servers, clients and faults together, for tests and the script."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from math import inf
from pathlib import Path

from patrizier.server.loadtest.process import ServerProcess
from server.support.disks import LimitedFiles, small_disk
from server.support.fault_clients import Clients, Tell, check_all, play_with_faults
from server.support.faults import (
    DatabaseRestart,
    Endpoint,
    Fault,
    FullDisk,
    Kill,
    Pause,
    Relay,
    ShiftedClock,
    clock_file,
    through,
)
from server.support.postgres import Postgres

_DISK = "64m"  # room for hundreds of games: it is to be full only while a fault lasts
FAULTS = ("kill", "pause", "cut", "clock", "disk", "database")


def inject_faults(
    folder: Path,
    names: Sequence[str],
    count: int,
    *,
    postgres: Postgres | None = None,
    seed: int = 1,
    seconds: float = inf,
    tell: Tell = lambda _: None,
) -> tuple[Clients, list[str]]:
    """Inject faults in turn, into one server on SQLite or two on PostgreSQL.

    Return the clients, and unexplained errors of the logs. At the end the database is checked.
    """
    with ExitStack() as stack:
        data = folder / "data"
        disk = stack.enter_context(small_disk(data, _DISK)) if "disk" in names else None
        url = asyncio.run(postgres.new_database()) if postgres else ""
        clocks = [clock_file(folder, number) for number in range(2 if postgres else 1)]
        servers = [
            stack.enter_context(ServerProcess(data, url, through=through(clock)))
            for clock in clocks
        ]

        def made(name: str, relays: Sequence[Relay]) -> list[Fault]:
            match name:
                case "kill":
                    return [Kill(servers)]
                case "pause":
                    return [Pause(servers)]
                case "cut":
                    return list(relays)
                case "clock":
                    return [ShiftedClock(clocks)]
                case "disk":
                    return [FullDisk(disk or LimitedFiles(servers[0]))]
                case "database" if postgres:
                    return [DatabaseRestart(postgres)]
            raise ValueError(f"unknown fault: {name}")

        async def play() -> Clients:
            async with AsyncExitStack() as lines:
                relays = [Relay(server) for server in servers]
                for relay in relays:
                    await relay.open()
                    lines.push_async_callback(relay.close)
                faults = [fault for name in names for fault in made(name, relays)]
                endpoints: Sequence[Endpoint] = relays if "cut" in names else servers
                return await play_with_faults(endpoints, faults, count, seed, seconds, tell)

        clients = asyncio.run(play())
        asyncio.run(check_all(url or f"sqlite:///{data / 'patrizier.db'}", clients.tables))
        errors = [line for server in servers for line in server.errors]
    return clients, [line for line in errors if not _is_explained(line)]


def _is_explained(line: str) -> bool:
    """Whether an error in a log is caused by an injected fault."""
    try:
        entry = json.loads(line)
    except ValueError:
        return False
    return "cause" in entry or entry.get("status") == 503
