"""Measures a first start: from the command to the page, and to the first turn of a bot."""

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from .client import Guest, new_id
from .process import ServerProcess

_WAIT = 20  # seconds that a request waits for news


class FirstStart(NamedTuple):
    """Seconds since a server was started."""

    page_seconds: float  # until the page was there
    turn_seconds: float  # until the bot had played its first turn


async def measure_start(level: str, cache: Path) -> FirstStart:
    """Start a server with this cache folder, and play until a bot of this level has had a turn."""
    with TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), settings={"PATRIZIER_CACHE_DIR": str(cache)})
        begin = time.perf_counter()
        with server:
            guest = await Guest.come(server.url)
            await guest.request("GET", "/")
            page = time.perf_counter() - begin
            await _meet(guest, level)
            return FirstStart(page, time.perf_counter() - begin)


async def _meet(guest: Guest, level: str) -> None:
    """Play against a bot until it has had its first turn."""
    table: dict[str, Any] = {}

    async def command(kind: str, **fields: object) -> None:
        body = {"kind": kind, "id": new_id(), **fields}
        table.update(await guest.request("POST", f"/api/tables/{name}/commands", body))

    name = await guest.create_table(players=2, seats=["person", level])
    await command("start")
    turns = 1 if table["you"]["to_move"] is None else 2
    while table["turn"] < turns:
        if table["you"]["to_move"] is None:
            path = f"/api/tables/{name}?since={table['seq']}&wait={_WAIT}"
            table.update(await guest.request("GET", path))
            continue
        legal = table["views"][0]["view"]["legal"]
        await command("play", seat=0, move=legal[0], at_turn=table["turn"])
