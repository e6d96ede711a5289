"""Workflows: what they run is what people can run, and nothing in them can be swapped unnoticed."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}")


def jobs(file: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(file.read_text("utf-8"))["jobs"]
    return found


def steps(file: Path) -> list[dict[str, Any]]:
    return [step for job in jobs(file).values() for step in job.get("steps", ())]


def test_there_is_one_for_changes_releases_and_nights() -> None:
    assert [file.stem for file in WORKFLOWS] == ["ci", "nightly", "release"]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_steps_are_commands_of_this_repository(file: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for step in steps(file):
        for target in re.findall(r"\bmake ([a-z-]+)", step.get("run", "")):
            assert target in targets
        for script in re.findall(r"(?:scripts|\.ci)/[\w.]+", step.get("run", "")):
            assert (ROOT / script).is_file()


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_actions_are_pinned_and_rights_are_given_one_by_one(file: Path) -> None:
    text = yaml.safe_load(file.read_text("utf-8"))
    assert text["permissions"] == {}
    for name, job in jobs(file).items():
        assert "permissions" in job, name
        assert "timeout-minutes" in job or "uses" in job, name
    used = [step["uses"] for step in steps(file) if "uses" in step]
    assert used
    assert all(PINNED.fullmatch(each) for each in used)


def test_a_release_is_checked_published_by_identity_and_attested() -> None:
    (release,) = [file for file in WORKFLOWS if file.stem == "release"]
    publish = jobs(release)["publish"]
    assert set(publish["needs"]) == {"check", "packages"}
    assert publish["permissions"]["id-token"] == "write"
    used = " ".join(step.get("uses", "") for step in publish["steps"])
    for action in ("gh-action-pypi-publish", "attest-build-provenance", "attest-sbom"):
        assert action in used
    assert "secrets." not in release.read_text("utf-8")


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_packages_of_the_system_are_looked_up_first_and_are_there(file: Path) -> None:
    """Machines come with old lists; Ubuntu has Chromium as a snap only, and no keys of Debian."""
    for step in steps(file):
        before, wanted, packages = step.get("run", "").partition("apt-get install")
        if wanted:
            assert "apt-get update" in before
            assert "chromium" not in packages.split()
            assert "mmdebstrap" not in packages or "debian-archive-keyring" in packages.split()
