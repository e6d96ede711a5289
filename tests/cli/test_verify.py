"""`patrizier verify`: files and URLs, text and JSON, exit status."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from patrizier.cli.files import download as fetching
from patrizier.cli.files.download import FetchError, fetch_text
from patrizier.cli.main import app
from patrizier.game import Game
from patrizier.options import Options
from patrizier.ptr import write_games
from patrizier.server.deal.provably_fair import commit, derive, record_tags

HEAVY = {
    "aiosmtplib", "alembic", "argon2", "asyncpg", "fastapi", "itsdangerous", "openskill",
    "prometheus_client", "pydantic_settings", "sqlalchemy", "starlette", "uvicorn",
    "websockets",
}  # fmt: skip

SECRET, TABLE, OPTIONS = bytes(32), "some-table", Options(2)
GIVEN = {0: "ab" * 32}


def record(**changed: str) -> str:
    game = Game(OPTIONS, deal=derive(SECRET, TABLE, OPTIONS, GIVEN))
    while not game.is_over:
        game.play(game.legal_moves[0])
    tags = record_tags(SECRET, TABLE, OPTIONS, GIVEN) | changed
    return write_games([game.record(("Anna", "Ben"), **tags)])


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["verify", *map(str, arguments)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.ptr"
    path.write_text(record(), "utf-8")
    return path


class Site(BaseHTTPRequestHandler):
    pages: dict[str, tuple[int, dict[str, str], bytes]]

    def do_GET(self) -> None:
        status, headers, body = self.pages.get(self.path, (404, {}, b"nothing here"))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    pages = {
        "/good.ptr": (200, {}, record().encode()),
        "/page": (200, {}, b"<html>"),
        "/moved": (302, {"Location": "/good.ptr"}, b""),
        "/file": (302, {"Location": "ftp://127.0.0.1/x"}, b""),
        "/round": (302, {"Location": "/round"}, b""),
        "/long": (200, {}, b"x" * (fetching.MOST_BYTES + 1)),
        "/letters": (200, {}, b"\xff\xfe"),
    }
    handler = type("Here", (Site,), {"pages": pages})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_good_game_says_what_was_checked_and_what_was_not(file: Path) -> None:
    result = run(file)
    assert result.exit_code == 0, result.output
    assert "Game 1: the record is consistent; more cannot be checked" in result.stdout
    assert "the deal was the committed one" not in result.stdout
    assert "the commitment is to this secret, this table and these options" in result.stdout
    assert "the deal depends on what seat 1 contributed" in result.stdout
    assert result.stdout.count("  yes  ") == 4
    assert result.stdout.count("   ?   ") == 2
    assert "pass --commitment" in result.stdout
    assert "pass --contribution" in result.stdout


def test_what_you_noted_is_compared(file: Path) -> None:
    commitment = commit(SECRET, TABLE, OPTIONS)
    result = run(file, "--commitment", commitment, "--contribution", "ab" * 32)
    assert result.exit_code == 0
    assert "Game 1: the deal was the committed one" in result.stdout
    assert result.stdout.count("  yes  ") == 6
    assert "   ?   " not in result.stdout
    half = run(file, "--commitment", commitment)
    assert "more cannot be checked" in half.stdout
    assert half.stdout.count("   ?   ") == 1
    wrong = run(file, "--commitment", "ab" * 32)
    assert wrong.exit_code == 1
    assert "NO   the commitment is not the one you saw before the game" in wrong.stdout


def test_a_changed_game_ends_with_one(tmp_path: Path) -> None:
    path = tmp_path / "both.ptr"
    path.write_text(record() + "\n" + record(Secret="01" * 32), "utf-8")
    result = run(path)
    assert result.exit_code == 1
    assert "Game 1: the record is consistent" in result.stdout
    assert "Game 2: NOT VERIFIED" in result.stdout


def test_json(file: Path) -> None:
    (verdict,) = json.loads(run(file, "--json").stdout)
    assert (verdict["holds"], verdict["proven"]) == (True, False)
    assert [check["about"] for check in verdict["checks"]] == [
        "commitment",
        "contributions",
        "deal",
        "start",
    ]


def test_a_game_without_a_secret_cannot_be_verified(tmp_path: Path) -> None:
    path = tmp_path / "local.ptr"
    path.write_text(str(Game(OPTIONS, seed=1).record()), "utf-8")
    result = run(path)
    assert result.exit_code == 1
    assert "no tag Table" in result.stdout


@pytest.mark.parametrize("path", ["/good.ptr", "/moved"])
def test_a_web_address_does_as_well(site: str, path: str) -> None:
    result = run(site + path)
    assert result.exit_code == 0, result.output
    assert "the record is consistent" in result.stdout


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/page", "a game starts with"),
        ("/nowhere", "the server answers 404"),
        ("/file", "insecure"),
        ("/round", "302"),
        ("/long", "larger than 4 MB"),
        ("/letters", "not UTF-8"),
    ],
)
def test_what_is_wrong_with_an_address_is_told(site: str, path: str, reason: str) -> None:
    result = run(site + path)
    assert result.exit_code == 1
    assert reason in result.stderr
    assert "Traceback" not in result.output


def test_nobody_at_home_is_told(site: str) -> None:
    assert run("http://127.0.0.1:1/x").exit_code == 1
    assert run("http://[bad/x").exit_code == 1
    assert run("http://127.0.0.1:99999999/x").exit_code == 1


def test_waiting_has_an_end(site: str) -> None:
    times = iter([0.0, fetching.MOST_SECONDS + 1, 1e9])
    with pytest.raises(FetchError, match="30 seconds"):
        fetch_text(site + "/good.ptr", clock=lambda: next(times))


def test_only_the_web_is_fetched() -> None:
    with pytest.raises(FetchError, match="not a URL"):
        fetch_text("file:///etc/hosts")


def test_a_file_needs_nothing_of_the_server(file: Path) -> None:
    code = f"""
import sys
sys.modules.update(dict.fromkeys({sorted(HEAVY)!r}))  # importing one of them is an error now
from patrizier.cli.main import app
app(["verify", {str(file)!r}])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "the record is consistent" in done.stdout
    # Typer looks for pydantic by itself.
    code = "import sys, patrizier.server.deal.verification; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
