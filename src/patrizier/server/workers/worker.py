"""A worker process: both ends of its pipe."""

import os
import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Lock

from .child import Child
from .question import Question
from .seat_bots import SeatBots

STARTING = 120.0  # extra seconds for the first answer: it may have to compile
_NICE = 10  # requests have priority over bots


class Worker:
    """One process, started on demand, and again after it has died."""

    def __init__(self) -> None:
        self._child = Child(_serve)
        self._is_new = True  # no question yet
        self._is_over = False
        self._lock = Lock()  # a cancelled caller leaves its question running

    @property
    def pid(self) -> int | None:
        """The process id, while it runs."""
        return self._child.pid

    def start(self) -> None:
        """Start the process if it is not running."""
        if self._child.start():
            self._is_new = True

    def ask(self, question: Question, limit: float) -> str:
        """Return the text of a move, or ``!`` and the error.

        Raises OSError (including TimeoutError) or EOFError; the process is then killed.
        """
        with self._lock:
            if self._is_over:
                raise EOFError
            self.start()
            if self._is_over:  # interrupted while it started
                self.kill()
                raise EOFError
            line = self._child.line
            assert line is not None
            patience = limit + (STARTING if self._is_new else 0.0)
            try:
                line.send((question, patience))
                if not line.poll(patience):
                    raise TimeoutError
                answer = line.recv_bytes(question.longest).decode("ascii", "replace")
            except (OSError, EOFError):
                self.kill()
                raise
            self._is_new = False
            return answer

    def interrupt(self) -> None:
        """Terminate the process for good: a waiting `ask`, and every later one, raises EOFError."""
        self._is_over = True
        if (pid := self._child.pid) is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)

    def kill(self) -> None:
        """Kill the process."""
        self._child.kill()


def _serve(line: Connection) -> None:
    """Answer questions until the pipe is closed: the main loop of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C and stops its workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    bots = SeatBots()
    while True:
        try:
            question, patience = line.recv()
            _set_alarm(2 * patience)  # in case the server is gone by then
            line.send_bytes(bots.think(question).encode()[: question.longest])
            _set_alarm(0)
        except (EOFError, OSError):
            return


def _set_alarm(seconds: float) -> None:
    """Let the system kill this process after that time, even in compiled code."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
