"""The reference cards: one for each of five players, turn on the front, points on the back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from patrizier.art import shape
from patrizier.printing.drawing import CARD, GOLD, INK, DoesNotFit, Drawing, Style
from patrizier.printing.frame import FOOT, HEAD, draw_bar, draw_edges, draw_head, draw_making
from patrizier.printing.paper import BLEED, Paper, Place, Point
from patrizier.printing.texts import Texts, numbered
from patrizier.rules.board import CITIES, COLOURS

CARD_SIZE = (63.0, 88.0)
TOKENS = sorted({city.tokens for city in CITIES}, reverse=True)  # of the three kinds of cities

LEAST = 6.5  # points: smaller text is not readable at the table

_TITLE = Style("serif", 15)
_HEADING = Style("serif", 10.5, 4.8, colour="#8f5f12", bold=True)
_BODY = Style("sans", LEAST, 2.62)
_NUMBER = Style("serif", 8, colour="#ffffff", bold=True)
_VALUE = Style("sans", LEAST, bold=True)
_SUM = Style("sans", 7.5, bold=True)
_INSET = 4.4  # from the edge of a card to its text
_BAND = 13.3  # where the text begins
_TICK = 3.0
_CUT = 0.15
_TOKEN, _HEAD = 4.3, 4.6  # widths of tokens and portraits in headings


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the cards on the front of the sheet, in player order."""

    cards: tuple[Place, ...]
    making: Place


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a card: its height, and a function that draws it from a given top."""

    height: float
    draw: Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Picture:
    """A small picture: its width, and a function that draws it at a left edge and middle."""

    width: float
    draw: Callable[[Drawing, float, float], None]


def layout(paper: Paper) -> Layout:
    """Return the layout: three cards over two, with the instructions beside them."""
    width, height = CARD_SIZE
    room = paper.height - HEAD - FOOT - 2 * height
    top = HEAD + room / 2
    slots = [
        Place(paper.left + column * width, top + row * height, width, height)
        for row in range(2)
        for column in range(3)
    ]
    slot = slots.pop()
    making = Place(slot.x + 7, slot.y + 5, slot.width - 7, slot.height - 5)
    return Layout(tuple(slots), making)


def draw(drawing: Drawing, words: Texts) -> None:
    """Draw the front and the back of the sheet, on two pages."""
    places = layout(drawing.paper)
    drawing.page()
    draw_head(drawing, words["reference.title"], words["reference.contents"])
    making = places.making
    room = Place(making.x, making.y, making.width, making.height - 16)
    draw_making(drawing, words, "reference", room, columns=1)
    draw_bar(drawing, words, making.x, making.bottom - 12, making.width)
    draw_edges(drawing, words, back=False)
    _side(drawing, places.cards, words["turn.title"], lambda place: _turn(drawing, words, place))
    _ticks(drawing, places.cards)

    drawing.page()
    draw_edges(drawing, words, back=True)
    backs = [place.mirrored(drawing.paper) for place in places.cards]
    _side(drawing, backs, words["points.title"], lambda place: _points(drawing, words, place))
    _ticks(drawing, backs)


def _side(
    drawing: Drawing, places: Sequence[Place], title: str, blocks: Callable[[Place], list[Block]]
) -> None:
    for place in places:
        drawing.rect(place.grown(BLEED), fill=CARD)
    for place, player in zip(places, COLOURS, strict=True):
        _frame(drawing, place, title, player)
        _stack(blocks(place), place.y + _BAND, place.bottom - 4.2)


def _frame(drawing: Drawing, place: Place, title: str, player: str) -> None:
    """Draw the gilded edge, the title, and the player's towers on both sides of it."""
    drawing.rect(place.grown(-2.2), line=GOLD, width=0.3, corner=1.6)
    drawing.rect(place.grown(-2.8), line=GOLD, width=0.1, corner=1.2)
    middle = place.middle[0]
    style = drawing.fitted(title, _TITLE, 33, 11)
    drawing.text(middle, place.y + 7.2, title, style, "middle")
    width = 6.4
    for x in (place.x + 6, place.right - 6 - width):
        _tower(drawing, x, place.y + 11.1, width, (player,) * 4)
    drawing.rule(place.x + _INSET, place.right - _INSET, place.y + 11.8)


def _tower(
    drawing: Drawing, x: float, ground: float, width: float, floors: tuple[str, ...]
) -> None:
    """Draw a tower as the page stacks it: 15 of a floor's 18 units show, the roof overlaps."""
    unit = width / 72
    for i, colour in enumerate(floors):
        drawing.art(f"floors/{colour}", x, ground - (i * 15 + 18) * unit, width)
    top = ground - len(floors) * 15 * unit
    drawing.art(f"roofs/{floors[-1]}", x, top - 18.4 * unit, width)


def _stack(blocks: Sequence[Block], top: float, bottom: float) -> None:
    """Draw blocks from top to bottom, with the spare room spread between them."""
    spare = bottom - top - sum(block.height for block in blocks)
    gap = spare / (len(blocks) - 1)
    if gap < 0.45:
        raise DoesNotFit(f"A card needs {0.45 * (len(blocks) - 1) - spare:.1f} mm more room")
    extra = max(0.0, gap - 2.2) * (len(blocks) - 1)
    y = top + extra / 2
    for block in blocks:
        block.draw(y)
        y += block.height + min(gap, 2.2)


