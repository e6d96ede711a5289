"""Runs the application under uvicorn: in a process of its own, or inside a test."""

import asyncio
import errno
import gc
import shutil
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import uvicorn
from fastapi import FastAPI
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from patrizier.game import Game
from patrizier.options import Options

from .connections.door import BACKLOG, Door, listen_at
from .connections.http_protocol import http_protocol
from .connections.roster import Roster
from .http.app import create_app, end_waiting
from .logs import log, set_up_logs
from .settings import Settings
from .store.alone import NotAlone, alone_with
from .store.sql import open_store
from .store.trouble import Trouble, reason, trouble_of
from .upkeep.damage import Damaged, check_quickly

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

OnAddress: TypeAlias = Callable[[str], None]

SPARE = 1000  # connections for requests beside those for sockets
RESERVED = 256  # open files for all else: the database, bots, the page
KEEP_ALIVE = 5  # seconds for the next request on a connection
_TCP_PER_SOCKET = 3  # connections from one network, for each socket it may have
_YOUNG, _MIDDLE, _OLD = 10_000, 20, 50  # when to look for garbage: see `gc.set_threshold`
_DAMAGED = (
    "The database is damaged: `patrizier check` tells more, `patrizier restore` brings back a "
    "backup."
)
_LEAST_ROOM = 2**16  # bytes
STOP_WITHIN = 10  # seconds for answers under way when the server stops


def roster_of(settings: Settings) -> Roster:
    """Return who may connect: as many as the settings and the system allow."""
    wanted = settings.max_connections + SPARE
    most = min(wanted, _descriptors(wanted + RESERVED) - RESERVED)
    if most < wanted:
        log.warning("the system allows fewer connections than wanted", extra={"count": most})
    per_network = _TCP_PER_SOCKET * settings.connections_per_address
    return Roster(max(1, most), per_network, settings.trusted_proxies)


def _descriptors(wanted: int) -> int:
    """Ask the system for so many open files; return how many it allows."""
    if resource is None:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft


def configure(settings: Settings, app: object, roster: Roster) -> uvicorn.Config:
    """Return how uvicorn is to serve the application."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        host=settings.host,
        port=settings.port,
        loop="asyncio",  # others do not ask the door
        http=http_protocol(roster, settings.request_within),  # bounds headers, and time
        ws="websockets-sansio",
        ws_max_size=settings.max_message,
        ws_per_message_deflate=False,  # costs memory, and would tell of secrets by sizes
        ws_ping_interval=settings.heartbeat,
        ws_ping_timeout=settings.heartbeat,
        lifespan="on",
        log_config=None,
        access_log=False,  # addresses of tables are keys
        proxy_headers=False,  # the application trusts only whom the settings name
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=STOP_WITHIN,
    )


def listen(settings: Settings) -> Door:
    """Return where connections come in, at the address of the settings; raises OSError."""
    return listen_at(settings.host, settings.port, roster_of(settings))


async def prepare(settings: Settings) -> None:
    """Bring the database up to date and look for damage; raises whatever keeps it from that."""
    store = await open_store(settings.database_url)
    try:
        await check_quickly(store.database)
    finally:
        await store.close()


def run(settings: Settings, on_address: OnAddress | None = None) -> int:
    """Serve until a signal comes; return the exit status. The address is told when it is open."""
    set_up_logs(settings.log_level)
    try:
        _ = settings.signing_secret
    except (OSError, ValueError) as error:
        return _complain("the secret cannot be used", error)
    try:
        with alone_with(settings.database_url):
            return _run(settings, on_address)
    except NotAlone as error:
        return _complain("this is the second server here", error)
    except (ArgumentError, OSError) as error:
        return _complain("the database cannot be used", error)


def _run(settings: Settings, on_address: OnAddress | None) -> int:
    try:
        asyncio.run(prepare(settings))
    except Exception as error:
        name = make_url(settings.database_url).render_as_string(hide_password=True)
        trouble = trouble_of(error)
        if isinstance(error, Damaged) or trouble is Trouble.DAMAGED:
            print(_DAMAGED, file=sys.stderr)
        if trouble is Trouble.FAILING and _is_full(settings):
            error = OSError(errno.ENOSPC, Trouble.FULL)
        return _complain(f"the database {name} cannot be used", error)
    try:
        listener = listen(settings)
    except OSError as error:
        return _complain(f"cannot listen on {settings.host}:{settings.port}", error)
    with listener:
        port = listener.getsockname()[1]
        name = f"[{settings.host}]" if ":" in settings.host else settings.host
        settings = settings.model_copy(update={"port": port})
        server = _OwnProcess(settings, create_app(settings), listener.roster)
        address = f"http://{name}:{port}/"
        print(f"Patrizier is at {address} (Ctrl-C ends it)", flush=True)
        log.info("listening", extra={"host": settings.host, "port": port})
        if on_address is not None:
            on_address(address)
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            return 130
    return 0 if server.started else 3


class Server(uvicorn.Server):
    """Uvicorn, which answers whoever waits for news before it stops."""

    def __init__(self, settings: Settings, app: FastAPI, roster: Roster) -> None:
        super().__init__(configure(settings, app, roster))
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no new connections, let everything under way finish, and end."""
        end_waiting(self._app)
        await super().shutdown(sockets=sockets)


class _OwnProcess(Server):
    """A server that has the process for itself."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and get ready for many tables."""
        await super().startup(sockets=sockets)
        await asyncio.to_thread(spare_the_collector)


def spare_the_collector() -> None:
    """Let Python look for garbage less often, and never again among all that was loaded so far.

    Reference counts free nearly everything here, and a look at everything stops all tables for a
    noticeable time: at a thousand sockets up to a tenth of a second.
    """
    Game(Options(players=2), seed=1).view(0)  # the rules are loaded, too
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)


def _is_full(settings: Settings) -> bool:
    """Whether the disk of a SQLite file has no room for what SQLite keeps beside it."""
    file = make_url(settings.database_url).database
    return file is not None and shutil.disk_usage(Path(file).parent).free < _LEAST_ROOM


def _complain(what: str, error: Exception) -> int:
    """Say what keeps the server from starting; return the exit status."""
    print(f"Error: {what}: {reason(error)}", file=sys.stderr)
    return 1
