"""Every sample in the documents works: it is run, or at least parsed."""

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import cast

import pytest
import typer.main
import yaml
from typer.core import TyperGroup

from docs.samples import DOCUMENTS, ROOT, blocks, commands, having, name, samples
from patrizier import read_games
from patrizier.cli.main import app
from patrizier.rules.deck import Face
from patrizier.server.settings import Settings

DOCS = ROOT / "docs"
LANGUAGES = {"ini", "json", "pycon", "python", "sh", "text", "toml", "{eval-rst}", "{toctree}"}
INLINE = re.compile(r"`patrizier ([^`]+)`")
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z0-9-]*")
GROUP = cast("TyperGroup", typer.main.get_command(app))


def test_every_sample_is_of_a_kind_that_is_tested() -> None:
    found = {(name(page), language) for page in DOCUMENTS for language, _ in blocks(page)}
    assert not {each for each in found if each[1] not in LANGUAGES}
    assert len(found) > 30


@pytest.mark.parametrize("page", having("pycon"), ids=name)
def test_sessions_print_what_the_page_says(page: Path) -> None:
    text = "\n".join(samples(page, "pycon"))
    session = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    said: list[str] = []
    runner.run(session, out=said.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)
    assert runner.tries > 1


# -- commands: those of `patrizier` are run by test_commands.py


@pytest.mark.parametrize(
    ("page", "words"),
    [(page, words) for page in having("sh") for words in commands(page)],
    ids=lambda it: name(it) if isinstance(it, Path) else shlex.join(it)[:60],
)
def test_commands_take_these_arguments(page: Path, words: list[str]) -> None:
    program, *arguments = _plain(words[: words.index(">")] if ">" in words else words)
    match program:
        case "patrizier" if arguments:
            command = GROUP.commands[arguments[0]]
            command.make_context(arguments[0], arguments[1:])  # raises for what it does not know
        case "patrizier":
            pass
        case "make":
            makefile = (ROOT / "Makefile").read_text("utf-8")
            assert all(re.search(rf"^{each}:", makefile, re.MULTILINE) for each in arguments)
        case "npm":
            scripts = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))["scripts"]
            assert arguments[-1] in scripts
        case "python":
            here = [text.splitlines()[0].removeprefix("# ") for text in samples(page, "python")]
            assert arguments[0] in here or (ROOT / arguments[0]).is_file()
        case "pip" | "pipx" | "uvx":
            assert arguments[0] in ("install", "--from")
        case "docker":
            _check_docker(arguments)
        case "install":
            assert (ROOT / arguments[2]).is_file()
        case "systemctl" | "journalctl":
            assert "patrizier" in arguments
            assert (ROOT / "deploy" / "patrizier.service").is_file()
        case "git":
            assert arguments[0] in ("clone", "tag", "push")
        case "rm":
            assert arguments == ["-r", "dist"]
        case "cd":
            assert (ROOT / arguments[0]).is_dir()
        case _:  # what talks to a server: test_requests.py runs it
            assert page.name == "server.md"
            assert re.match("ask|api=|token=", program)


def _plain(words: list[str]) -> list[str]:
    """Return a command without settings before it, another's rights, and a program's folder."""
    while words[0] == "sudo" or words[0] == "env" or "=" in words[0].partition("$")[0]:
        if words[0].startswith(("api=", "token=")):
            return words
        words = words[1:]
    program = words[0].rpartition("/")[2].replace("python3", "python")
    if words[1:3] == ["-m", "venv"]:
        return ["cd", "."]
    return [program, *words[1:]]


def _check_docker(arguments: list[str]) -> None:
    """Check that services and profiles are those of compose.yaml, and files are there."""
    if arguments[0] in ("build", "run"):
        assert "Containerfile" not in arguments or (ROOT / "Containerfile").is_file()
        assert "patrizier" in arguments
        return
    assert arguments[0] == "compose"
    services = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    rest = arguments[1:]
    if rest[0] == "--profile":
        assert any(rest[1] in service.get("profiles", ()) for service in services.values())
        rest = rest[2:]
    verb, *words = rest
    assert verb in ("up", "exec")
    named = [word for word in words if not word.startswith("-")]
    assert set(named[:1]) <= services.keys()
    if verb == "exec":
        assert named[1] == "patrizier"
        GROUP.commands[named[2]].make_context(named[2], named[3:])


