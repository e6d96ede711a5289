"""A full or read-only disk: reading works, the reason is reported, and nothing is left behind."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

import pytest

from patrizier.server.loadtest.client import Failed, Guest
from patrizier.server.loadtest.process import ServerProcess
from server.support.disks import Disk, LimitedFiles, make_read_only, small_disk
from server.support.fuzz_clients import play_on, started_table

pytestmark = pytest.mark.anyio

# Runs a command that may write files of a given size only.
LIMITED = """
import resource, sys
size = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
from patrizier.cli.main import app
app()
"""
_TIMEOUT = 60.0  # seconds


@pytest.fixture
def place(tmp_path: Path) -> Iterator[tuple[ServerProcess, Disk]]:
    """A server, and the disk with its data."""
    with ExitStack() as stack:
        small = stack.enter_context(small_disk(tmp_path / "disk"))
        server = stack.enter_context(ServerProcess(tmp_path / "disk"))
        yield server, small or LimitedFiles(server)


def until(holds: Callable[[], bool]) -> None:
    """Wait for a condition."""
    end = monotonic() + _TIMEOUT
    while not holds():
        assert monotonic() < end
        sleep(0.05)


async def refused(guest: Guest, path: str, method: str = "GET", body: object = None) -> str:
    """Return the refusal of a request that must fail."""
    with pytest.raises(Failed) as failed:
        await guest.request(method, path, body)
    assert failed.value.status == 503
    return str(failed.value)


async def test_a_running_server_reads_on_and_says_why_it_stores_nothing(
    place: tuple[ServerProcess, Disk],
) -> None:
    server, disk = place
    anna, ben = await Guest.come(server.url), await Guest.come(server.url)
    table = await started_table(anna, ben)
    await play_on(table, anna, ben)
    assert await anna.request("GET", "/readyz") == "ok\n"
    disk.fill()
    before = await anna.request("GET", f"/api/tables/{table}")  # looking goes on
    assert before["turn"] == 1
    body = {"kind": "say", "id": "hello", "text": "hello"}
    path = f"/api/tables/{table}/commands"
    assert '"reason":"not-stored"' in await refused(anna, path, "POST", body)
    until(lambda: not can_play(server))
    why = await refused(anna, "/readyz")
    assert "the disk is full" in why or "the disk cannot be read or written" in why
    until(lambda: any("cause" in json.loads(line) for line in server.errors))
    causes = {json.loads(line).get("cause") for line in server.errors} - {None}
    assert causes <= {"SQLITE_FULL", "SQLITE_IOERR_WRITE"}, causes
    assert await anna.request("GET", f"/api/tables/{table}") | {"now": 0} == before | {"now": 0}
    disk.free()
    until(lambda: can_play(server))
    assert (await anna.request("POST", path, body))["seq"] > before["seq"]
    assert await play_on(table, anna, ben) != (0, [])


def can_play(server: ServerProcess) -> bool:
    try:
        return bool(Guest(server.url)._request("GET", "/readyz", None) == "ok\n")
    except Failed:
        return False


def serve(folder: Path, most: int) -> "subprocess.CompletedProcess[str]":
    """Start a server with a limit on file sizes; return its exit status and output."""
    command = [sys.executable, "-c", LIMITED, str(most), "serve", "--port", "0"]
    return subprocess.run(
        [*command, "--data-dir", str(folder)],
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
    )


def listing(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_size for file in folder.iterdir()}


@pytest.mark.parametrize("most", [0, 10, 100, 5000])
def test_a_new_server_without_room_says_so_and_leaves_nothing(tmp_path: Path, most: int) -> None:
    done = serve(tmp_path, most)
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert "File too large" in line or "cannot be used: disk I/O error" in line
    assert "Traceback" not in done.stderr
    assert set(listing(tmp_path)) <= {"secret"}
    assert most < 43 or listing(tmp_path) == {"secret": 43}


def test_a_server_with_everything_needs_no_room_to_say_why_not(tmp_path: Path) -> None:
    with ServerProcess(tmp_path):
        pass
    before = listing(tmp_path)
    assert set(before) == {"patrizier.db", "patrizier.db.lock", "secret"}
    done = serve(tmp_path, 0)
    assert done.returncode == 1
    assert f"Error: the database sqlite:///{tmp_path}/patrizier.db cannot be used" in done.stderr
    assert listing(tmp_path) == before


async def test_a_server_starts_for_reading_where_sqlite_can_be_read(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        anna, ben = await Guest.come(server.url), await Guest.come(server.url)
        table = await started_table(anna, ben)
        turn, _ = await play_on(table, anna, ben)
        server.kill()  # what SQLite needs beside the file stays there
    assert listing(tmp_path)["patrizier.db-wal"] > 32768
    through = ("prlimit", "--fsize=32768:unlimited")  # room for an index, for no turn
    with ServerProcess(tmp_path, through=through) as server:
        anna.url = ben.url = server.url
        told = await anna.request("GET", f"/api/tables/{table}")
        assert told["turn"] == turn == 1
        body = {"kind": "say", "id": "hello", "text": "hello"}
        path = f"/api/tables/{table}/commands"
        assert '"code":"no-database"' in await refused(anna, path, "POST", body)
        LimitedFiles(server).free()
        until(lambda: can_play(server))
        assert await play_on(table, anna, ben) != (0, [])


def test_a_read_only_disk_is_named(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        if disk is None:
            pytest.skip("no disk of one's own on this machine")
        with ServerProcess(tmp_path / "disk"):
            pass
        before = listing(tmp_path / "disk")
        assert make_read_only(tmp_path / "disk")
        done = serve(tmp_path / "disk", 2**30)
        assert done.returncode == 1
        assert "Read-only file system" in done.stderr
        assert "Traceback" not in done.stderr
        assert listing(tmp_path / "disk") == before
