"""The frame of both sheets: head, foot, instructions, and a bar to check the scale."""

from collections.abc import Sequence

from patrizier.printing.drawing import GOLD, INK, SOFT, DoesNotFit, Drawing, Style
from patrizier.printing.paper import CONTENT, MARGIN, Paper, Place
from patrizier.printing.texts import Texts, numbered

BAR = 50.0  # millimetres, exactly
HEAD = 39.0  # where the head ends
FOOT = 14.0  # the height of the foot

_TITLE = Style("serif", 25)
_CONTENTS = Style("serif", 11, colour=SOFT)
_HEADING = Style("serif", 13)
_NUMBER = Style("sans", 7.5, colour="#ffffff", bold=True)
_STEP = Style("sans", 7.6, 3.5)  # for instructions; rules are printed larger
_BAR_TEXT = Style("sans", 7.5, colour=SOFT)
_SMALL = Style("sans", 6.5, 2.8, SOFT)
_CROSS = 3.0  # the arms of a cross in a corner
_MARK = "#8d8478"


def crosses(paper: Paper) -> list[Place]:
    """Return the registration marks in the corners, the same on front and back."""
    size, inset = 2 * _CROSS, MARGIN + 0.5
    across, down = paper.width - inset - size, paper.height - inset - size
    return [Place(x, y, size, size) for x in (inset, across) for y in (inset, down)]


def draw_head(drawing: Drawing, title: str, contents: str) -> None:
    """Draw the title of a sheet above a skyline."""
    paper = drawing.paper
    width = 88.0
    drawing.art("ornaments/skyline", paper.right - width, HEAD - 20.0, width)
    drawing.line((paper.left, HEAD), (paper.right, HEAD), GOLD, 0.35)
    drawing.line((paper.left, HEAD + 0.8), (paper.right, HEAD + 0.8), GOLD, 0.12)
    drawing.text(paper.left, HEAD - 17.5, title, _TITLE)
    style = drawing.fitted(contents, _CONTENTS, CONTENT - width, 9)
    drawing.text(paper.left, HEAD - 6.5, contents, style)


def draw_edges(drawing: Drawing, words: Texts, *, back: bool) -> None:
    """Draw the registration marks and the notes for this side of the sheet."""
    paper = drawing.paper
    for place in crosses(paper):
        x, y = place.middle
        drawing.line((place.x, y), (place.right, y), _MARK, 0.12)
        drawing.line((x, place.y), (x, place.bottom), _MARK, 0.12)
        drawing.disc(place.middle, 1.4, line=_MARK, width=0.12)
    middle, foot = paper.width / 2, paper.height - FOOT
    room = CONTENT - 20
    side = words["sheet.back" if back else "sheet.front"]
    drawing.text(middle, foot + 2.4, side, drawing.fitted(side, _BAR_TEXT, room, 6.5), "middle")
    fan = words["sheet.fan"]
    drawing.text(middle, foot + 6.4, fan, drawing.fitted(fan, _SMALL, room, 6), "middle")


def draw_bar(drawing: Drawing, words: Texts, x: float, y: float, width: float) -> Place:
    """Draw the bar that must measure 50 mm, with a note; return its place."""
    place = Place(x, y, BAR, 2.4)
    for centimetre in range(5):
        part = Place(x + 10 * centimetre, y, 10, place.height)
        drawing.rect(part, fill=INK if centimetre % 2 == 0 else "#ffffff")
    drawing.rect(Place(x + 0.1, y + 0.1, BAR - 0.2, place.height - 0.2), line=INK, width=0.2)
    top = place.bottom + 1.4
    drawing.flow(x, top, width, words["sheet.bar"], Style("sans", 7.5, 3.5, SOFT))
    return place


def draw_making(drawing: Drawing, words: Texts, sheet: str, place: Place, columns: int) -> None:
    """Write the instructions for cutting."""
    steps = numbered(words, f"{sheet}.making")
    draw_steps(drawing, words["sheet.making"], steps, place, columns=columns)


def draw_steps(
    drawing: Drawing,
    heading: str,
    steps: Sequence[str],
    place: Place,
    *,
    columns: int,
    style: Style = _STEP,
) -> None:
    """Write numbered steps under a heading, in one column or two balanced ones."""
    drawing.text(place.x, place.y + 2.6, heading, _HEADING)
    gap, indent, between = 6.0, 5.4, 0.37 * style.leading
    width = (place.width - gap * (columns - 1)) / columns
    heights = [drawing.height_of(step, style, width - indent) + between for step in steps]
    splits = range(1, len(steps)) if columns == 2 else (len(steps),)
    split = min(splits, key=lambda at: max(sum(heights[:at]), sum(heights[at:])))
    top = place.y + 7.4
    for number, (step, height) in enumerate(zip(steps, heights, strict=True), 1):
        column, before = (0, 0) if number <= split else (1, split)
        x = place.x + column * (width + gap)
        y = top + sum(heights[before : number - 1])
        if y + height - between > place.bottom:
            raise DoesNotFit(f"“{heading}” needs more room")
        middle = (x + 1.9, y + style.leading / 2)
        drawing.disc(middle, 1.9, fill=GOLD)
        drawing.text(*middle, str(number), _NUMBER, "middle")
        drawing.flow(x + indent, y, width - indent, step, style)
