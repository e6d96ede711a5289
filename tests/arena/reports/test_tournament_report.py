import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

from arena.made import made
from patrizier import Options
from patrizier.arena.extras import MissingExtra
from patrizier.arena.intervals import Estimate
from patrizier.arena.match import MatchResult
from patrizier.arena.reports import plots
from patrizier.arena.reports.tournament_report import duration, render_report
from patrizier.arena.schedule import Plan
from patrizier.arena.standings import standings
from patrizier.bots.guard import Incident

VOID = {"meta", "link", "br", "img"}


class Reader(HTMLParser):
    """Checks that tags open and close, and collects what the page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.text: list[str] = []
        self.count: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        self._attributes(attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._attributes(attrs)

    def _attributes(self, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.addresses.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    return reader


def results_of(plan: Plan, better: str) -> list[MatchResult]:
    rng = np.random.default_rng(1)
    results = []
    for number in range(plan.games):
        slot = plan.slot(number)
        points = [int(rng.integers(20, 40)) + 12 * (name == better) for name in slot.names]
        results.append(made(slot.deal, slot.names, points, start=plan.deal(slot.deal).start))
    return results


def report(names: list[str], players: int, better: str = "", deals: int = 12) -> str:
    plan = Plan(tuple(names), Options(players=players), deals, 1)
    tables = standings(plan.entrants, results_of(plan, better))
    return render_report(plan, tables, "patrizier arena …")


def test_a_report_of_two_players() -> None:
    html = report(["greedy", "mcts:100ms", "<b>"], 2, better="mcts:100ms", deals=30)
    page = read(html)
    text = " ".join(page.text)
    assert "mcts:100ms is ahead of" in text
    for heading in ("Standings", "Ratings", "Head to head", "Advantage of the place", "Points"):
        assert heading in text
    assert "Elo" in text
    assert page.count["svg"] == 4
    assert "<b>" in text  # a name is text, never markup


def test_a_report_of_four_players_shows_line_ups() -> None:
    text = " ".join(read(report(["A", "B"], 4, better="B")).text)
    assert "openskill" in text
    assert "Line-ups" in text
    assert "1 B · 3 A" in text
    assert "3 B · 1 A" in text


def test_nobody_is_called_better_without_proof() -> None:
    text = " ".join(read(report(["A", "B"], 2)).text)
    assert "too close to call" in text
    assert "is ahead of" not in text


def test_a_report_of_one_bot() -> None:
    page = read(report(["A"], 3))
    assert "A against itself" in " ".join(page.text)
    assert page.count["svg"] == 2


def test_incidents_are_shown() -> None:
    plan = Plan(("A", "B"), Options(players=2), 1)
    faulty = made(0, "AB", [40, 30], incidents=[Incident(1, 4, "illegal move", "…")])
    html = render_report(plan, standings("AB", [faulty]))
    assert "illegal move" in " ".join(read(html).text)


def test_nothing_comes_from_outside() -> None:
    html = report(["A", "B", "C"], 2)
    page = read(html)
    assert all(address.startswith("#") for address in page.addresses)
    assert not re.search(r"https?:|@import|url\((?!#)|<script|<link", html)


def test_ids_are_unique_and_known() -> None:
    html = report(["A", "B", "C"], 2)
    page = read(html)
    assert len(set(page.ids)) == len(page.ids) > 0
    referred = set(re.findall(r"url\(#([^)]*)\)", html)) | {a[1:] for a in page.addresses}
    assert referred <= set(page.ids)


def test_both_colour_schemes_are_served() -> None:
    html = report(["A", "B"], 2)
    assert "prefers-color-scheme: dark" in html
    drawings = "".join(re.findall(r"<svg.*?</svg>", html, re.DOTALL))
    assert "var(--accent)" in drawings
    assert not re.search(r"#[0-9a-f]{6}\b", drawings)  # every colour is the page's


def test_the_same_results_give_the_same_report() -> None:
    assert report(["A", "B"], 2) == report(["A", "B"], 2)


def test_an_interval_without_bounds_is_drawn_as_a_dot() -> None:
    bare = plots.dots([("x", [Estimate(1, -np.inf, np.inf)])])
    full = plots.dots([("x", [Estimate(1, 0, 2)])])
    assert "nan" not in bare.lower()
    assert bare.count("<path") < full.count("<path")


def test_labels_are_plain_text() -> None:
    svg = plots.ridges({"$x^2$ <i>": [1, 2, 3]})
    assert "$x^2$ &lt;i&gt;" in svg


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.00004, "0.0 ms"), (0.0012, "1.2 ms"), (0.0499, "50 ms"), (1.5, "1.50 s")],
)
def test_durations_are_readable(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize("library", ["matplotlib.figure", "jinja2"])
def test_a_missing_library_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=r"pip install patrizier\[arena\]"):
        report(["A", "B"], 2)
