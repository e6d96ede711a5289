"""Plots as SVG text that inherits colours and fonts from its page."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np

from patrizier.arena import extras
from patrizier.arena.intervals import Estimate

# Placeholders, replaced by the page's CSS variables.
_COLOURS = {
    "#010101": "var(--ink)",
    "#020202": "var(--quiet)",
    "#030303": "var(--line)",
    "#040404": "var(--accent)",
    "#050505": "var(--cool)",
}
INK, QUIET, LINE, ACCENT, COOL = _COLOURS
_SERIES = (ACCENT, COOL, QUIET)

WIDE = 8.6  # inches: the whole page
HALF = 4.15
_ROW = 0.34

Format = Callable[[float], str]
Rows = Sequence[tuple[str, Sequence[Estimate | None]]]


def percent(value: float) -> str:
    """Return a share as text."""
    return f"{value:.0%}"


def dots(
    rows: Rows,
    *,
    reference: float | None = None,
    series: Sequence[str] = (),
    text: Format = percent,
    width: float = WIDE,
    axis: str = "",
) -> str:
    """Draw estimates with their intervals: one row per line, one dot per series."""
    height = 0.75 + _ROW * len(rows) * (1 if len(series) < 2 else 1.25) + 0.3 * (len(series) > 1)
    figure, axes = _axes(width, height)
    many = max((len(figures) for _, figures in rows), default=1)
    if reference is not None:
        axes.axvline(reference, color=LINE, linewidth=1.2, zorder=1)
    for y, (_, figures) in enumerate(rows):
        for n, estimate in enumerate(figures):
            if estimate is None:
                continue
            at = y + (n - (many - 1) / 2) * 0.24
            colour = _SERIES[n]
            if np.isfinite([estimate.low, estimate.high]).all():
                span = [estimate.low, estimate.high]
                axes.plot(span, [at, at], color=colour, linewidth=2, alpha=0.55, zorder=2)
            axes.plot([estimate.value], [at], "o", color=colour, markersize=6, zorder=3)
    axes.set_yticks(range(len(rows)), [_plain(label) for label, _ in rows])
    axes.set_ylim(len(rows) - 0.45, -0.55)
    steps = [1, 2, 5, 10]
    axes.xaxis.set_major_locator(extras.load("matplotlib.ticker").MaxNLocator(6, steps=steps))
    axes.xaxis.set_major_formatter(lambda value, _: text(value))
    axes.grid(axis="x", color=LINE, linewidth=0.6, alpha=0.6)
    _bare(axes, axis)
    if len(series) > 1:
        for n, name in enumerate(series):
            axes.plot([], [], "o", color=_SERIES[n], markersize=6, label=name)
        _legend(axes, len(series))
    return _svg(figure)


def grid(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], tuple[float, str]],
    *,
    middle: float,
    reach: float,
    width: float = HALF,
    row_height: float = 0.42,
    wrap: bool = False,
) -> str:
    """Draw a heat map of cells (value, text): ochre above the middle, blue below."""
    figure, axes = _axes(width, 0.5 + row_height * len(rows))
    patches = extras.load("matplotlib.patches")
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            if (row, column) not in cells:
                continue
            value, label = cells[row, column]
            strength = min(1.0, abs(value - middle) / reach) if reach else 0.0
            box = patches.FancyBboxPatch(
                (x - 0.46, y - 0.44),
                0.92,
                0.88,
                boxstyle="round,pad=0,rounding_size=0.06",
                facecolor=ACCENT if value >= middle else COOL,
                alpha=0.08 + 0.5 * strength,
                linewidth=0,
            )
            axes.add_patch(box)
            axes.text(x, y, label, ha="center", va="center", color=INK, fontsize=9)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), [_plain(row) for row in rows])
    axes.set_xticks(
        range(len(columns)), [_plain(c.replace(":", ":\n") if wrap else c) for c in columns]
    )
    axes.xaxis.tick_top()
    _bare(axes, "")
    return _svg(figure)


def ridges(series: Mapping[str, Sequence[float]], *, width: float = WIDE, axis: str = "") -> str:
    """Draw a ridgeline plot: one density per series, with its median."""
    figure, axes = _axes(width, 0.75 + 0.62 * len(series))
    values = [np.asarray(each, float) for each in series.values()]
    low, high = min(v.min() for v in values), max(v.max() for v in values)
    pad = 0.06 * (high - low) + 1
    x = np.linspace(low - pad, high + pad, 161)
    hills = [_density(v, x) for v in values]
    top = max(hill.max() for hill in hills)
    for y, (each, hill) in enumerate(zip(values, hills, strict=True)):
        outline = y + 0.4 - 0.85 * hill / top
        axes.fill_between(x, y + 0.4, outline, color=ACCENT, alpha=0.22, linewidth=0, zorder=y)
        axes.plot(x, outline, color=ACCENT, linewidth=1.4, zorder=y)
        middle = float(np.median(each))
        peak = y + 0.4 - 0.85 * float(np.interp(middle, x, hill)) / top
        axes.plot([middle, middle], [y + 0.4, peak], color=INK, linewidth=1.2, zorder=y)
        axes.annotate(
            f"{middle:g}",
            (middle, y + 0.4),
            xytext=(4, 3),
            textcoords="offset points",
            color=INK,
            fontsize=8.5,
        )
    axes.set_yticks([y + 0.25 for y in range(len(values))], [_plain(label) for label in series])
    axes.set_ylim(len(values) - 0.5, -0.6)
    axes.set_xlim(x[0], x[-1])
    axes.grid(axis="x", color=LINE, linewidth=0.6, alpha=0.6)
    _bare(axes, axis)
    return _svg(figure)


def curves(
    series: Mapping[str, Sequence[float]],
    marks: Sequence[tuple[float, float]],
    *,
    width: float = WIDE,
    axis: str = "",
) -> str:
    """Draw one line per series over 0, 1, 2, …, with rings at some points."""
    figure, axes = _axes(width, 3.4)
    styles = ((colour, line) for line in ("-", "--", ":", "-.") for colour in (ACCENT, COOL, QUIET))
    for (name, values), (colour, style) in zip(series.items(), cycle(styles), strict=False):
        axes.plot(values, color=colour, linestyle=style, linewidth=1.6, label=_plain(name))
    if marks:
        x, y = zip(*marks, strict=True)
        axes.plot(x, y, "o", markerfacecolor="none", markeredgecolor=INK, markersize=7)
    axes.yaxis.set_major_formatter(lambda value, _: percent(value).replace("-", "−"))
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y", color=LINE, linewidth=0.8)
    _bare(axes, axis)
    _legend(axes, len(series))
    return _svg(figure)


def _plain(label: str) -> str:
    """Escape dollars, which would start a formula."""
    return label.replace("$", r"\$")


def _density(values: Any, x: Any) -> Any:
    """Return a kernel density estimate (Gaussian)."""
    wide = max(1.0, 1.06 * float(values.std()) * len(values) ** -0.2)
    levels, counts = np.unique(values, return_counts=True)
    bells = np.exp(-0.5 * ((x[:, None] - levels) / wide) ** 2) * counts
    return bells.sum(axis=1) / (len(values) * wide)


def _axes(width: float, height: float) -> tuple[Any, Any]:
    figure = extras.load("matplotlib.figure").Figure((width, height), layout="constrained")
    figure.patch.set_alpha(0)
    axes = figure.subplots()
    axes.patch.set_alpha(0)
    axes.set_axisbelow(True)
    return figure, axes


def _bare(axes: Any, label: str) -> None:
    """Remove ticks and spines."""
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=9.5, colors=INK, pad=6)
    for tick in axes.get_xticklabels():
        tick.set_color(QUIET)
    axes.tick_params(axis="x", labelcolor=QUIET, labelsize=9)
    if label:
        axes.set_xlabel(label, color=QUIET, fontsize=9)


def _legend(axes: Any, count: int) -> None:
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=count,
        frameon=False,
        fontsize=9,
        labelcolor=INK,
        handletextpad=0.2,
        borderpad=0,
        columnspacing=1.4,
    )


def _svg(figure: Any) -> str:
    out = io.StringIO()
    matplotlib = extras.load("matplotlib")
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "patrizier"}):
        figure.savefig(out, format="svg", transparent=True)
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(
        r"<svg[^>]*viewBox=\"([^\"]*)\"[^>]*>", r'<svg viewBox="\1" role="img">', svg, count=1
    )
    svg = re.sub(r"(font: [^;\"]*?px) [^;\"]*", r"\1 var(--sans)", svg)
    for stand_in, colour in _COLOURS.items():
        svg = svg.replace(stand_in, colour)
    return svg.replace("xlink:href", "href")


def with_own_ids(svg: str, prefix: str) -> str:
    """Prefix all ids, so that several drawings can share a page."""
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r"url\(#", f"url(#{prefix}-", svg)
    return re.sub(r'href="#', f'href="#{prefix}-', svg)
