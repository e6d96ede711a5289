"""A small map of the cities and their neighbours."""

from patrizier.art import shape
from patrizier.printing.drawing import SOFT, Drawing, Style
from patrizier.printing.paper import Place, Point
from patrizier.printing.texts import Texts
from patrizier.rules.board import CITIES, EDGES

# Column and row of each city, as on the board.
GRID = {
    "MI": (0, 0), "PA": (1, 0), "VE": (2, 0),
    "LU": (0, 1), "FE": (2, 1),
    "SI": (0, 2), "BO": (2, 2),
    "RO": (0, 3), "PI": (1, 3), "FI": (2, 3),
}  # fmt: skip

_STONE, _EDGE = "#e6d8bf", "#a8977a"
_NAME = Style("serif", 8)
_NOTE = Style("sans", 6.5, 2.8, SOFT)
_CREST = 5.6


def draw_map(drawing: Drawing, words: Texts, place: Place) -> None:
    """Draw cities and roads, with a messenger on one of them."""
    note = f"{words['messengers.neighbours']} {words['messengers.pistoia']}"
    below = drawing.height_of(note, _NOTE, place.width)
    step = (place.height - below - 3 - _CREST * 1.2 - 3) / 3
    at: dict[str, Point] = {
        city: (place.x + 6 + column * (place.width - 12) / 2, place.y + _CREST * 0.6 + row * step)
        for city, (column, row) in GRID.items()
    }
    for width, colour in ((1.5, _EDGE), (1.1, _STONE)):
        for edge in EDGES:
            start, end = edge.split("-")
            drawing.line(at[start], at[end], colour, width)
    long = 13.0
    x, y = (at["LU"][0] + at["FE"][0]) / 2, at["LU"][1]
    drawing.art("messenger", x - long / 2, y - long * shape("messenger") / 2, long)
    for city in CITIES:
        x, y = at[city.code]
        drawing.art(f"crests/{city.code}", x - _CREST / 2, y - _CREST * 0.6, _CREST)
        _named(drawing, (x, y + _CREST * 0.6 + 1.4), city.name)
    drawing.flow(place.x, place.bottom - below, place.width, note, _NOTE)


def _named(drawing: Drawing, middle: Point, name: str) -> None:
    """Write a name on a white background, so that no road runs through it."""
    wide = drawing.width_of(name, _NAME) + 0.8
    drawing.rect(Place(middle[0] - wide / 2, middle[1] - 1.3, wide, 2.7), fill="#ffffff")
    drawing.text(*middle, name, _NAME, "middle")
