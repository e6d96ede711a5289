"""A server in its own process, on a free port and with a temporary database."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from pydantic_core import from_json

_START_WITHIN = 120.0  # seconds; the rules may have to be compiled first
_STOP_WITHIN = 30.0

# A thousand people from one address are expected here.
WIDE_LIMITS = {
    "PATRIZIER_CONNECTIONS_PER_ADDRESS": "100000",
    "PATRIZIER_MAX_CONNECTIONS": "100000",
    "PATRIZIER_OPEN_TABLES_PER_PERSON": "100000",
    "PATRIZIER_OPEN_TABLES_PER_ADDRESS": "100000",
    "PATRIZIER_RATE_PER_ADDRESS": "1000000",
    "PATRIZIER_RATE_PER_PERSON": "1000000",
    "PATRIZIER_RATE_FACTOR": "1000000",
}


class ServerFailed(Exception):
    """The server did not start."""


class ServerProcess:
    """A server that runs while the block lasts; it can be killed and restarted."""

    def __init__(
        self,
        folder: Path,
        database: str = "",
        settings: dict[str, str] | None = None,
        port: int = 0,
        through: Sequence[str] = (),
    ) -> None:
        self.folder = folder
        self.url = ""
        self._port = port
        self._through = through  # a command that wraps it
        self._database = database
        self._settings = {"PATRIZIER_LOG_LEVEL": "info", **WIDE_LIMITS, **(settings or {})}
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._killed: subprocess.Popen[bytes] | None = None
        self.errors: list[str] = []  # error lines of its log

    def __enter__(self) -> "ServerProcess":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, on the same port as before; return when it answers."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PATRIZIER_")}
        command = [*self._through, sys.executable, "-c"]
        command += ["from patrizier.cli.main import app; app()", "serve"]
        command += [
            "--data-dir",
            str(self.folder),
            "--host",
            "127.0.0.1",
            "--port",
            str(self._port),
        ]
        command += ["--database", self._database] if self._database else []
        self._process = subprocess.Popen(
            command,
            env=kept | self._settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C here does not reach it
        )
        ready = threading.Event()
        self._reader = threading.Thread(target=self._read_log, args=(self._process, ready))
        self._reader.start()
        ready.wait(_START_WITHIN)
        if self._process.poll() is not None or not self._answers():
            self.kill()
            raise ServerFailed(f"the server did not start: {' '.join(self.errors)[-2000:]}")

    def _answers(self) -> bool:
        """Wait until it accepts connections; False if it never does."""
        for _ in range(500):
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", self._port), 1).close()
                return True
            time.sleep(0.02)
        return False

    def stop(self) -> None:
        """Stop it, and wait until it has ended."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Kill it."""
        self._killed = self._process
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(_STOP_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert self._reader is not None
        self._reader.join(_STOP_WITHIN)

    def _read_log(self, process: "subprocess.Popen[bytes]", ready: threading.Event) -> None:
        """Read its log to the end, so that it never blocks on a full pipe."""
        assert process.stderr is not None
        with process.stderr as lines:
            for line in lines:
                try:
                    entry = from_json(line)
                except ValueError:
                    if self._killed is not process:  # else a worker that lost its parent
                        self.errors.append(line.decode("utf-8", "replace").strip())
                    continue
                if entry.get("event") == "listening":
                    self._port = int(entry["port"])
                    self.url = f"http://127.0.0.1:{self._port}"
                if entry.get("event") == "ready":
                    ready.set()
                if entry.get("level") in ("error", "critical"):
                    self.errors.append(line.decode("utf-8", "replace").strip())
        ready.set()  # it has ended: nobody needs to wait


def memory_of(pid: int) -> int | None:
    """Return the private memory of a process in bytes; None if unknown."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return None
    private = (line.split() for line in lines if line.startswith("Private_"))
    return 1024 * sum(int(words[1]) for words in private)


def processor_time_of(pid: int) -> float | None:
    """Return the processor time of a process in seconds; None if unknown."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
