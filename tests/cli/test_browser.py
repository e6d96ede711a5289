import socket
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
import typer
from typer.testing import CliRunner

from patrizier.cli.browser import open_page
from patrizier.cli.main import app
from patrizier.server.process import OnAddress
from patrizier.server.settings import Settings


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was opened with."""
    addresses: list[str] = []

    def show(url: str) -> bool:
        addresses.append(url)
        return True

    monkeypatch.setattr(webbrowser, "open", show)
    return addresses


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A built page, and a data folder of our own."""
    monkeypatch.setenv("PATRIZIER_DATA_DIR", str(tmp_path / "data"))
    built = tmp_path / "index.html"
    built.write_text("<!doctype html>")
    return built


class Server:
    """Remembers the settings it was started with, and is there at once."""

    def __init__(self) -> None:
        self.started: list[Settings] = []

    def run(self, settings: Settings, on_address: OnAddress) -> int:
        self.started.append(settings)
        on_address(f"http://127.0.0.1:{settings.port}/")
        return 0


def ended(page: Path, server: Server) -> int:
    """Open the page; return the exit status of the server."""
    with pytest.raises(typer.Exit) as found:
        open_page(page, server.run)
    return found.value.exit_code


@contextmanager
def neighbour(answer: bytes) -> Iterator[int]:
    """Another server on this machine; yield its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *words: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def test_without_a_command_a_running_server_is_opened(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with neighbour(b'{"version": "1"}') as port:
        monkeypatch.setenv("PATRIZIER_PORT", str(port))
        done = CliRunner().invoke(app, [])
    assert done.exit_code == 0, done.output
    assert f"Patrizier is running at http://127.0.0.1:{port}/" in done.output
    assert opened == [f"http://127.0.0.1:{port}/"]


def test_a_server_is_started_and_opened(
    page: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, server = free_port(), Server()
    monkeypatch.setenv("PATRIZIER_PORT", str(port))
    assert ended(page, server) == 0
    assert [settings.port for settings in server.started] == [port]
    assert opened == [f"http://127.0.0.1:{port}/"]


def test_a_port_that_somebody_else_has_is_left_to_them(
    page: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server()
    with neighbour(b"<html>") as port:
        monkeypatch.setenv("PATRIZIER_PORT", str(port))
        assert ended(page, server) == 0
    assert [settings.port for settings in server.started] == [0]


def test_without_a_browser_the_address_is_told(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    monkeypatch.setattr(webbrowser, "open", lambda url: False)
    monkeypatch.setenv("PATRIZIER_PORT", str(port))
    assert ended(page, Server()) == 0
    assert f"Please open http://127.0.0.1:{port}/" in capsys.readouterr().out


def test_a_page_that_was_not_built_is_said(
    page: Path,
    opened: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATRIZIER_PORT", str(free_port()))
    page.unlink()
    server = Server()
    assert ended(page, server) == 1
    assert "make play" in capsys.readouterr().err
    assert (server.started, opened) == ([], [])


def test_a_wrong_setting_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATRIZIER_PORT", "many")
    done = CliRunner().invoke(app, [])
    assert done.exit_code == 1
    assert "Error: " in done.output
