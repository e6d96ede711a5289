"""Install the package in every supported way, in empty environments without Node, and try it.

python scripts/try_packages.py                          # all ways, with this Python
python scripts/try_packages.py wheel sdist --every-python
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MOST_BYTES = 12_000_000  # of a wheel
# All programs that a build may find, beside those from pip.
_TOOLS = ("git", "sh", "env", "uname", "dirname", "realpath")
_NETWORK = ("SSL_CERT_FILE", "PIP_CERT", "PIP_CONFIG_FILE", "PIP_INDEX_URL", "UV_INDEX_URL")
# Without these no program runs on Windows.
_WINDOWS = ("SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "TEMP", "TMP")

# In the installed package: rules, a bot, and the page over HTTP.
_TRIAL = """
import json, subprocess, sys, tempfile
from urllib.request import ProxyHandler, build_opener
from patrizier import Game, __version__
from patrizier.bots.registry import make_bot
import numpy as np
game = Game(seed=1)
game.play(make_bot("merchant").choose(game.view(game.seat), np.random.default_rng(1)))
words = [sys.executable, "-c", "from patrizier.cli.main import app; app()", "serve", "--port", "0"]
with tempfile.TemporaryDirectory() as folder:
    words += ["--data-dir", folder]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(words, stdout=quiet, stderr=subprocess.PIPE, text=True)
    try:
        for line in server.stderr:
            entry = json.loads(line)
            if "port" in entry:
                url = f"http://127.0.0.1:{entry['port']}/"
            if entry["event"] == "ready":
                break
        page = build_opener(ProxyHandler({})).open(url, timeout=60).read().decode()
        assert "<script" in page and "Patrizier" in page, page[:500]
    finally:
        server.terminate()
        server.communicate()
