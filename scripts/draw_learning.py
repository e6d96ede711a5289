"""Draw how strong `zero` became over its games, from the lab notebook.

    python scripts/draw_learning.py

The notebook tells how often the same guest, a search by 48 random playouts per decision, still
won against the network while it learned. By Luce's choice rule, as in the sequential test, that is
a difference in Elo. The picture goes to ``docs/pictures/learning.svg``; the table, for
``docs/strength.md``, is printed.
"""

import math
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs" / "lab-notebook.md"
PICTURE = ROOT / "docs" / "pictures" / "learning.svg"
ROUND = {2: 1500, 4: 750}  # games with the guest behind a row, as the notebook tells
_COLUMNS = {2: 1, 4: 3}  # of the notebook's table
_INK, _PAPER, _RULE = "#2a2320", "#fbf5ea", "#dccbb0"
_COLOURS = {2: "#85590f", 4: "#2f6f8f"}
_WORDS = {2: "two players", 4: "four players"}
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 400, 64, 132, 28, 52
_MOST, _LEAST = 800, -500  # Elo
_FEWEST, _LARGEST = 80_000, 2_600_000  # games


class Row(NamedTuple):
    """A round of the run."""

    games: int
    guest: dict[int, float]  # its share of victories, by number of players


def read_rows(notebook: str) -> list[Row]:
    """Return the rows of the notebook's curve."""
    _, _, table = notebook.partition("| games | guest, two players")
    rows = []
    for line in table.partition("\n\n")[0].splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        shares = {n: float(cells[at].removesuffix(" %")) / 100 for n, at in _COLUMNS.items()}
        rows.append(Row(int(re.sub(r"\D", "", cells[0])), shares))
    return rows


def elo(guest: float, players: int) -> float:
    """Return the network's lead on its guest, who wins this share among so many players.

    >>> round(elo(0.25, 4)), round(elo(0.1, 2))
    (0, 382)
    """
    return 400 * math.log10((1 - guest) / (guest * (players - 1)))


def with_interval(guest: float, players: int) -> tuple[float, float, float]:
    """Return the lead and its 95 % interval."""
    spread = 1.96 * math.sqrt(guest * (1 - guest) / ROUND[players])
    ends = (elo(guest + spread, players), elo(guest - spread, players))
    return elo(guest, players), *ends


def table_of(rows: list[Row]) -> str:
    """Return the table of the document."""
    lines = ["| games | two players: the guest wins | lead in Elo | four players | lead in Elo |"]
    lines.append("|---|---|---|---|---|")
    for row in rows:
        cells = [f"{row.games:,}"]
        for players, guest in row.guest.items():
            lead, low, high = with_interval(guest, players)
            told = f"{100 * guest:.0f}" if guest > 0.1 else f"{100 * guest:.1f}"
            cells += [f"{told} %", f"{_signed(lead)} ({_signed(low)} to {_signed(high)})"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _signed(number: float) -> str:
    return f"{number:+.0f}".replace("-", "−").replace("+0", "0")


def _x(games: float) -> float:
    share = math.log(games / _FEWEST) / math.log(_LARGEST / _FEWEST)
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(lead: float) -> float:
    return _TOP + (_MOST - lead) / (_MOST - _LEAST) * (_HEIGHT - _TOP - _BOTTOM)


def picture_of(rows: list[Row]) -> str:
    """Return the picture."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" font-family="system-ui, sans-serif" font-size="14">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="8" fill="{_PAPER}"/>',
        f'<g fill="{_INK}">',
    ]
    for lead in range(-400, _MOST + 1, 200):
        y = _y(lead)
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="{_RULE}" stroke-width="{2 if lead == 0 else 1}"/>'
            f'<text x="{_LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{_signed(lead)}</text>'
        )
    for games in (100_000, 200_000, 500_000, 1_000_000, 2_000_000):
        words = f"{games // 1000:,},000" if games < 1_000_000 else f"{games // 10**6} million"
        parts.append(
            f'<text x="{_x(games):.1f}" y="{_HEIGHT - 28}" text-anchor="middle">{words}</text>'
        )
    parts.append(
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2:.1f}" y="{_HEIGHT - 8}" text-anchor="middle">'
        "games against itself</text>"
        f'<text x="12" y="18">Elo ahead of a search by 48 random playouts</text></g>'
    )
    parts += [_line(rows, players) for players in ROUND]
    return "\n".join([*parts, "</svg>", ""])


def _line(rows: list[Row], players: int) -> str:
    colour, points, bars = _COLOURS[players], [], []
    for row in rows:
        lead, low, high = with_interval(row.guest[players], players)
        x = _x(row.games)
        points.append(f"{x:.1f},{_y(lead):.1f}")
        bars.append(f"M{x:.1f} {_y(low):.1f}V{_y(high):.1f}")
    x, y = _WIDTH - _RIGHT + 8, _y(elo(rows[-1].guest[players], players)) + 5
    return (
        f'<path d="{"".join(bars)}" stroke="{colour}" stroke-width="5" stroke-opacity="0.35"/>'
        f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>'
        f'<text x="{x}" y="{y:.1f}" fill="{colour}">{_WORDS[players]}</text>'
    )


def main() -> None:
    """Draw, and print the table."""
    rows = read_rows(NOTEBOOK.read_text("utf-8"))
    PICTURE.write_text(picture_of(rows), "utf-8")
    print(table_of(rows))


if __name__ == "__main__":
    main()
