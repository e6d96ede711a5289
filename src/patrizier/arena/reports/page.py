"""A report page: headings, tables and drawings, in one self-contained file."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import resources

from patrizier.arena import extras
from patrizier.arena.intervals import Estimate
from patrizier.arena.reports.plots import with_own_ids

INTERVALS_NOTE = (
    "Intervals are 95% confidence intervals. Games of one deal count as one observation: "
    "cluster-robust, with Wilson's interval for shares."
)


@dataclass(frozen=True)
class Bar:
    """An interval drawn inside a table cell; all numbers are percentages of its width."""

    value: float
    low: float
    width: float
    mark: float | None = None  # position of the reference line


@dataclass(frozen=True)
class Cell:
    """One cell of a table."""

    text: str
    small: str = ""
    bar: Bar | None = None
    wraps: bool = False  # holds sentences


@dataclass(frozen=True)
class Section:
    """A heading with optional text, drawing and table."""

    title: str
    text: str = ""
    svg: str = ""
    head: Sequence[str] = ()
    rows: Sequence[Sequence[Cell]] = ()
    left: int = 1  # left-aligned columns


@dataclass(frozen=True)
class Page:
    """A whole report."""

    kind: str
    title: str
    about: str
    facts: Sequence[tuple[str, str]] = ()
    groups: Sequence[Sequence[Section]] = ()  # sections of one group stand side by side
    notes: Sequence[str] = ()
    command: str = ""

    def render(self) -> str:
        """Return the page as HTML."""
        environment = extras.load("jinja2").Environment(autoescape=True)
        text = resources.files(__package__).joinpath("report.html.j2").read_text("utf-8")
        groups, number = [], 0
        for group in self.groups:
            sections = []
            for section in group:
                number += 1
                sections.append(replace(section, svg=with_own_ids(section.svg, f"p{number}")))
            groups.append(sections)
        html: str = environment.from_string(text).render(page=replace(self, groups=groups))
        return html + "\n"


def share_cell(estimate: Estimate, mark: float | None = None, full: float = 1.0) -> Cell:
    """Return a share and its interval, with a bar on a scale from 0 to ``full``."""
    low, high = estimate.low * 100, estimate.high * 100
    bar = Bar(
        round(estimate.value * 100 / full, 1),
        round(low / full, 1),
        round((min(high, 100 * full) - low) / full, 1),
        None if mark is None else round(mark * 100 / full, 1),
    )
    return Cell(f"{estimate.value:.1%}", f"{low:.1f}–{high:.1f}", bar)


def full_scale(estimates: Iterable[Estimate], fair: float) -> float:
    """Return the upper end of a scale that fits these shares and the fair share."""
    return min(1.0, max(2 * fair, *(1.05 * estimate.value for estimate in estimates)))


def number_cell(estimate: Estimate, digits: int = 1) -> Cell:
    """Return a mean with half the width of its interval."""
    return Cell(f"{estimate.value:.{digits}f}".replace("-", "−"), plus_minus(estimate, digits))


def plus_minus(estimate: Estimate, digits: int = 1) -> str:
    """Return half the width of an interval, as text."""
    reach = (estimate.high - estimate.low) / 2
    return f"± {reach:.{digits}f}" if math.isfinite(reach) else ""
