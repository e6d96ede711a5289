"""`patrizier backup`, `restore` and `check`: what they say, and how they end."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import CliRunner, Result

from patrizier.cli.main import app
from patrizier.server.settings import read_or_make_secret
from patrizier.server.store.rows import Person
from patrizier.server.store.sql import open_store
from server.support.players import ANNA, a_service, sit_down


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a server that knows one person."""

    async def fill(url: str) -> None:
        store = await open_store(url)
        await store.people.add(Person("person-anna-0123456789", "Anna", 0.0, 0.0))
        await store.close()

    folder = tmp_path / "a folder? 100 %"
    read_or_make_secret(folder / "secret")
    asyncio.run(fill(f"sqlite:///{folder / 'patrizier.db'}"))
    return folder


def test_a_backup_brings_everything_to_another_folder(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.zip"
    done = run("backup", file, "--data-dir", data)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "0 tables, 0 events, 1 people, 0 results" in done.stdout
    assert run("check", file).stdout == "No damage: 0 tables, 0 events, 1 people, 0 results\n"
    other = tmp_path / "other"
    secret = read_or_make_secret(other / "secret")  # somebody has started a server there
    done = run("restore", file, "--data-dir", other)
    assert done.exit_code == 0, done.output
    kept = (other / "secret").read_text()
    assert kept == (data / "secret").read_text() != secret
    assert (other / "secret").stat().st_mode & 0o777 == 0o600
    done = run("check", "--data-dir", other)
    assert (done.exit_code, done.stdout) == (
        0,
        "No damage: 0 tables, 0 events, 1 people, 0 results\n",
    )
    assert {each.name for each in other.iterdir()} == {
        "patrizier.db",
        "patrizier.db.lock",
        "secret",
    }
    done = run("restore", file, "--data-dir", other)
    assert done.exit_code == 1
    assert "is not restored: the table people is not empty" in done.stderr


def test_a_backup_without_a_secret_says_so(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATRIZIER_SECRET", "s" * 40)
    done = run("backup", tmp_path / "backup.zip", "--data-dir", data)
    assert "without a secret" in done.stdout
    monkeypatch.delenv("PATRIZIER_SECRET")
    done = run("restore", tmp_path / "backup.zip", "--data-dir", tmp_path / "other")
    assert "all guests and sessions are lost" in done.stdout
    assert not (tmp_path / "other" / "secret").exists()


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    none = ("--data-dir", tmp_path / "none")
    for command, words in {
        ("backup", tmp_path / "b.zip"): "the backup failed: there is no file ",
        ("check",): "the check failed: there is no file ",
        ("restore", tmp_path / "b.zip"): "is not restored: [Errno 2] No such file",
    }.items():
        done = run(*command, *none)
        assert done.exit_code == 1
        assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_damage_ends_with_status_one(data: Path, tmp_path: Path) -> None:
    async def spoil(url: str) -> str:
        store = await open_store(url)
        table = await sit_down(a_service(store), ANNA)
        await store.database.write(lambda conn: conn.execute(text("DELETE FROM events")))
        await store.close()
        return table

    table = asyncio.run(spoil(f"sqlite:///{data / 'patrizier.db'}"))
    file = tmp_path / "backup.zip"
    for command in (("check",), ("backup", file), ("restore", file, "--data-dir", tmp_path / "o")):
        done = run(*command, *(() if command[0] == "restore" else ("--data-dir", data)))
        assert done.exit_code == 1
        assert (
            f"  table {table}: all of its events are missing\nError: the stored data is damaged"
            in done.stderr
        )
    assert (tmp_path / "o" / "patrizier.db").is_file()  # better than nothing
