"""The sheet of the messengers: six of them, 24 chips of 2 points, one of minus 3, their rules."""

from dataclasses import dataclass

from patrizier.art import shape
from patrizier.printing.drawing import GILT, GOLD, GROUND, INK, WINE, Drawing, Style
from patrizier.printing.frame import (
    FOOT,
    HEAD,
    draw_bar,
    draw_edges,
    draw_head,
    draw_making,
    draw_steps,
)
from patrizier.printing.neighbours import draw_map
from patrizier.printing.paper import BLEED, CONTENT, Paper, Place, offset, pointed
from patrizier.printing.texts import Texts, numbered

MESSENGER = (50.0, 22.0)
CHIP = 20.0

_PITCH = 27.0  # distance between chips
_SIDE = 5  # chips per row, and rows
_GAP = 4.0  # distance between messengers
_TICK = 3.0
_CUT = 0.15
_RULES_TOP = 21.0
_RULE = Style("sans", 8.4, 3.9)
_ON_WINE = {"gold-art": GILT, "ground-art": WINE}


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the pieces lie on the front of the sheet."""

    messengers: tuple[Place, ...]
    chips: tuple[Place, ...]  # of 2 points
    minus: Place  # of minus 3 points
    bar: Place
    making: Place
    neighbours: Place
    rules: Place  # on the back, above the pieces


def layout(paper: Paper) -> Layout:
    """Return the layout: chips around the one of minus 3, messengers beside them."""
    width, height = MESSENGER
    high = 6 * height + 5 * _GAP
    top = paper.height - FOOT - 6 - high
    x = paper.right - width
    messengers = tuple(Place(x, top + i * (height + _GAP), width, height) for i in range(6))
    chips = [
        Place(paper.left + column * _PITCH, top + row * _PITCH, CHIP, CHIP)
        for row in range(_SIDE)
        for column in range(_SIDE)
    ]
    minus = chips.pop(len(chips) // 2)
    bar = Place(paper.left, top + (_SIDE - 1) * _PITCH + CHIP + 9, 50.0, 2.4)
    room = top - _TICK - HEAD - 10
    making = Place(paper.left, HEAD + 5, CONTENT - 58, room)
    neighbours = Place(paper.right - 50, HEAD + 5, 50, min(room, 60))
    rules = Place(paper.left, _RULES_TOP, CONTENT, top - BLEED - 3 - _RULES_TOP)
    return Layout(messengers, tuple(chips), minus, bar, making, neighbours, rules)


def draw(drawing: Drawing, words: Texts) -> None:
    """Draw the front and the back of the sheet, on two pages."""
    places = layout(drawing.paper)
    drawing.page()
    draw_head(drawing, words["messengers.title"], words["messengers.contents"])
    draw_making(drawing, words, "messengers", places.making, columns=2)
    draw_map(drawing, words, places.neighbours)
    draw_bar(drawing, words, places.bar.x, places.bar.y, 110)
    draw_edges(drawing, words, back=False)
    _ticks(drawing, places)
    for place in places.messengers:
        _messenger(drawing, place)
    for place in places.chips:
        _chip(drawing, place, "chip")
    _chip(drawing, places.minus, "chip-minus")

    drawing.page()
    draw_edges(drawing, words, back=True)
    rules = numbered(words, "messengers.rule")
    draw_steps(drawing, words["messengers.rules"], rules, places.rules, columns=2, style=_RULE)
    for place in places.messengers:
        _messenger_back(drawing, place.mirrored(drawing.paper))
    for place in (*places.chips, places.minus):
        _chip_back(drawing, place.mirrored(drawing.paper))


def _ticks(drawing: Drawing, places: Layout) -> None:
    """Mark the straight cuts that separate the pieces."""
    first, last = places.chips[0], places.chips[-1]
    half = (_PITCH - CHIP) / 2
    left, top, right, bottom = first.x, first.y, last.right, last.bottom
    for i in range(_SIDE + 1):
        x, y = left - half + i * _PITCH, top - half + i * _PITCH
        for start in (top - half - _TICK, bottom + half):
            drawing.line((x, start), (x, start + _TICK), INK, _CUT)
        for start in (left - half, right + half - 2):
            drawing.line((start, y), (start + 2, y), INK, _CUT)
    for place in places.messengers:
        for y in (place.y - _GAP / 2, place.bottom + _GAP / 2):
            drawing.line((place.x - _TICK, y), (place.x, y), INK, _CUT)
            drawing.line((place.right - _TICK, y), (place.right, y), INK, _CUT)


def _messenger(drawing: Drawing, place: Place) -> None:
    outline = pointed(place)
    drawing.outline(offset(outline, BLEED / 2), fill=GROUND)
    drawing.outline(offset(outline, -1.1), line=GOLD, width=0.25)
    inset = 3.2
    width = place.width - 2 * inset
    y = place.middle[1] - width * shape("messenger") / 2
    drawing.art("messenger", place.x + inset, y, width)
    drawing.outline(outline, line=INK, width=_CUT)


def _messenger_back(drawing: Drawing, place: Place) -> None:
    outline = pointed(place)
    x, y = place.middle
    drawing.outline(offset(outline, BLEED), fill=WINE)
    drawing.outline(offset(outline, -1.6), line=GILT, width=0.35)
    drawing.outline(offset(outline, -2.4), line=GILT, width=0.12)
    drawing.art("ornaments/rosette", x - 8, y - 8, 16, _ON_WINE)
    for side in (-1, 1):
        tip = x + side * 14
        for long, high in ((3.4, 1.5), (1.6, 0.7)):
            diamond = [(tip - long, y), (tip, y - high), (tip + long, y), (tip, y + high)]
            drawing.outline(diamond, line=GILT, width=0.2)


def _chip(drawing: Drawing, place: Place, name: str) -> None:
    drawing.disc(place.middle, CHIP / 2 + BLEED / 2, fill=GROUND)
    inset = 0.9
    drawing.art(name, place.x + inset, place.y + inset, CHIP - 2 * inset)
    drawing.disc(place.middle, CHIP / 2, line=INK, width=_CUT)


def _chip_back(drawing: Drawing, place: Place) -> None:
    drawing.disc(place.middle, CHIP / 2 + BLEED, fill=WINE)
    drawing.disc(place.middle, CHIP / 2 - 0.9, line=GILT, width=0.3)
    x, y = place.middle
    drawing.art("ornaments/rosette", x - 8, y - 8, 16, _ON_WINE)
