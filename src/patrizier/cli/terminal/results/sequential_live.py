"""Live output of a sequential test."""

import time

from rich.console import Console
from rich.live import Live
from rich.text import Text

from patrizier.arena.executors import Executor
from patrizier.arena.sequential import SequentialTest, Verdict
from patrizier.cli.terminal.results.tournament_live import Pace
from patrizier.cli.terminal.results.tournament_tables import share_text

_PAUSE = 0.5  # seconds between updates
_WIDTH = 40  # of the gauge


def report_text(test: SequentialTest) -> str:
    """Return the state or result of a test, in two lines."""
    lower, upper = test.hypotheses.bounds
    asked = test.hypotheses
    deals = "1 deal" if test.deals == 1 else f"{test.deals:,} deals"
    figures = f"LLR {test.ratio:+.2f} ({lower:.2f} to {upper:.2f}), {deals}"
    if test.deals:
        fair = 1 / test.players
        share = Text.from_markup(share_text(test.share())).plain  # here it stands in a sentence
        figures += f", {' '.join(share.split())} of the victories (fair share {fair:.0%})"
    match test.verdict:
        case Verdict.STRONGER:
            words = f"Stronger: by {asked.elo1:g} Elo points rather than {asked.elo0:g}."
        case Verdict.NOT_STRONGER:
            words = f"Not stronger: by {asked.elo0:g} Elo points rather than {asked.elo1:g}."
        case None:
            words = "Undecided."
    return f"{words}\n{figures}"


def gauge(test: SequentialTest) -> str:
    """Return where the log-likelihood ratio lies between its bounds."""
    lower, upper = test.hypotheses.bounds
    place = round((test.ratio - lower) / (upper - lower) * _WIDTH)
    place = min(max(place, 0), _WIDTH)
    return f"not stronger {'─' * place}●{'─' * (_WIDTH - place)} stronger"


class LiveTest:
    """The test while it runs, on stderr; removed at the end."""

    def __init__(
        self,
        test: SequentialTest,
        executor: Executor | None = None,
        *,
        quiet: bool = False,
        console: Console | None = None,
    ) -> None:
        self._test = test
        self._pace = Pace(executor)
        console = console or Console(stderr=True, highlight=False, quiet=quiet)
        self._live = Live(console=console, transient=True, auto_refresh=False)
        self._shown = 0.0

    def __enter__(self) -> "LiveTest":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self) -> None:
        """Refresh the display, at most every half second."""
        self._pace.count(self._test.players)
        now = time.monotonic()
        if self._live.console.is_terminal and now - self._shown > _PAUSE:
            lines = gauge(self._test), report_text(self._test).splitlines()[1], self._pace.text()
            text = Text("\n".join(lines))
            self._live.update(text, refresh=True)
            self._shown = now
