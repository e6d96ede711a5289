"""Hooks, development container and templates for contributors are valid."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
HOOKS = ROOT / ".pre-commit-config.yaml"
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
FIELDS = {"checkboxes", "dropdown", "input", "markdown", "textarea"}


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text("utf-8"))


def targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    return set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


def test_the_hooks_are_readable_to_the_program_that_runs_them() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(HOOKS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_hooks_need_no_network_and_find_their_programs() -> None:
    (local,) = read(HOOKS)["repos"]
    assert local["repo"] == "local"
    scripts = sysconfig.get_path("scripts")
    for hook in local["hooks"]:
        assert hook["language"] == "system"
        program, *arguments = shlex.split(hook["entry"])
        if program == "bash":
            assert "node_modules/.bin/prettier" in arguments[1]
        else:
            folder, name = program.rsplit("/", 1)
            assert folder == ".venv/bin"
            assert shutil.which(name, path=scripts), name


def test_the_development_container_sets_itself_up() -> None:
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8")
    program, target = json.loads(text)["postCreateCommand"].split()
    assert program == "make"
    assert target in targets()


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_issue_forms_have_what_they_need(form: Path) -> None:
    given = read(form)
    if form.stem == "config":
        assert given == {"blank_issues_enabled": True}
        return
    assert {"name", "description", "body"} <= given.keys()
    for field in given["body"]:
        assert field["type"] in FIELDS
        assert field["attributes"]["label"]
        assert field["type"] != "dropdown" or len(field["attributes"]["options"]) > 1
    assert any(field.get("validations", {}).get("required") for field in given["body"])


def test_make_tells_what_it_can_do() -> None:
    command = ["make", "--no-print-directory", "help"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    named = set(re.findall(r"^  make ([a-z-]+)\t", told.stdout, re.MULTILINE))
    assert {"check", "docs", "format", "play", "setup", "test"} <= named <= targets()


# Stands for a Python without `ensurepip`, as of Debian without python3-venv: it leaves half of what
# was asked for.
NO_VENV = """#!/bin/sh
test "$2" = venv || exit 0
mkdir -p "$3/bin" && touch "$3/bin/python"
echo "ensurepip is not available" >&2
exit 1
"""


def test_half_an_environment_is_not_taken_for_one(tmp_path: Path) -> None:
    """Whoever then installs what was missing can just run `make` again."""
    python = tmp_path / "python3"
    python.write_text(NO_VENV)
    python.chmod(0o755)
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text("utf-8"))
    for _ in range(2):
        command = ["make", ".venv/bin/python", f"PYTHON={python}"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode != 0
        assert "ensurepip is not available" in done.stderr
        assert not (tmp_path / ".venv").exists()
