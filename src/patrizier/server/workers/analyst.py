"""A process that analyses games step by step, so that it can be paused and stopped."""

import base64
import gzip
import json
import os
import signal
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import NamedTuple

from patrizier.analysis.analyser import analyse
from patrizier.ptr import read_games

from .child import Child

STEP = 600.0  # seconds for one step: the first one compiles, at the lowest priority
_NICE = 19  # bots have priority
_MOST_BYTES = 4_000_000


class Step(NamedTuple):
    """An analysis so far."""

    judged: int  # turns
    done: bool
    body: bytes  # JSON


class Analyst:
    """One process, started on demand, and again after it has died."""

    def __init__(self, *, step: float = STEP) -> None:
        self._step = step
        self._child = Child(_serve)

    @property
    def pid(self) -> int | None:
        """The process id, while it runs."""
        return self._child.pid

    def begin(self, record: str, *, deep: bool) -> None:
        """Begin a game."""
        self._child.start()
        assert self._child.line is not None
        self._child.line.send((record, deep))

    def step(self) -> Step:
        """Return the next step; OSError or EOFError if the process fails, which is then killed."""
        line = self._child.line  # somebody may kill the process meanwhile
        try:
            if line is None:
                raise EOFError
            line.send(None)
            if not line.poll(self._step):
                raise TimeoutError
            head = line.recv_bytes(_MOST_BYTES)
        except (OSError, EOFError):
            self.kill()
            raise
        except (TypeError, ValueError):  # the pipe was closed while it was read
            self.kill()
            raise EOFError from None
        judged, done, body = head.split(b" ", 2)
        return Step(int(judged), done == b"1", body)

    def kill(self) -> None:
        """Kill the process."""
        self._child.kill()


def packed(body: bytes) -> str:
    """Return JSON in the form the store keeps."""
    return base64.b64encode(gzip.compress(body, mtime=0)).decode("ascii")


def unpacked(text: str) -> bytes:
    """Return the JSON given to `packed`."""
    return gzip.decompress(base64.b64decode(text))


def _serve(line: Connection) -> None:
    """Analyse until the pipe is closed: the main loop of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    steps: Iterator[bytes] = iter(())
    while True:
        try:
            message = line.recv()
            if message is None:
                line.send_bytes(next(steps))
            else:
                steps = _steps(*message)
        except (EOFError, OSError, StopIteration):
            return


def _steps(record: str, deep: bool) -> Iterator[bytes]:
    (game,) = read_games(record)
    for analysis in analyse(game, deep=deep):
        body = json.dumps(analysis.to_json(), separators=(",", ":")).encode()
        yield b"%d %d %s" % (analysis.judged, analysis.complete, body)