@pytest.mark.parametrize("page", DOCUMENTS, ids=name)
def test_commands_in_sentences_exist(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for line in INLINE.findall(text):
        first, *rest = " ".join(line.split()).split(" ")
        if first.isupper() or first.startswith("-"):
            continue
        known = {"-h", "--help"}
        for parameter in GROUP.commands[first].params:
            known |= {*parameter.opts, *parameter.secondary_opts}
        assert set(OPTION.findall(" ".join(rest))) <= known, line


# -- programs


def run_python(text: str, folder: Path, **environment: str) -> str:
    """Run a program in a folder; return what it printed."""
    (folder / "sample.py").write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "sample.py"],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_on_views_prints_one(tmp_path: Path) -> None:
    (text,) = samples(DOCS / "view.md", "python")
    assert json.loads(run_python(text, tmp_path))["players"] == 3


def test_the_kernel_of_the_page_on_the_engine(tmp_path: Path) -> None:
    (text,) = samples(DOCS / "engine.md", "python")
    text += """
from patrizier import Game, Options
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import new_cells

cells = new_cells(2)
cells[0] = Game(Options(players=2), seed=1).state.record
print(rollouts(cells, new_scratch(1), 3))
"""
    assert int(run_python(text, tmp_path, NUMBA_DISABLE_JIT="1")) > 0


def test_the_program_of_the_analysis_runs() -> None:
    (text,) = samples(DOCS / "analysis.md", "python")
    exec(compile(text, "analysis.md", "exec"), {})


def test_the_program_of_the_puzzles_runs() -> None:
    (text,) = samples(DOCS / "puzzles.md", "python")
    exec(compile(text, "puzzles.md", "exec"), {})


def test_every_program_is_run_by_some_test() -> None:
    elsewhere = {"docs/bots.md", "docs/bridges.md"}  # tests/project/test_examples.py, tests/bridges
    elsewhere |= {"docs/how-to/play-by-http.md"}  # test_requests.py
    assert {name(page) for page in having("python")} == elsewhere | {
        "docs/analysis.md",
        "docs/puzzles.md",
        "docs/view.md",
        "docs/engine.md",
    }


# -- data


@pytest.mark.parametrize("page", having("json"), ids=name)
def test_json_can_be_read(page: Path) -> None:
    assert all(json.loads(text) for text in samples(page, "json"))


@pytest.mark.parametrize("page", having("toml"), ids=name)
def test_toml_can_be_read(page: Path) -> None:
    assert all(tomllib.loads(text) for text in samples(page, "toml"))


def test_the_deck_of_the_page_on_decks() -> None:
    (text,) = samples(DOCS / "decks.md", "toml")
    for faces in tomllib.loads(text)["cards"].values():
        assert [Face(face) for face in faces]


def test_the_plan_of_the_page_on_training() -> None:
    (text,) = samples(DOCS / "tutorials" / "train.md", "toml")
    plan = tomllib.loads(text)
    real = tomllib.loads((ROOT / "training" / "plans" / "three.toml").read_text("utf-8"))
    assert plan.keys() == real.keys()
    efforts = [effort.keys() for plan in (plan, real) for effort in plan["rounds"][0]["play"]]
    assert efforts[0] <= set().union(*efforts[1:])


def test_the_record_of_the_page_on_records() -> None:
    (text,) = samples(DOCS / "record.md", "text")
    (record,) = read_games(text)
    assert record.names == ("Anna", "Ben", "Cleo")


@pytest.mark.parametrize("page", having("ini"), ids=name)
def test_settings_are_accepted(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compose = (ROOT / "compose.yaml").read_text("utf-8")
    monkeypatch.setenv("PATRIZIER_DATA_DIR", str(tmp_path))
    for line in "\n".join(samples(page, "ini")).splitlines():
        if not line:
            continue
        variable, _, value = line.partition("=")
        if f"${{{variable}:" in compose:  # in a file `.env`, for compose itself
            continue
        assert variable.removeprefix("PATRIZIER_").lower() in Settings.model_fields
        monkeypatch.setenv(variable, value)
    settings = Settings()
    assert settings.https
    assert settings.trusted_proxies == ("127.0.0.1",)


def test_every_setting_is_documented() -> None:
    rows = re.findall(r"^\| `(PATRIZIER_\w+)`", (DOCS / "server.md").read_text("utf-8"), re.M)
    assert {row.removeprefix("PATRIZIER_").lower() for row in rows} == set(Settings.model_fields)
