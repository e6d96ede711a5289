"""Runs an image as a container engine does with `--read-only --tmpfs /tmp --volume …:/data`.

Mounts and processes of its own, its user's rights and nothing to write to but its volume; only
the network is this machine's.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

_READY_WITHIN = 300.0  # seconds

# What an engine does before it starts the program. $1: the root, $2: the volume, $3: user:group.
_ENTER = """
set -e
mount --bind "$1" "$1"
mount --bind "$2" "$1/data"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -o remount,bind,ro "$1"
cd "$1"
root=$1 user=$3
shift 3
exec chroot --userspec="$user" "$root" "$@"
"""


class Image:
    """A built image: its files and its configuration."""

    def __init__(self, root: Path, config: dict[str, Any], size: int) -> None:
        self.root = root
        self.config = config
        self.size = size  # bytes

    def command(self, volume: Path, *words: str, **settings: str) -> list[str]:
        """Return the command that runs these words in a container."""
        environment = [
            *self.config["Env"],
            *(f"{name}={value}" for name, value in settings.items()),
        ]
        enter = ["unshare", "--mount", "--pid", "--fork", "sh", "-c", _ENTER, "sh"]
        enter += [str(self.root), str(volume), self.config["User"]]
        return [*enter, "env", "-i", *environment, *words]


@contextmanager
def opened(program: list[str], tag: str) -> Iterator[Image]:
    """Open an image of buildah's."""

    def ask(*words: str) -> str:
        command = [*program, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    container = ask("from", tag)
    try:
        root = Path(ask("mount", container))
        config = json.loads(ask("inspect", "--type", "image", tag))["Docker"]["config"]
        size = _size(root)
        yield Image(root, config, size)
    finally:
        ask("rm", container)


def _size(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    done = subprocess.run(["du", "-sb", folder], check=True, capture_output=True, text=True)
    return int(done.stdout.split()[0])


class Container:
    """A running container; it can be killed and started again."""

    def __init__(self, image: Image, volume: Path, port: int) -> None:
        self.image = image
        self.url = f"http://127.0.0.1:{port}"
        self._volume = volume
        self._settings = {"PATRIZIER_PORT": str(port), "PATRIZIER_HOST": "127.0.0.1"}
        self._process: subprocess.Popen[bytes] | None = None
        owner, group = image.config["User"].split(":")
        volume.mkdir(mode=0o700, exist_ok=True)
        os.chown(volume, int(owner), int(group))

    def __enter__(self) -> "Container":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()

    def start(self) -> None:
        """Start it; return when it is ready."""
        config = self.image.config
        words = [*config["Entrypoint"], *config["Cmd"]]
        log = (self._volume.parent / "log").open("ab")
        with log:
            self._process = subprocess.Popen(
                self.image.command(self._volume, *words, **self._settings),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + _READY_WITHIN
        while not self._is_ready():
            assert self._process.poll() is None, self.log
            assert time.monotonic() < until, self.log
            time.sleep(0.2)

    def kill(self) -> None:
        """Kill it and everything in it, at once."""
        process, self._process = self._process, None
        if process is None:
            return
        # The first process of its own numbering: with it go all others.
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        for child in children.read_text("ascii").split() if children.exists() else ():
            os.kill(int(child), signal.SIGKILL)
        process.kill()
        process.wait()

    @property
    def log(self) -> str:
        """What it has written."""
        return (self._volume.parent / "log").read_text("utf-8")

    @property
    def is_healthy(self) -> bool:
        """What the image's own health check says."""
        kind, *words = self.image.config["Healthcheck"]["Test"]
        assert kind == "CMD"
        command = self.image.command(self._volume, *words, **self._settings)
        return subprocess.run(command, capture_output=True).returncode == 0

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run something else in a container like this one."""
        command = self.image.command(self._volume, *words, **self._settings)
        return subprocess.run(command, capture_output=True, text=True)

    def _is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/readyz", trust_env=False).is_success
        except httpx.HTTPError:
            return False


def what_is_missing() -> str:
    """Return which programs for building and running images are missing."""
    needed = [name for name in ("buildah", "mmdebstrap", "unshare") if not shutil.which(name)]
    if not needed and os.geteuid() != 0:
        needed = ["the rights to mount"]
    return ", ".join(needed)
