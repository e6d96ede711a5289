"""Runs the application under uvicorn."""

import asyncio
import errno
import gc
import shutil
import socket
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

import uvicorn
from fastapi import FastAPI
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from patrizier.bots.warmup import RULES
from patrizier.game import Game
from patrizier.kernels.preparation import Preparation
from patrizier.options import Options

from .connections.acceptor import BACKLOG, Acceptor, listen_at
from .connections.http_protocol import http_protocol
from .connections.roster import Roster
from .http.app import create_app, end_waiting
from .http.collaborators import Collaborators
from .logs import log, set_up_logs
from .maintenance.damage import Damaged, check_quickly
from .settings import Settings
from .store.exclusive import AlreadyInUse, exclusive_use
from .store.faults import DatabaseFault, fault_of, reason
from .store.sql import open_store
from .workers.guest_bots import GuestBot, invite
from .workers.pool import WorkerPool

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

OnAddress: TypeAlias = Callable[[str], None]

SPARE = 1000  # connections for requests, beside those for sockets
RESERVED = 256  # file descriptors for the rest: database, bots, the page
KEEP_ALIVE = 5  # seconds to keep an idle connection
_TCP_PER_SOCKET = 3  # connections per allowed socket of a network
_YOUNG, _MIDDLE, _OLD = 10_000, 20, 50  # see `gc.set_threshold`
_DAMAGED = (
    "The database is damaged: `patrizier check` tells more, `patrizier restore` brings back a "
    "backup."
)
_LEAST_ROOM = 2**16  # bytes
STOP_WITHIN = 10  # seconds for responses in progress when the server stops


def roster_of(settings: Settings) -> Roster:
    """Return an empty roster with the limits of the settings and the system."""
    wanted = settings.max_connections + SPARE
    most = min(wanted, _descriptors(wanted + RESERVED) - RESERVED)
    if most < wanted:
        log.warning("the system allows fewer connections than wanted", extra={"count": most})
    per_network = _TCP_PER_SOCKET * settings.connections_per_address
    return Roster(max(1, most), per_network, settings.trusted_proxies)


def _descriptors(wanted: int) -> int:
    """Raise the limit on open files; return what the system allows."""
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
    """Return uvicorn's configuration."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        host=settings.host,
        port=settings.port,
        loop="asyncio",  # others do not call `Acceptor.accept`
        http=http_protocol(roster, settings.request_within),  # bounds headers, and time
        ws="websockets-sansio",
        ws_max_size=settings.max_message,
        ws_per_message_deflate=False,  # costs memory, and sizes could leak secrets
        ws_ping_interval=settings.heartbeat,
        ws_ping_timeout=settings.heartbeat,
        lifespan="on",
        log_config=None,
        access_log=False,  # URLs of tables are keys
        proxy_headers=False,  # the application does this, by its settings
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=STOP_WITHIN,
    )


def listen(settings: Settings) -> Acceptor:
    """Return the listening socket; raises OSError."""
    return listen_at(settings.host, settings.port, roster_of(settings))


async def prepare(settings: Settings) -> None:
    """Migrate the database and check it for damage; raises if it cannot be used."""
    store = await open_store(settings.database_url)
    try:
        await check_quickly(store.database)
    finally:
        await store.close()


def run(settings: Settings, on_address: OnAddress | None = None) -> int:
    """Serve until a signal comes; return the exit status. Calls ``on_address`` once it listens."""
    set_up_logs(settings.log_level)
    try:
        _ = settings.signing_secret
    except (OSError, ValueError) as error:
        return _fail("the secret cannot be used", error)
    try:
        guests = _invite(settings.bots)
    except ValueError as error:
        return _fail("a guest bot (--bots, PATRIZIER_BOTS) cannot play", error)
    try:
        with exclusive_use(settings.database_url):
            return _run(settings, guests, on_address)
    except AlreadyInUse as error:
        return _fail("already in use", error)
    except (ArgumentError, OSError) as error:
        return _fail("the database cannot be used", error)


def _invite(entries: Sequence[str]) -> Sequence[GuestBot]:
    """Try out the guest bots."""
    if entries:
        print("Trying out the guest bots …", flush=True)
    return invite(entries)


def _run(settings: Settings, guests: Sequence[GuestBot], on_address: OnAddress | None) -> int:
    try:
        asyncio.run(prepare(settings))
    except Exception as error:
        name = make_url(settings.database_url).render_as_string(hide_password=True)
        fault = fault_of(error)
        if isinstance(error, Damaged) or fault is DatabaseFault.DAMAGED:
            print(_DAMAGED, file=sys.stderr)
        if fault is DatabaseFault.FAILING and _is_full(settings):
            error = OSError(errno.ENOSPC, DatabaseFault.FULL)
        return _fail(f"the database {name} cannot be used", error)
    try:
        listener = listen(settings)
    except OSError as error:
        return _fail(f"cannot listen on {settings.host}:{settings.port}", error)
    with listener:
        port = listener.getsockname()[1]
        name = f"[{settings.host}]" if ":" in settings.host else settings.host
        settings = settings.model_copy(update={"port": port})
        given = Collaborators(workers=partial(_workers, guests))
        server = _OwnProcess(settings, create_app(settings, given), listener.roster)
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
    """Uvicorn, but it answers long polls before it stops."""

    def __init__(self, settings: Settings, app: FastAPI, roster: Roster) -> None:
        super().__init__(configure(settings, app, roster))
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no new connections, finish those in progress, and stop."""
        end_waiting(self._app)
        await super().shutdown(sockets=sockets)


class _OwnProcess(Server):
    """A server that owns its process."""

    _preparing: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start; report the progress of preparing the bots, then tune the garbage collector."""
        await super().startup(sockets=sockets)
        if self.started:
            self._preparing = asyncio.create_task(_prepare(self._app.state.parts.preparation))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; compiling is abandoned."""
        if self._preparing is not None:
            self._preparing.cancel()
            await asyncio.gather(self._preparing, return_exceptions=True)
        await super().shutdown(sockets=sockets)


def _workers(guests: Sequence[GuestBot], count: int) -> WorkerPool:
    """Return the worker pool of a server that reports the progress of compiling."""
    return WorkerPool(count, guests=guests, preparation=Preparation(on_step=_report))


def _report(preparation: Preparation, step: str) -> None:
    done = f"{preparation.progress():4.0%}  {step}"
    print(done if not preparation.is_done else f"{done}\nThe opponents are ready.", flush=True)


async def _prepare(preparation: Preparation) -> None:
    """Say how long compiling takes, if it is needed; then load the rules."""
    if not preparation.is_done:
        seconds = preparation.seconds_left()
        print(f"Preparing the opponents, about {seconds} s, once only …", flush=True)
    await preparation.wait({RULES})
    await asyncio.to_thread(tune_garbage_collection)


def tune_garbage_collection() -> None:
    """Make garbage collection rarer, and exempt everything loaded so far.

    Reference counting frees nearly everything, and a full collection pauses all tables: at a
    thousand sockets up to a tenth of a second.
    """
    Game(Options(players=2), seed=1).view(0)  # so that the rules are loaded
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)


def _is_full(settings: Settings) -> bool:
    """Whether the disk has no room for the files SQLite keeps beside its database."""
    file = make_url(settings.database_url).database
    return file is not None and shutil.disk_usage(Path(file).parent).free < _LEAST_ROOM


def _fail(what: str, error: Exception) -> int:
    """Print why the server cannot start; return the exit status."""
    print(f"Error: {what}: {reason(error)}", file=sys.stderr)
    return 1
