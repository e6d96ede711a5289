import importlib
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from patrizier.bots.registry import bot_names
from patrizier.cli.main import app

runner = CliRunner()


class Site:
    """A folder of installed packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, **entries: str) -> None:
        """Install a package as pip would."""
        info = self.folder / "some_bots-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-bots\nVersion: 1.0\n")
        lines = [f"{name} = {value}" for name, value in entries.items()]
        (info / "entry_points.txt").write_text("\n".join(["[patrizier.bots]", *lines]))
        importlib.invalidate_caches()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.syspath_prepend(tmp_path)
    return Site(tmp_path)


@pytest.fixture
def foreign(site: Site) -> None:
    """Install a bot that works and two that do not, one with a name to break terminals."""
    site.install(
        **{
            "clever": "patrizier.bots.search.ismcts:IsmctsBot",
            "odd\x1b[31m": "json:JSONEncoder",
            "ready": "json:JSONDecoder",
        }
    )


def bots(*arguments: str) -> str:
    done = runner.invoke(app, ["bots", *arguments], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_it_lists_every_bot_with_a_sentence() -> None:
    text = bots()
    assert all(name in text for name in bot_names())
    assert "Takes the turn that looks best at once." in text


@pytest.mark.usefixtures("foreign")
def test_bots_of_other_packages_follow_and_broken_ones_say_why() -> None:
    *_, clever, odd, ready = [" ".join(line.split()) for line in bots().splitlines() if line]
    assert clever.startswith("clever Plain information-set tree search")
    assert clever.endswith("takes a budget, from some-bots")
    assert odd.startswith("odd [31m broken: some-bots names a bot")
    assert ready == "ready broken: json:JSONDecoder is a class, but not a Bot from some-bots"


def test_the_list_for_programs() -> None:
    rows = json.loads(bots("--json"))
    assert {row["name"]: row["takes_budget"] for row in rows}["ismcts"] is True
    own = [row for row in rows if row["package"] == "patrizier"]
    assert [row["name"] for row in own] == list(bot_names())[: len(own)]
    assert all(row["about"].endswith(".") and row["broken"] is None for row in own)


@pytest.mark.usefixtures("foreign")
def test_broken_bots_for_programs() -> None:
    clever, odd, ready = json.loads(bots("--json"))[-3:]
    assert (clever["name"], clever["package"], clever["broken"]) == ("clever", "some-bots", None)
    assert odd["name"] == "odd\x1b[31m"
    assert ready["broken"] == "json:JSONDecoder is a class, but not a Bot"


def test_what_a_bot_prints_does_not_disturb_programs(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.install(chatty="this:Bot")
    monkeypatch.delitem(sys.modules, "this", raising=False)  # it prints when it is imported
    done = runner.invoke(app, ["bots", "--json"])
    assert json.loads(done.stdout)[-1]["name"] == "chatty"
    assert "Beautiful is better than ugly." in done.stderr


def test_arena_and_study_are_there() -> None:
    for command in ("arena", "study"):
        done = runner.invoke(app, [command, "--help"])
        assert done.exit_code == 0
        assert f"patrizier {command}" in done.stdout
