"""A picture of a finished game to share: its skyline, who won, and everybody's points.

As large as link previews show pictures (1200 by 630 pixels), from the same drawings as the page.
"""

from collections.abc import Sequence
from html import escape

from patrizier.art import placed
from patrizier.final_count import FinishedCity, FinishedTower

from .fonts import font_files

WIDTH, HEIGHT = 1200, 630
_MARGIN = 48
_GROUND = 512  # where the towers stand
_TOP = 150  # they are no higher than this
_FLOOR = 72.0  # width of a floor's drawing
_LONGEST = 44  # letters of a title at full size
_LETTER = 0.46  # width of a letter, by the size of its font
_NAME, _LEAST_NAME = 26.0, 18.0  # sizes of a name below the towers
_INK, _SOFT, _GOLD, _PAPER = "#2a2320", "#675a49", "#b3812b", "#f4eadb"


def ending_svg(
    cities: Sequence[FinishedCity],
    colours: Sequence[str],  # by seat
    title: str,
    points: Sequence[tuple[str, str, int]],  # colour, name and points, the winner first
    name: str,  # of the game
) -> str:
    """Return the picture as SVG."""
    size = min(62.0, 62.0 * _LONGEST / max(1, len(title)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}">'
        f'<path fill="{_PAPER}" d="M0 0H{WIDTH}V{HEIGHT}H0z"/>'
        f'<path fill="none" stroke="{_GOLD}" stroke-width="3" '
        f'd="M16 16H{WIDTH - 16}V{HEIGHT - 16}H16z"/>'
        f"{_text(title, _MARGIN, 96, size, weight=500)}"
        f"{_text(name, WIDTH - _MARGIN, 62, 24, anchor='end', fill=_SOFT)}"
        f'<path stroke="{_GOLD}" stroke-width="3" d="M{_MARGIN} {_GROUND}H{WIDTH - _MARGIN}"/>'
        f"{''.join(_towers(cities, colours))}{''.join(_legend(points))}</svg>"
    )


def to_png(svg: str) -> bytes:
    """Return a picture as PNG; raises `FontsMissing`."""
    from resvg_py import svg_to_bytes

    with font_files() as fonts:
        paths = [str(path) for path in fonts.values()]
        return bytes(svg_to_bytes(svg_string=svg, font_files=paths))


def _towers(cities: Sequence[FinishedCity], colours: Sequence[str]) -> list[str]:
    each = (WIDTH - 2 * _MARGIN) / len(cities)
    wide = min(50.0, each * 0.44)
    tallest = max(len(tower.floors) for city in cities for tower in (city.left, city.right))
    high = min(56.0, (_GROUND - _TOP - 40) / (tallest + 1))
    parts = []
    for number, city in enumerate(cities):
        middle = _MARGIN + (number + 0.5) * each
        parts += _tower(city.left, colours, middle - wide - 1, wide, high)
        parts += _tower(city.right, colours, middle + 1, wide, high)
        parts.append(_text(city.code, middle, _GROUND + 26, 20, anchor="middle", fill=_SOFT))
    return parts


def _tower(
    tower: FinishedTower, colours: Sequence[str], x: float, wide: float, high: float
) -> list[str]:
    drawn = high * 1.2  # a floor's drawing reaches into the one above
    parts = [
        placed(
            f"floors/{colours[seat]}", x, _GROUND - (level + 1) * high - drawn + high, wide, drawn
        )
        for level, seat in enumerate(tower.floors)
    ]
    top = _GROUND - len(tower.floors) * high
    roof = wide * 20 / _FLOOR * 1.25
    parts.append(placed(f"roofs/{colours[tower.floors[-1]]}", x, top - roof * 0.92, wide, roof))
    return parts


def _legend(points: Sequence[tuple[str, str, int]]) -> list[str]:
    each = (WIDTH - 2 * _MARGIN) / len(points)
    parts = []
    for number, (colour, name, sum_) in enumerate(points):
        x = _MARGIN + number * each
        room = each - 118  # beside the colour and the points
        size = max(_LEAST_NAME, min(_NAME, room / _LETTER / len(name)))
        shown = _shortened(name, int(room / _LETTER / size + 0.01))
        parts += [
            placed(f"floors/{colour}", x, 571, 40, 22),
            _text(shown, x + 50, 590, size),
            _text(str(sum_), x + each - 20, 592, 34, weight=700, anchor="end"),
        ]
    return parts


def _shortened(name: str, most: int) -> str:
    """Return a name of at most so many letters."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def _text(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    weight: int = 500,
    anchor: str = "start",
    fill: str = _INK,
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="EB Garamond" font-size="{size:.1f}" '
        f'font-weight="{weight}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'
    )
