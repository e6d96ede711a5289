"""`patrizier loadtest`: small, but through real sockets to a real server."""

import json

import pytest
from typer.testing import CliRunner, Result

from patrizier.cli.main import app
from patrizier.server.loadtest.client import NotHere, check_loopback


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["loadtest", *arguments])


def test_a_small_load_is_measured() -> None:
    result = run("--tables", "3", "--rate", "30", "--seconds", "2", "--idle", "20", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["tables"] == 3
    assert told["sockets"] == 6
    assert told["turns"] >= 10
    assert 0 < told["wait_ms"]["p50"] <= told["wait_ms"]["p99"] <= told["wait_ms"]["max"]
    assert told["refused"] == told["sockets_lost"] == 0
    assert told["memory_end"] is None or told["memory_end"] > 10_000_000


@pytest.mark.parametrize(
    "url",
    ["http://192.0.2.1:8321", "https://127.0.0.1", "ftp://127.0.0.1", "127.0.0.1:80", "http://"],
)
def test_only_this_machine_is_tested(url: str) -> None:
    with pytest.raises(NotHere):
        check_loopback(url)
    result = run(url, "--tables", "1")
    assert result.exit_code == 1
    assert "Error: " in result.stderr


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/x", "http://localhost", "http://[::1]:80"])
def test_names_of_this_machine(url: str) -> None:
    assert check_loopback(url).count("/") == 2


def test_a_server_that_is_not_there_is_told() -> None:
    result = run("http://127.0.0.1:1")
    assert result.exit_code == 1
    assert "refused" in result.stderr


@pytest.mark.parametrize("arguments", [("--tables", "2001"), ("--rate", "0"), ("--seconds", "601")])
def test_the_load_is_bounded(arguments: tuple[str, str]) -> None:
    assert run(*arguments).exit_code == 2
