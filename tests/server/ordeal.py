"""Puts servers, people and harms together: short trials for the tests, long ones by script."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from math import inf
from pathlib import Path

from patrizier.server.loadtest.process import ServerProcess
from server.disks import LimitedFiles, small_disk
from server.harms import (
    DatabaseRestart,
    FullDisk,
    Harm,
    Kill,
    MovedClock,
    Pause,
    Relay,
    clock_file,
    through,
)
from server.postgres import Postgres
from server.trials import Club, Reached, Tell, campaign, check_all

HARMS = ("kill", "pause", "cut", "clock", "disk", "database")


def endure(
    folder: Path,
    names: Sequence[str],
    count: int,
    *,
    postgres: Postgres | None = None,
    seed: int = 1,
    seconds: float = inf,
    tell: Tell = lambda _: None,
) -> tuple[Club, list[str]]:
    """Let so many harms befall one server on SQLite, or two on PostgreSQL, in turn.

    Return who played, and errors in the logs that nothing explains. At the end every history is
    checked.
    """
    with ExitStack() as stack:
        data = folder / "data"
        disk = stack.enter_context(small_disk(data)) if "disk" in names else None
        url = asyncio.run(postgres.new_database()) if postgres else ""
        clocks = [clock_file(folder, number) for number in range(2 if postgres else 1)]
        servers = [
            stack.enter_context(ServerProcess(data, url, through=through(clock)))
            for clock in clocks
        ]

        def made(name: str, relays: Sequence[Relay]) -> list[Harm]:
            match name:
                case "kill":
                    return [Kill(servers)]
                case "pause":
                    return [Pause(servers)]
                case "cut":
                    return list(relays)
                case "clock":
                    return [MovedClock(clocks)]
                case "disk":
                    return [FullDisk(disk or LimitedFiles(servers[0]))]
                case "database" if postgres:
                    return [DatabaseRestart(postgres)]
            raise ValueError(f"nobody knows how to do that here: {name}")

        async def play() -> Club:
            async with AsyncExitStack() as lines:
                relays = [Relay(server) for server in servers]
                for relay in relays:
                    await relay.open()
                    lines.push_async_callback(relay.close)
                harms = [harm for name in names for harm in made(name, relays)]
                doors: Sequence[Reached] = relays if "cut" in names else servers
                return await campaign(doors, harms, count, seed, seconds, tell)

        club = asyncio.run(play())
        asyncio.run(check_all(url or f"sqlite:///{data / 'patrizier.db'}"))
        errors = [line for server in servers for line in server.errors]
    return club, [line for line in errors if not _is_explained(line)]


def _is_explained(line: str) -> bool:
    """Whether an error in a log tells what was done to the server, and not of a fault in it."""
    try:
        entry = json.loads(line)
    except ValueError:
        return False
    return "cause" in entry or entry.get("status") == 503
