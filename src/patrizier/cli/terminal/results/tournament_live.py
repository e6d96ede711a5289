"""Live output of a tournament."""

import time
from dataclasses import replace
from types import TracebackType
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from patrizier.arena.executors import Executor
from patrizier.arena.match import MatchResult, Observer
from patrizier.arena.record_file import record_file
from patrizier.arena.reports.tournament_report import duration
from patrizier.arena.schedule import Plan
from patrizier.arena.standings import Tally
from patrizier.cli.terminal.results.tournament_tables import new_table, number_text, share_text

_PAUSE = 0.5  # seconds between updates


class Keeper(Observer):
    """Keeps the results, even of an interrupted run."""

    def __init__(self) -> None:
        self.results: list[MatchResult] = []

    def on_end(self, result: MatchResult) -> None:
        """Keep a result without its record."""
        self.results.append(replace(result, record=""))


class RecordFile(Observer):
    """Writes every game's record to a file, if one is given."""

    def __init__(self, out: str) -> None:
        self.games = 0
        self._part = record_file(out)
        self._file: TextIO | None = None

    def __enter__(self) -> "RecordFile":
        self._file = self._part.__enter__()
        return self

    def on_end(self, result: MatchResult) -> None:
        """Write a record."""
        if self._file:
            self._file.write("\n" * (self.games > 0) + result.record)
            self.games += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._part.__exit__(kind, error, trace)


class Pace:
    """How fast games come in, and from where."""

    def __init__(self, executor: Executor | None) -> None:
        self._executor = executor
        self._games = 0
        self._begin: float | None = None

    def count(self, games: int = 1) -> None:
        """Count games; time runs from the first on, so that compiling does not count."""
        if self._begin is None:
            self._begin = time.monotonic()
        else:
            self._games += games

    def text(self) -> str:
        """Return games per second and, on a cluster, the nodes at work."""
        seconds = time.monotonic() - (self._begin or time.monotonic())
        words = f"{self._games / seconds:.3g} games a second" if seconds else ""
        nodes = self._executor.nodes() if self._executor else ()
        if any(node.speed for node in nodes):
            fastest = max(node.speed for node in nodes)
            words += f", {sum(node.workers for node in nodes)} workers on " + ", ".join(
                f"{node.name} ({node.workers}, speed {node.speed / fastest:.0%})" for node in nodes
            )
        return words


class LiveTable(Observer):
    """The current standings with a progress bar, on stderr; removed at the end."""

    def __init__(
        self,
        plan: Plan,
        executor: Executor | None = None,
        *,
        quiet: bool = False,
        console: Console | None = None,
    ) -> None:
        self.tally = Tally(plan.entrants)
        self.pace = Pace(executor)
        self.progress = Progress(
            TextColumn("playing"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        self.bar = self.progress.add_task("", total=plan.games)
        console = console or Console(stderr=True, highlight=False, quiet=quiet)
        self.live = Live(console=console, transient=True, auto_refresh=False)
        self.shown = 0.0

    def __enter__(self) -> "LiveTable":
        self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.live.stop()

    def on_end(self, result: MatchResult) -> None:
        """Count a game; refresh the table at most every half second."""
        self.tally.on_end(result)
        self.pace.count()
        self.progress.update(self.bar, completed=self.tally.games)
        now = time.monotonic()
        if self.live.console.is_terminal and now - self.shown > _PAUSE:
            self.live.update(Group(self._table(), self.progress, self.pace.text()), refresh=True)
            self.shown = now

    def _table(self) -> Table:
        table = new_table("", "bot", "seats", "victories", "points", "time per turn")
        for name in self.tally.names:
            wins = self.tally.wins[name]
            if wins.count:
                table.add_row(
                    name,
                    f"{wins.count:,}",
                    share_text(wins.share()),
                    number_text(self.tally.points[name].mean()),
                    duration(self.tally.seconds_a_turn(name)),
                )
        return table