print(__version__, "plays and serves its page")
"""
# With the installed command: every move of some games.
_GAMES = ("arena", "merchant", "apprentice", "--games", "2", "--seed", "1", "--json")


class Skipped(Exception):
    """A way cannot be tried here, and why."""


@dataclass(frozen=True)
class Place:
    """An isolated environment: it finds only Python and a few tools of this machine."""

    folder: Path
    python: str
    packages: Path = ROOT / "dist"

    @property
    def environment(self) -> dict[str, str]:
        """Its own home and PATH, with the certificates and mirrors of this machine."""
        given = {name: os.environ[name] for name in (*_NETWORK, *_WINDOWS) if name in os.environ}
        home = {name: str(self.folder) for name in ("HOME", "USERPROFILE")}
        path = os.pathsep.join((str(self.folder / "tools"), str(Path(self.python).parent)))
        if sys.platform == "win32":  # programs there find their libraries by where they are
            path = os.pathsep.join((path, os.environ["PATH"]))
        plain = {"LANG": "C.UTF-8", "PYTHONUTF8": "1", "UV_NATIVE_TLS": "1"}
        return {**given, **home, **plain, "PATH": path}

    def run(self, *words: str | Path) -> str:
        """Run a command there; return what it printed."""
        done = subprocess.run(
            [str(word) for word in words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            said = (done.stdout + done.stderr)[-4000:]
            raise SystemExit(f"{' '.join(map(str, words))[:200]} failed:\n{said}")
        return done.stdout.strip()

    def built(self, *patterns: str) -> Path:
        """Return the newest package of these kinds."""
        found = {file for pattern in patterns for file in self.packages.glob(pattern)}
        files = sorted(found, key=lambda file: file.stat().st_mtime)
        if not files:
            raise SystemExit("nothing is built: `make wheel` first")
        return files[-1]

    def clone(self) -> Path:
        """Return a clean checkout."""
        checkout = self.folder / "checkout"
        shutil.rmtree(checkout, ignore_errors=True)
        self.run("git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), checkout)
        return checkout

    def empty(self) -> Path:
        """Return the Python of an empty environment."""
        self.run(self.python, "-m", "venv", "--clear", self.folder / "empty")
        name = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
        return self.folder / "empty" / name

    def tool(self, package: str, name: str = "") -> Path:
        """Return a program that pip installs; `Skipped` if it cannot be had."""
        python = self.empty()
        try:
            self.run(python, "-m", "pip", "install", "--quiet", package)
        except SystemExit as error:
            reason = str(error).strip().splitlines()[-1]
            raise Skipped(f"pip cannot install {package}: {reason}") from None
        return python.with_name((name or package) + (".exe" if sys.platform == "win32" else ""))

    def play(self, *command: str | Path) -> str:
        """Try the command line with what runs it before its arguments; return what it did."""
        version = self.run(*command, "--version")
        games = json.loads(self.run(*command, *_GAMES))["games"]
        return f"{version} plays {games} games"


def _pip(place: Place, what: str | Path) -> str:
    python = place.empty()
    place.run(python, "-m", "pip", "install", "--quiet", what)
    return place.run(python, "-c", _TRIAL)


def checkout(place: Place) -> str:
    """Try `pip install .` in a clean checkout."""
    return _pip(place, place.clone())


def git(place: Place) -> str:
    """Try `pip install git+…`."""
    return _pip(place, f"git+{ROOT.as_uri()}")


def sdist(place: Place) -> str:
    """Try the source package: it has its page."""
    return _pip(place, place.built("*.tar.gz"))


def wheel(place: Place) -> str:
    """Try the newest wheel for this Python: with compiled kernels, or for everybody."""
    told = "import sys; print('cp{}{}'.format(*sys.version_info))"
    file = place.built(f"*-{place.run(place.python, '-c', told)}-*.whl", "*-none-any.whl")
    if file.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{file.name} has {file.stat().st_size:,} bytes, more than {MOST_BYTES:,}")
    return _pip(place, file)


def pipx(place: Place) -> str:
    """Try `pipx run --spec . patrizier`."""
    program, spec = place.tool("pipx"), place.clone()
    return place.play(program, "run", "--spec", spec, "patrizier")


def pipx_install(place: Place) -> str:
    """Try `pipx install .`, and the command that it leaves behind."""
    program = place.tool("pipx")
    place.run(program, "install", "--quiet", place.clone())
    commands = Path(place.run(program, "environment", "--value", "PIPX_BIN_DIR"))
    return place.play(commands / ("patrizier" + (".exe" if sys.platform == "win32" else "")))


def uvx(place: Place) -> str:
    """Try `uvx --from . patrizier`."""
    program, spec = place.tool("uv", "uvx"), place.clone()
    return place.play(program, "--python", place.python, "--from", spec, "patrizier")


WAYS: dict[str, Callable[[Place], str]] = {
    each.__name__.replace("_", "-"): each
    for each in (wheel, sdist, checkout, git, pipx, pipx_install, uvx)
}


def attempt(way: Callable[[Place], str], place: Place) -> str:
    """Try a way; return what it did, or why it was skipped."""
    try:
        return way(place)
    except Skipped as skipped:
        return f"skipped, {skipped}"


def own_python() -> str:
    """Return the Python that runs this, outside its environment."""
    program = "bin/python{}.{}".format(*sys.version_info)  # `python3` may be another one
    return str(Path(sys.base_prefix) / ("python.exe" if sys.platform == "win32" else program))


def find_pythons() -> list[str]:
    """Return the Pythons of this machine that the package supports."""
    found = []
    for version in PYTHONS:
        names = [shutil.which(f"python{version}")]
        names += map(str, Path("~/.pyenv/versions").expanduser().glob(f"{version}.*/bin/python"))
        real = [real for name in names if name and (real := _real(name, version))]
        found += real[:1]
    return found


def _real(python: str, version: str) -> str:
    """Return the interpreter behind a name, perhaps a version manager's shim; empty for others."""
    told = "import sys, venv; print('%d.%d' % sys.version_info[:2], sys.executable)"
    done = subprocess.run([python, "-c", told], capture_output=True, text=True, check=False)
    found, _, program = done.stdout.strip().partition(" ")
    return program if found == version else ""


def main() -> None:
    """Try the requested ways."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("ways", nargs="*", metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("--every-python", action="store_true", help="not only this one")
    given = parser.parse_args()
    if unknown := set(given.ways) - WAYS.keys():
        parser.error(f"no way: {', '.join(unknown)}")
    for python in find_pythons() if given.every_python else [own_python()]:
        for name in given.ways or WAYS:
            with ExitStack() as stack:
                folder = stack.enter_context(
                    tempfile.TemporaryDirectory(
                        prefix="patrizier-try-",
                        ignore_cleanup_errors=True,  # Windows keeps what a process still holds
                    )
                )
                place = Place(Path(folder), python)
                _lend_tools(place.folder / "tools")
                print(f"{name}, {python}: {attempt(WAYS[name], place)}", flush=True)


def _lend_tools(folder: Path) -> None:
    folder.mkdir()
    for name in _TOOLS if sys.platform != "win32" else ():
        if found := shutil.which(name):
            (folder / name).symlink_to(found)


if __name__ == "__main__":
    main()
