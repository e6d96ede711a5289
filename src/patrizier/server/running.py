"""Runs the application under uvicorn: in a process of its own, or inside a test."""

import asyncio
import socket
import sys

import uvicorn

from .app import create_app
from .logs import log, set_up_logs
from .settings import Settings
from .store.sql import open_store

BACKLOG = 2048  # connections waiting to be accepted
SPARE = 1000  # connections for requests beside those for sockets
STOP_WITHIN = 10  # seconds for answers under way when the server stops


def configure(settings: Settings, app: object) -> uvicorn.Config:
    """Return how uvicorn is to serve the application."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        host=settings.host,
        port=settings.port,
        http="h11",  # bounds headers
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
        limit_concurrency=settings.max_connections + SPARE,  # idle ones count, too
        timeout_graceful_shutdown=STOP_WITHIN,
    )


def listen(settings: Settings) -> socket.socket:
    """Return a socket at the address of the settings; raises OSError."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Only where TCP is named does asyncio send every answer at once (TCP_NODELAY).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)  # whoever comes now waits until all is ready
    except OSError:
        listener.close()
        raise
    return listener


async def prepare(settings: Settings) -> None:
    """Bring the database up to date; raises whatever keeps it from that."""
    store = await open_store(settings.database_url)
    await store.close()


def run(settings: Settings) -> int:
    """Serve until a signal comes; return the exit status."""
    set_up_logs(settings.log_level)
    try:
        asyncio.run(prepare(settings))
    except Exception as error:
        return _complain("the database cannot be used", error)
    try:
        listener = listen(settings)
    except OSError as error:
        return _complain(f"cannot listen on {settings.host}:{settings.port}", error)
    with listener:
        port = listener.getsockname()[1]
        name = f"[{settings.host}]" if ":" in settings.host else settings.host
        settings = settings.model_copy(update={"port": port})
        server = uvicorn.Server(configure(settings, create_app(settings)))
        print(f"Patrizier is at http://{name}:{port}/ (Ctrl-C ends it)", flush=True)
        log.info("listening", extra={"host": settings.host, "port": port})
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            return 130
    return 0 if server.started else 3


def _complain(what: str, error: Exception) -> int:
    """Say what keeps the server from starting; return the exit status."""
    text = str(error).partition("\n")[0] or type(error).__name__
    print(f"Error: {what}: {text}", file=sys.stderr)
    return 1
