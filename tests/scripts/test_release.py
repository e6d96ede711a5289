"""What `make release` checks and does, in a repository of its own."""

import subprocess
from pathlib import Path

import pytest
import release

ROOT = Path(__file__).parents[2]
CHANGELOG = """# Changelog

## 2.3.0 (unreleased)

### Added

- Towers.

## 2.2.0 (2030-01-02)

- Old.
"""


def git(folder: Path, *words: str) -> str:
    settings = ["-c", "user.name=Anna", "-c", "user.email=anna@patrizier.example"]
    command = ["git", "-C", str(folder), *settings, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with something to release, and another that it is pushed to."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Anna")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "anna@patrizier.example")
    root, remote = tmp_path / "here", tmp_path / "there"
    (root / "src" / "patrizier").mkdir(parents=True)
    (root / "src" / "patrizier" / "__init__.py").write_text('__version__ = "2.3.0"\n')
    (root / "CHANGELOG.md").write_text(CHANGELOG)
    git(tmp_path, "init", "--quiet", "--bare", str(remote))
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(root))
    git(root, "remote", "add", "origin", str(remote))
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "first")
    return root


def test_this_version_can_be_released() -> None:
    release.check()


def test_a_release_is_dated_tagged_and_pushed(root: Path) -> None:
    assert release.tag(root) == "v2.3.0"
    heading, text = release.notes(root)
    assert heading.startswith("2.3.0 (2")
    assert text == "### Added\n\n- Towers."
    release.check("v2.3.0", root)
    there = root.parent / "there"
    assert git(there, "tag", "--list", "--format=%(contents)").strip() == text
    assert git(there, "rev-parse", "main") == git(root, "rev-parse", "HEAD")
    with pytest.raises(release.NotReady, match="a tag already"):
        release.tag(root)


@pytest.mark.parametrize(
    ("file", "old", "new", "why"),
    [
        ("CHANGELOG.md", "2.3.0", "2.4.0", "no section"),
        ("CHANGELOG.md", "- Towers.", "", "says nothing"),
        ("CHANGELOG.md", "## 2.2.0", "## Unreleased\n\n## 2.2.0", "move it"),
        ("src/patrizier/__init__.py", "2.3.0", "two", "no version"),
        ("src/patrizier/__init__.py", "2", "2", ""),
    ],
)
def test_what_is_missing_is_said(root: Path, file: str, old: str, new: str, why: str) -> None:
    text = (root / file).read_text("utf-8")
    (root / file).write_text(text.replace(old, new))
    if not why:
        return release.check(root=root)
    with pytest.raises(release.NotReady, match=why):
        release.check(root=root)
    return None


def test_nothing_is_tagged_from_an_untidy_place(root: Path) -> None:
    (root / "new").touch()
    with pytest.raises(release.NotReady, match="not committed"):
        release.tag(root)
    (root / "new").unlink()
    git(root, "switch", "--quiet", "--create", "side")
    with pytest.raises(release.NotReady, match="not on side"):
        release.tag(root)


def test_a_tag_has_to_be_that_of_the_version(root: Path) -> None:
    with pytest.raises(release.NotReady, match=r"the version 2\.3\.0"):
        release.check("v2.3.1", root)
    with pytest.raises(release.NotReady, match="no date"):
        release.check("v2.3.0", root)
