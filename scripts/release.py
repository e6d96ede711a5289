"""Make a release: `make release`, on a clean `main`. A pushed tag does the rest.

python scripts/release.py check         # could it be released? Prints what is missing
python scripts/release.py check v1.0.0  # the same for a tag, as the release workflow asks
python scripts/release.py notes         # the changelog's section on this version
python scripts/release.py tag           # date the changelog, commit, tag and push
"""

import argparse
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
PENDING = "(unreleased)"
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_NUMBER = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")


class NotReady(Exception):
    """Something is missing for a release."""


def version(root: Path = ROOT) -> str:
    """Return the version of the sources."""
    text = (root / "src" / "patrizier" / "__init__.py").read_text("utf-8")
    found = _VERSION.search(text)
    if not found or not _NUMBER.fullmatch(found[1]):
        raise NotReady("src/patrizier/__init__.py has no version like 1.0.0")
    return found[1]


def notes(root: Path = ROOT) -> tuple[str, str]:
    """Return the heading and the text of this version in the changelog."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    number = re.escape(version(root))
    found = re.search(rf"^## ({number} .+?)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise NotReady(f"CHANGELOG.md has no section `## {version(root)} …`")
    if not re.search(r"^- ", found[2], re.MULTILINE):
        raise NotReady(f"CHANGELOG.md says nothing of {version(root)}")
    return found[1], found[2].strip()


def check(tag: str = "", root: Path = ROOT) -> None:
    """Raise NotReady unless version, changelog and tag agree."""
    heading, _ = notes(root)
    if re.search(r"^## Unreleased", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE):
        raise NotReady("CHANGELOG.md has a section `## Unreleased`: move it into this version")
    if tag:
        if tag != f"v{version(root)}":
            raise NotReady(f"the tag is {tag}, the version {version(root)}")
        if heading.endswith(PENDING):
            raise NotReady(f"CHANGELOG.md has no date for {version(root)}")


def date(root: Path = ROOT, today: str = "") -> None:
    """Write the day of the release into the changelog."""
    heading, _ = notes(root)
    if heading.endswith(PENDING):
        day = today or datetime.now(UTC).date().isoformat()
        file = root / "CHANGELOG.md"
        dated = heading.replace(PENDING, f"({day})")
        file.write_text(
            file.read_text("utf-8").replace(f"## {heading}\n", f"## {dated}\n"), "utf-8"
        )


def tag(root: Path = ROOT) -> str:
    """Date the changelog, commit, tag and push; return the tag."""
    check(root=root)
    name = f"v{version(root)}"
    if _git(root, "status", "--porcelain"):
        raise NotReady("there are changes that are not committed")
    if _git(root, "tag", "--list", name):
        raise NotReady(f"{name} is a tag already: raise the version first")
    branch = _git(root, "branch", "--show-current")
    if branch != "main":
        raise NotReady(f"releases are made on main, not on {branch or 'no branch'}")
    date(root)
    if _git(root, "status", "--porcelain"):
        _git(root, "commit", "--quiet", "--message", f"Release {name}", "--", "CHANGELOG.md")
    _git(root, "tag", "--annotate", name, "--cleanup=verbatim", "--message", notes(root)[1])
    _git(root, "push", "--quiet", "--atomic", "origin", branch, name)
    return name


def _git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), *words]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise NotReady(f"`git {words[0]}` failed: {done.stderr.strip()}")
    return done.stdout.strip()


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("step", choices=("check", "notes", "tag"))
    parser.add_argument("tag", nargs="?", default="")
    given = parser.parse_args()
    try:
        if given.step == "notes":
            print(notes()[1])
        elif given.step == "check":
            check(given.tag)
            print(f"{version()} can be released.")
        else:
            print(f"{tag()} is pushed: the release workflow builds and publishes it.")
    except NotReady as reason:
        print(f"Not ready: {reason}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
