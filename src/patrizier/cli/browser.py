"""`patrizier` without a command: start a local server and open the game in the browser."""

import json
import socket
import webbrowser
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

import typer

from patrizier.cli.arguments.options import fail

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from patrizier.server.process import OnAddress
    from patrizier.server.settings import Settings

_TIMEOUT = 2.0  # seconds to wait for a server that may be running


def open_game() -> None:
    """Open the game's page; start the server first, unless it is running."""
    from patrizier.server.http.pages.site import STATIC
    from patrizier.server.process import run

    open_page(STATIC / "index.html", run)


def open_page(page: "Path", run: "Callable[[Settings, OnAddress], int]") -> None:
    """Open the page of a server that is running, or of one that is run now."""
    from pydantic import ValidationError

    from patrizier.server.settings import Settings

    try:
        settings = Settings()
    except ValidationError as error:
        fail("; ".join(str(part["msg"]) for part in error.errors()))
    address = f"http://127.0.0.1:{settings.port}/"
    if _is_patrizier(address):
        typer.echo(f"Patrizier is running at {address}")
        _show(address)
        return
    if not page.is_file():
        fail("the page has not been built: run `make play` in a checkout, or install a wheel")
    if settings.port and not _is_free(settings.host, settings.port):
        settings = settings.model_copy(update={"port": 0})  # the port is taken
    # No log output for a local game.
    settings = settings.model_copy(update={"log_level": "warning"})
    raise typer.Exit(run(settings, _show))


def _show(address: str) -> None:
    if not webbrowser.open(address):
        typer.echo(f"Please open {address} in your browser.")


def _is_patrizier(address: str) -> bool:
    """Whether a Patrizier server answers there."""
    try:
        with build_opener(ProxyHandler({})).open(
            f"{address}api/config", timeout=_TIMEOUT
        ) as answer:
            return "version" in json.load(answer)
    except (URLError, OSError, ValueError):
        return False


def _is_free(host: str, port: int) -> bool:
    try:
        with socket.create_server((host, port)):
            return True
    except OSError:
        return False
