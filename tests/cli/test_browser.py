import socket
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner

from patrizier.cli.main import app
from patrizier.server import process as running
from patrizier.server.http.pages import site
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
    (tmp_path / "index.html").write_text("<!doctype html>")
    monkeypatch.setattr(site, "STATIC", tmp_path)
    monkeypatch.setenv("PATRIZIER_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """The settings of servers that were started, which are there at once."""
    found: list[Settings] = []

    def run(settings: Settings, on_address: running.OnAddress | None = None) -> int:
        found.append(settings)
        assert on_address is not None
        on_address(f"http://127.0.0.1:{settings.port}/")
        return 0

    monkeypatch.setattr(running, "run", run)
    return found


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


def test_without_a_command_the_game_opens(
    page: Path, opened: list[str], started: list[Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    monkeypatch.setenv("PATRIZIER_PORT", str(port))
    done = CliRunner().invoke(app, [])
    assert done.exit_code == 0, done.output
    assert started[0].port == port
    assert opened == [f"http://127.0.0.1:{port}/"]


def test_a_running_server_is_used(
    page: Path, opened: list[str], started: list[Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    with neighbour(b'{"version": "1"}') as port:
        monkeypatch.setenv("PATRIZIER_PORT", str(port))
        done = CliRunner().invoke(app, [])
    assert done.exit_code == 0, done.output
    assert not started
    assert opened == [f"http://127.0.0.1:{port}/"]


def test_a_port_that_somebody_else_has_is_left_to_them(
    page: Path, opened: list[str], started: list[Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    with neighbour(b"<html>") as port:
        monkeypatch.setenv("PATRIZIER_PORT", str(port))
        done = CliRunner().invoke(app, [])
    assert done.exit_code == 0, done.output
    assert started[0].port == 0


def test_without_a_browser_the_address_is_told(
    page: Path, started: list[Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda url: False)
    monkeypatch.setenv("PATRIZIER_PORT", str(free_port()))
    done = CliRunner().invoke(app, [])
    assert f"Please open http://127.0.0.1:{started[0].port}/" in done.output


def test_a_page_that_was_not_built_is_said(
    page: Path, opened: list[str], started: list[Settings]
) -> None:
    (page / "index.html").unlink()
    done = CliRunner().invoke(app, [])
    assert done.exit_code == 1
    assert "make play" in done.output
    assert not opened


def test_a_wrong_setting_is_said(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATRIZIER_PORT", "many")
    done = CliRunner().invoke(app, [])
    assert done.exit_code == 1
    assert "Error: " in done.output
