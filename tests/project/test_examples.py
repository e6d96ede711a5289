"""The examples and the samples of the page on bots work, as a reader would run them."""

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from patrizier import read_games

ROOT = Path(__file__).parents[2]
TOWER = ROOT / "examples" / "tower_bot"
PAGE = ROOT / "docs" / "bots.md"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)

# What a reader types, and how it runs here: with this Python, and without the network.
PROGRAMS = {
    "patrizier": [str(Path(sysconfig.get_path("scripts")) / "patrizier")],
    "python": [sys.executable],
    "pip": [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check"],
}
OFFLINE = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation"]


def run(command: list[str], site: Path, folder: Path) -> str:
    """Run a command with the packages of a folder installed; return what it printed."""
    program, *arguments = command
    if program == "pip":
        arguments += [*OFFLINE, "--upgrade", "--target", str(site)]
    done = subprocess.run(
        [*PROGRAMS[program], *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the example is installed."""
    folder = tmp_path_factory.mktemp("tower")
    package = shutil.copytree(TOWER, folder / "tower_bot")
    run(["pip", "install", str(package)], folder / "site", folder)
    return folder / "site"


def test_the_example_is_in_the_list_of_bots(site: Path, tmp_path: Path) -> None:
    rows = json.loads(run(["patrizier", "bots", "--json"], site, tmp_path))
    assert rows[0]["package"] == "patrizier"
    assert rows[-1] == {
        "name": "tower",
        "about": "Wants to lead the towers that bring most.",
        "takes_budget": True,
        "package": "tower-bot",
        "broken": None,
    }


def test_the_example_plays_in_several_processes(site: Path, tmp_path: Path) -> None:
    command = "patrizier arena tower:1 random --games 6 --seed 1 --jobs 2 --json"
    report = json.loads(run(command.split(), site, tmp_path))
    bots = {bot["name"]: bot for bot in report["bots"]}
    assert set(bots) == {"tower:1", "random"}
    assert report["games"] == 6
    assert bots["tower:1"]["incidents"] == {}
    assert bots["tower:1"]["points"]["value"] > bots["random"]["points"]["value"]


@pytest.mark.parametrize("names", [[], ["random", "greedy", "tower:1"]])
def test_a_game_from_python(names: list[str], site: Path, tmp_path: Path) -> None:
    text = run(["python", str(ROOT / "examples" / "play_a_game.py"), *names], site, tmp_path)
    result, _, record = text.partition("\n\n")
    (game,) = read_games(record)
    outcome = game.game().outcome()
    assert outcome is not None
    assert game.names == tuple(names or ("greedy", "random"))
    lines = [line.split() for line in result.splitlines()]
    assert [line[0] for line in lines] == list(game.names)
    assert [int(line[5]) for line in lines] == list(outcome.points)
    assert [line[-1] == "wins" for line in lines] == [
        seat in outcome.winners for seat in range(len(lines))
    ]


# -- the samples of the page


def samples(language: str) -> list[str]:
    return [text for found, text in BLOCKS if found == language]


def test_every_sample_is_of_a_kind_that_is_tested() -> None:
    assert {language for language, _ in BLOCKS} == {"pycon", "python", "sh", "toml"}


def test_sessions_print_what_the_page_says() -> None:
    session = doctest.DocTestParser().get_doctest(
        "\n".join(samples("pycon")), {}, PAGE.name, str(PAGE), 0
    )
    runner = doctest.DocTestRunner(verbose=False)
    said: list[str] = []
    runner.run(session, out=said.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)
    assert runner.tries > 15


def test_files_and_commands_work_in_the_order_of_the_page(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for text in samples("python"):
        name = text.splitlines()[0].removeprefix("# ")
        assert name.endswith(".py")
        (tmp_path / name).write_text(text, "utf-8")
    commands = [line for text in samples("sh") for line in text.splitlines()]
    assert {line.split()[0] for line in commands} == set(PROGRAMS)
    printed = {line: run(shlex.split(line), tmp_path / "site", tmp_path) for line in commands}
    assert "from tower-bot" in printed["patrizier bots"]
    for line, text in printed.items():
        assert "Incidents" not in text, f"{line}\n{text}"


def test_metadata_are_those_of_the_example() -> None:
    (entry,) = samples("toml")
    assert entry in (TOWER / "pyproject.toml").read_text("utf-8")


@pytest.mark.parametrize(
    "file", sorted(ROOT.glob("examples/notebooks/*.ipynb")), ids=lambda file: file.stem
)
def test_a_notebook_runs(file: Path) -> None:
    """From top to bottom. It is kept without outputs; a game at the end of a cell is drawn."""
    book = nbformat.read(file, as_version=4)  # type: ignore[no-untyped-call]
    codes = [cell for cell in book.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in codes)
    NotebookClient(book, timeout=300).execute(cwd=str(file.parent))
    boards = 0
    for cell in codes:
        shown = [output.get("data", {}) for output in cell.outputs]
        if cell.source.splitlines()[-1] in ("game", "view"):
            boards += 1
            assert any("<svg" in data.get("image/svg+xml", "") for data in shown), cell.source
    assert boards