def _turn(drawing: Drawing, words: Texts, place: Place) -> list[Block]:
    steps = numbered(words, "turn.step")
    blocks = [_step(drawing, place, number, text) for number, text in enumerate(steps, 1)]
    x, right = place.x + _INSET, place.right - _INSET
    blocks.append(Block(0.6, lambda y: drawing.rule(x, right, y + 0.3)))
    symbols: dict[str, tuple[str, ...]] = {
        "crests": ("crests/LU", "crests/LU"),
        "draw": ("symbols/draw",),
        "move": ("symbols/move",),
        "heads": ("nobles/L", "nobles/B", "nobles/K"),
        "star": ("symbols/star",),
    }
    for name, pictures in symbols.items():
        blocks.append(_symbol(drawing, place, pictures, words[f"symbols.{name}"]))
    return blocks


def _step(drawing: Drawing, place: Place, number: int, text: str) -> Block:
    x = place.x + _INSET
    indent = 4.6
    width = place.width - 2 * _INSET - indent

    def write(y: float) -> None:
        middle = (x + 1.6, y + _BODY.leading / 2)
        drawing.disc(middle, 1.6, fill=GOLD)
        drawing.text(*middle, str(number), _NUMBER, "middle")
        drawing.flow(x + indent, y, width, text, _BODY)

    return Block(drawing.height_of(text, _BODY, width), write)


def _symbol(drawing: Drawing, place: Place, pictures: tuple[str, ...], text: str) -> Block:
    height, x, column = 3.9, place.x + _INSET, 11.8
    width = place.width - 2 * _INSET - column
    style = drawing.fitted(text, _BODY, width, LEAST)

    def write(y: float) -> None:
        size = 3.4 if pictures[0].startswith("crests") else 4.0
        step = 3.2
        left = x + (column - 1.4 - size - step * (len(pictures) - 1)) / 2
        for i, name in enumerate(pictures):
            high = size * shape(name)
            drawing.art(name, left + i * step, y + height / 2 - high / 2, size)
        drawing.text(x + column, y + height / 2, text, style)

    return Block(height, write)


def _points(drawing: Drawing, words: Texts, place: Place) -> list[Block]:
    def text(name: str) -> Block:
        return _text(drawing, place, words[f"points.{name}"])

    def heading(name: str, picture: Picture) -> Block:
        return _heading(drawing, place, words[f"points.{name}"], picture)

    return [
        heading("city", Picture(6 * _TOKEN + 1.6, _tokens)),
        text("city_text"),
        text("city_tie"),
        heading("end", Picture(3 * _HEAD + 4.9, _heads)),
        text("end_text"),
        text("end_tie"),
        heading("messengers", Picture(15.4, _sent)),
        text("messengers_each"),
        text("messengers_lay"),
        text("messengers_bring"),
        text("messengers_minus"),
    ]


def _text(drawing: Drawing, place: Place, text: str) -> Block:
    x, width = place.x + _INSET, place.width - 2 * _INSET

    def write(y: float) -> None:
        drawing.flow(x, y, width, text, _BODY)

    return Block(drawing.height_of(text, _BODY, width), write)


def _heading(drawing: Drawing, place: Place, text: str, picture: Picture) -> Block:
    """A heading, with a picture flush with the right edge of the text."""
    if drawing.width_of(text, _HEADING) + 2 + picture.width > place.width - 2 * _INSET:
        raise DoesNotFit(f"“{text}” leaves no room for its picture")

    def write(y: float) -> None:
        middle = y + _HEADING.leading / 2
        drawing.text(place.x + _INSET, middle, text, _HEADING)
        picture.draw(drawing, place.right - _INSET - picture.width, middle)

    return Block(_HEADING.leading, write)


def _tokens(drawing: Drawing, x: float, middle: float) -> None:
    """The tokens of cities with nine, seven and five floors."""
    for values in TOKENS:
        for value in values:
            drawing.art("token", x, middle - _TOKEN / 2, _TOKEN)
            drawing.text(x + _TOKEN / 2, middle, str(value), _VALUE, "middle")
            x += _TOKEN
        x += 0.8


def _heads(drawing: Drawing, x: float, middle: float) -> None:
    """Three portraits of one noble, and what they bring."""
    for i in range(3):
        drawing.art("nobles/L", x + i * _HEAD, middle - _HEAD / 2, _HEAD)
    drawing.text(x + 3 * _HEAD + 0.8, middle, "= 6", _SUM)


def _sent(drawing: Drawing, x: float, middle: float) -> None:
    """A star, and the messenger it sends."""
    drawing.art("symbols/star", x, middle - 2.1, 4.2)
    drawing.art("messenger", x + 4.8, middle - 10.6 * shape("messenger") / 2, 10.6)


def _ticks(drawing: Drawing, places: Sequence[Place]) -> None:
    """Mark the straight cuts around the cards, at every corner that no other card covers."""
    out = BLEED + 0.5
    marks: dict[tuple[Point, Point], None] = {}  # each once, in order
    for place in places:
        for x, across in ((place.x, -1), (place.right, 1)):
            for y, down in ((place.y, -1), (place.bottom, 1)):
                for dx, dy in ((across, 0), (0, down)):
                    start = (round(x + dx * out, 3), round(y + dy * out, 3))
                    end = (round(start[0] + dx * _TICK, 3), round(start[1] + dy * _TICK, 3))
                    if not any(_covers(card, end) for card in places):
                        marks[start, end] = None
    for start, end in marks:
        drawing.line(start, end, INK, _CUT)


def _covers(place: Place, point: Point) -> bool:
    near = place.grown(0.01)
    return near.x <= point[0] <= near.right and near.y <= point[1] <= near.bottom
