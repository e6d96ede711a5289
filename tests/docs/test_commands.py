"""Every `patrizier` command of the documents is run, in the order of its page.

What would take long is run with less. Commands of other programs are only read (test_samples.py).
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from datetime import date
from pathlib import Path

import command_line
import pytest
from typer.testing import CliRunner

from analysis.games import LIGHT, random_game
from docs.samples import DOCUMENTS, commands, name
from patrizier import Game, Options
from patrizier.cli.analyse import Resources
from patrizier.cli.main import app
from patrizier.ptr import write_games
from patrizier.puzzles.maker import Maker
from patrizier.puzzles.proof import Depth
from patrizier.server.deal.provably_fair import commit, derive, record_tags

# Run by tests/project/test_examples.py, with the package that it is about; by tests/bridges, with
# policies trained before; and by tests/arena/executors, on a cluster of its own.
ELSEWHERE = {"docs/bots.md", "docs/bridges.md", "docs/cluster.md"}
ENOUGH = {"--games": 4, "--tables": 3, "--rate": 20, "--seconds": 1, "--count": 1}
MORE_WORDS = {"sprt": ["--games", "4"], "loadtest": ["--idle", "1"]}
VERDICTS = {"sprt": (0, 1, 3)}  # exit statuses that are answers
MY_BOT = """
from patrizier.bots.base import Bot

class MyBot(Bot):
    name, about = "mine", "Plays the first turn."
    def choose(self, view, rng):
        return view.legal[0]
"""
KEYS = "q\nn\n"  # for those that ask: quit, and do not save
SECRET, TABLE, OPTIONS, GIVEN = bytes(32), "some-table", Options(2), {0: "ab" * 32}


def pages() -> dict[str, list[list[str]]]:
    """Return the commands of every page, and of every section of the reference."""
    found = {name(page): commands(page) for page in DOCUMENTS if name(page) not in ELSEWHERE}
    for section in command_line.describe().split("\n## ")[1:]:
        examples = re.findall(r"^```sh\n(.*?)^```$", section, re.M | re.S)
        lines = "".join(examples).splitlines()
        found[section.partition("\n")[0].strip("`")] = [shlex.split(line) for line in lines]
    ours = {
        page: [plain for words in all_words if (plain := _plain(words))[0] == "patrizier"]
        for page, all_words in found.items()
    }
    return {page: all_words for page, all_words in ours.items() if all_words}


def _plain(words: list[str]) -> list[str]:
    """Return a command without settings before it, another's rights, and a program's folder."""
    while words[0] in ("sudo", "env") or re.match("[A-Z_]+=", words[0]):
        words = words[1:]
    return [words[0].rpartition("/")[2], *words[1:]]


def _shortened(words: list[str]) -> list[str]:
    """Return a command that does the same with less."""
    words = [word.replace("$(date +%F)", date.today().isoformat()) for word in words]
    for option, most in ENOUGH.items():
        if option in words:
            place = words.index(option) + 1
            words[place] = str(min(int(words[place]), most))
    return [*words, *MORE_WORDS.get(words[0], [])]


class Reader:
    """Runs what a page says, in a folder with some games and records."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        fair = Game(OPTIONS, deal=derive(SECRET, TABLE, OPTIONS, GIVEN))
        while not fair.is_over:
            fair.play(fair.legal_moves[0])
        tags = record_tags(SECRET, TABLE, OPTIONS, GIVEN)
        (folder / "game.ptr").write_text(write_games([fair.record(("Anna", "Ben"), **tags)]))
        (folder / "mybot.py").write_text(MY_BOT, "utf-8")
        games = [random_game(2, seed).record(("Anna", "Ben")) for seed in (1, 2)]
        for file in ("games.ptr", "more.ptr"):
            (folder / file).write_text(write_games(games))

    def type(self, words: list[str]) -> None:
        """Run a command; it must succeed, and write what it says it writes."""
        words, target = (words[:-2], words[-1]) if ">" in words else (words, None)
        match words:
            case [] | ["serve", *_]:
                self.serve(words)
                return
            case ["backup", *_] | ["check"]:
                self.need_data()
            case ["restore", file]:
                self.back_up(file)
            case ["check", "FILE"]:
                words = ["check", str(next(self.folder.glob("*.zip")))]
            case ["play", *_, "--out", file]:
                (self.folder / file).unlink(missing_ok=True)
            case ["verify", *_]:
                words = [word.replace("9f2c…", commit(SECRET, TABLE, OPTIONS)) for word in words]
                words = [word.replace("41ab…", GIVEN[0]) for word in words]
        done = CliRunner().invoke(app, _shortened(words), input=KEYS, obj=_light(words[0]))
        said = f"{shlex.join(words)}\n{done.output}{done.exception!r}"
        assert done.exit_code in VERDICTS.get(words[0], (0,)), said
        assert "Incidents" not in done.output
        if target is not None:
            (self.folder / target).write_text(done.stdout, "utf-8")
        for option in ("--out", "--report", "--annotate", "--journal"):
            if option in words and words[0] != "play":
                assert (self.folder / words[words.index(option) + 1]).stat().st_size > 0, said

    def serve(self, words: list[str]) -> None:
        """Run a server until it is ready."""
        program = "from patrizier.cli.main import app; app()"
        with subprocess.Popen(
            [sys.executable, "-c", program, *words],
            env={**os.environ, "PATRIZIER_PORT": "0", "BROWSER": "true"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                assert process.stdout is not None
                assert any(line.startswith("Patrizier is at http://") for line in process.stdout)
            finally:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=60)

    def need_data(self) -> None:
        """Have the data of a server that has run."""
        if not (self.folder / "data" / "patrizier.db").exists():
            self.serve(["serve"])

    def back_up(self, file: str) -> None:
        """Have a backup of this name, and no data: what somebody has who restores."""
        self.need_data()
        (self.folder / file).unlink(missing_ok=True)
        self.type(["backup", file])
        shutil.rmtree(self.folder / "data")


def _light(command: str) -> object:
    """Return what makes a command quick."""
    match command:
        case "analyse":
            return Resources(LIGHT)
        case "puzzles":
            depth = Depth(screens=(20,), iterations=40, seeds=2, close=3)
            return Maker(depth, is_obvious=lambda *_: False)
        case _:
            return None


PAGES = pages()


def test_pages_and_the_reference_have_commands() -> None:
    assert len([page for page in PAGES if page.endswith(".md")]) > 10
    assert PAGES.keys() > {f"patrizier {each}" for each in ("play", "analyse", "serve", "print")}


@pytest.mark.parametrize("page", PAGES)
def test_commands_work_in_the_order_of_the_page(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATRIZIER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("PATRIZIER_WORKERS", "1")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "100")
    reader = Reader(tmp_path)
    for _, *words in PAGES[page]:
        if words[:1] != ["bench"]:  # it compiles everything: tests/cli/test_bench.py
            reader.type(words)
