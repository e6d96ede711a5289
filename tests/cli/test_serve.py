import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from patrizier.cli.main import app
from patrizier.server.process import run
from patrizier.server.settings import Settings

COMMAND = [sys.executable, "-c", "from patrizier.cli.main import app; app()", "serve"]


@contextmanager
def served(*arguments: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the command; yield its process and where it serves."""
    with subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PATRIZIER_WORKERS": "1", **environment},
    ) as process:
        assert process.stdout is not None
        try:
            words = process.stdout.readline().split()
            assert words[:3] == ["Patrizier", "is", "at"]
            yield process, words[3].rstrip("/")
        finally:
            process.kill()


@contextmanager
def quiet_logs() -> Iterator[None]:
    """Put the logs back as they were."""
    root, ours = logging.getLogger(), logging.getLogger("patrizier")
    before = root.handlers[:], root.level, ours.level
    yield
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    ours.setLevel(before[2])


def ask(url: str, **options: Any) -> httpx.Response:
    return httpx.get(url, timeout=60, trust_env=False, **options)


def test_the_server_starts_answers_and_stops(tmp_path: Path) -> None:
    with served("--port", "0", "--data-dir", str(tmp_path)) as (process, url):
        assert ask(f"{url}/healthz").text == "ok\n"
        cookie = ask(f"{url}/api/me").headers["set-cookie"].partition(";")[0]
        assert ask(f"{url}/api/tables/{'t' * 24}").status_code == 404
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=60)
        assert process.returncode in (0, -signal.SIGTERM)
    lines = [json.loads(line) for line in log.splitlines()]
    assert {"listening", "ready", "request"} <= {line["event"] for line in lines}
    routes = {line.get("route") for line in lines}
    assert "/api/tables/{table}" in routes
    assert "t" * 24 not in log  # a table's address is its key
    assert cookie.partition("=")[2] not in log
    assert (tmp_path / "secret").read_text() not in log
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0
    assert (tmp_path / "patrizier.db").stat().st_mode & 0o077 == 0


def test_after_a_kill_everything_is_there_again(tmp_path: Path) -> None:
    arguments = ("--port", "0", "--data-dir", str(tmp_path))
    with served(*arguments) as (process, url), httpx.Client(base_url=url, timeout=60) as http:
        ask(f"{url}/readyz")
        token = {"X-Patrizier-Token": http.get("/api/me").json()["token"]}
        http.put("/api/me/name", json={"name": "Anna"}, headers=token)
        made = http.post("/api/tables", json={"id": "1"}, headers=token).json()
        cookie = {"Cookie": f"patrizier={http.cookies['patrizier']}"}
        process.send_signal(signal.SIGKILL)
        process.wait(60)
    with served(*arguments) as (_, url):
        me = ask(f"{url}/api/me", headers=cookie).json()
        assert me["name"] == "Anna"
        table = ask(f"{url}/api/tables/{made['table']}", headers=cookie).json()
        assert (table["seq"], table["you"]) == (made["seq"], made["you"])


def test_a_second_server_on_one_file_is_refused(tmp_path: Path) -> None:
    arguments = ["--port", "0", "--data-dir", str(tmp_path)]
    with served(*arguments) as (_, url):
        done = subprocess.run(
            [*COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False
        )
        assert ask(f"{url}/healthz").text == "ok\n"
    assert done.returncode == 1
    assert "another server uses" in done.stderr
    assert str(tmp_path / "patrizier.db") in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [*COMMAND, "--port", port, "--data-dir", str(tmp_path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "database", ["mysql://host/games", "postgresql://me:hidden-word@127.0.0.1:1/games", "no://"]
)
def test_a_database_that_cannot_be_used_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, database: str
) -> None:
    with quiet_logs():
        assert run(Settings(data_dir=tmp_path, port=0, database=database)) == 1
    told = capsys.readouterr()
    assert re.search(r"^Error: the database \S+ cannot be used: .", told.err)
    assert "hidden-word" not in told.err
    assert "Traceback" not in told.err


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PATRIZIER_TRUSTED_PROXIES", "everybody"),
        ("PATRIZIER_PUBLIC_URL", "patrizier"),
        ("PATRIZIER_SECRET", "short-secret"),
    ],
)
def test_wrong_settings_are_named_and_not_quoted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    done = CliRunner().invoke(app, ["serve", "--data-dir", str(tmp_path)])
    assert done.exit_code == 1
    assert "Error: " in done.output
    if variable == "PATRIZIER_SECRET":
        assert value not in done.output
    else:
        assert variable in done.output


def test_an_unusable_data_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = CliRunner().invoke(app, ["serve", "--data-dir", str(tmp_path / "file" / "data")])
    assert done.exit_code == 1
    assert str(tmp_path / "file") in done.output


def test_postgresql_without_its_driver_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    arguments = ["--database", "postgresql://localhost/none", "--data-dir", str(tmp_path)]
    done = CliRunner().invoke(app, ["serve", *arguments])
    assert done.exit_code == 1
    assert "PostgreSQL needs asyncpg" in done.output
    assert "pip install patrizier[postgres]" in done.output
