"""A child process at the other end of a pipe, started on demand, and again after it has died."""

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess


class Child:
    """A process that runs ``serve`` with its end of a pipe."""

    def __init__(self, serve: Callable[[Connection], None]) -> None:
        self._serve = serve
        self._process: SpawnProcess | None = None
        self.line: Connection | None = None  # None: not running

    @property
    def pid(self) -> int | None:
        """The process id, while it runs."""
        return self._process.pid if self._process is not None else None

    def start(self) -> bool:
        """Start the process; False if it is running already."""
        if self._process is not None and self._process.is_alive():
            return False
        self.kill()
        context = multiprocessing.get_context("spawn")
        self.line, theirs = context.Pipe()
        self._process = context.Process(target=self._serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()  # so that the pipe closes with the process
        return True

    def kill(self) -> None:
        """Kill the process."""
        process, line = self._process, self.line
        self._process = self.line = None
        if process is not None:
            process.kill()
            process.join()
            process.close()
        if line is not None:
            line.close()
