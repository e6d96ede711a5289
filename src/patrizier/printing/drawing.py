"""A PDF document: text that must fit, shapes, and art, in millimetres from the top left."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from fpdf import FPDF
from fpdf.drawing_primitives import Transform
from fpdf.prefs import ViewerPreferences
from fpdf.svg import SVGObject

from patrizier.art import PLAIN, Colours, shape
from patrizier.printing.art import drawing
from patrizier.printing.fonts import Face, Family
from patrizier.printing.paper import Paper, Place, Point

INK, SOFT = "#2a2320", "#6b5d48"  # text; secondary text
GOLD, GILT = "#b3812b", "#d9a84a"  # on light ground; on dark ground
GROUND, CARD = "#f4eadb", "#fbf7ec"
WINE = "#6f241d"  # the backs of cards, chips and messengers

_MADE = datetime(2025, 1, 1, tzinfo=UTC)  # fixed date: reproducible files
_POINT = 25.4 / 72
_CAPITAL = {"serif": 0.65, "sans": 0.727}  # cap height, relative to the font size

Align = Literal["left", "middle", "right"]
Run = tuple[str, bool]  # text in one weight, and whether it is bold


class DoesNotFit(Exception):
    """A text or piece needs more room than there is."""


@dataclass(frozen=True, slots=True)
class Style:
    """A text style."""

    family: Family
    size: float  # points
    leading: float = 0.0  # line height
    colour: str = INK
    bold: bool = False
    tracking: float = 0.0  # extra points between letters


def runs(text: str) -> list[Run]:
    """Split a text with **bold** parts.

    >>> runs("a **b** c")
    [('a ', False), ('b', True), (' c', False)]
    """
    return [(part, odd % 2 == 1) for odd, part in enumerate(text.split("**")) if part]


class Drawing:
    """One document; pages are added one after the other."""

    def __init__(self, paper: Paper, fonts: dict[Face, Path], title: str, language: str) -> None:
        self.paper = paper
        self._art: dict[tuple[object, ...], SVGObject] = {}  # parsed once, drawn often
        self.pdf = pdf = FPDF(unit="mm", format=(paper.width, paper.height))
        pdf.set_auto_page_break(False)
        pdf.set_margin(0)
        pdf.c_margin = 0
        pdf.set_creation_date(_MADE)
        pdf.set_title(title)
        pdf.set_creator("Patrizier")
        pdf.set_lang(language)
        pdf.viewer_preferences = ViewerPreferences(
            display_doc_title=True, duplex="DUPLEX_FLIP_LONG_EDGE", print_scaling="None"
        )
        for face, file in fonts.items():
            pdf.add_font(face.family, face.style, file)

    def page(self) -> None:
        """Begin a new page."""
        self.pdf.add_page()

    def bytes(self) -> bytes:
        """Return the finished document."""
        made = bytes(self.pdf.output())
        for font in self.pdf.fonts.values():
            font.ttfont.close()  # type: ignore[union-attr,unused-ignore]
        return made

    # -- art and shapes

    def art(self, name: str, x: float, y: float, width: float, colours: Colours = PLAIN) -> None:
        """Draw a piece of the page's art at this width."""
        height = width * shape(name)
        key = (name, *sorted(colours.items()))
        if key not in self._art:
            self._art[key] = drawing(name, colours)
        _, _, path = self._art[key].transform_to_rect_viewport(
            1, width, height, ignore_svg_top_attrs=True
        )
        path.transform = (path.transform or Transform.identity()) @ Transform.translation(x, y)
        self.pdf.draw_path(path)

    def rect(
        self,
        place: Place,
        fill: str | None = None,
        line: str | None = None,
        width: float = 0.2,
        corner: float = 0.0,
    ) -> None:
        """Draw a rectangle, with rounded corners if ``corner`` > 0."""
        self._pen(fill, line, width)
        self.pdf.rect(
            place.x,
            place.y,
            place.width,
            place.height,
            style=_shape_style(fill, line),
            round_corners=corner > 0,
            corner_radius=corner,
        )

    def disc(
        self,
        middle: Point,
        radius: float,
        fill: str | None = None,
        line: str | None = None,
        width: float = 0.2,
    ) -> None:
        """Draw a circle."""
        self._pen(fill, line, width)
        self.pdf.circle(*middle, radius, style=_shape_style(fill, line))

    def outline(
        self,
        points: Sequence[Point],
        fill: str | None = None,
        line: str | None = None,
        width: float = 0.2,
    ) -> None:
        """Draw a polygon."""
        self._pen(fill, line, width)
        self.pdf.polygon(list(points), style=_shape_style(fill, line))

    def line(self, start: Point, end: Point, colour: str = INK, width: float = 0.2) -> None:
        """Draw a straight line."""
        self._pen(None, colour, width)
        self.pdf.line(*start, *end)

    def rule(self, x: float, right: float, y: float, colour: str = GOLD) -> None:
        """Draw a line with a small diamond in its middle, as on the order cards."""
        middle = (x + right) / 2
        self.line((x, y), (middle - 1.8, y), colour, 0.15)
        self.line((middle + 1.8, y), (right, y), colour, 0.15)
        diamond = [(middle - 0.95, y), (middle, y - 0.8), (middle + 0.95, y), (middle, y + 0.8)]
        self.outline(diamond, fill=colour)

    def _pen(self, fill: str | None, line: str | None, width: float) -> None:
        if fill:
            self.pdf.set_fill_color(fill)
        if line:
            self.pdf.set_draw_color(line)
            self.pdf.set_line_width(width)

    # -- text

    def width_of(self, text: str, style: Style) -> float:
        """Return the width of a line, including bold parts."""
        return sum(self._width(part, style, bold) for part, bold in runs(text))

    def text(self, x: float, middle: float, text: str, style: Style, align: Align = "left") -> None:
        """Write one line, its capitals centred vertically on ``middle``."""
        if align != "left":
            x -= self.width_of(text, style) * (0.5 if align == "middle" else 1)
        base = middle + style.size * _POINT * _CAPITAL[style.family] / 2
        for part, bold in runs(text):
            width = self._width(part, style, bold)
            self.pdf.set_text_color(style.colour)
            self.pdf.text(x, base, part)
            x += width

    def wrap(self, text: str, style: Style, width: float) -> list[str]:
        """Return the lines of a text, none wider than ``width``."""
        lines: list[str] = []
        bold = False
        for word in text.split(" "):
            piece = f"**{word}" if bold else word
            bold ^= word.count("**") % 2 == 1
            piece = f"{piece}**" if bold else piece
            joined = f"{lines[-1]} {piece}".replace("** **", " ") if lines else piece
            if lines and self.width_of(joined, style) <= width:
                lines[-1] = joined
            else:
                lines.append(piece)
            if self.width_of(lines[-1], style) > width:
                raise DoesNotFit(f"“{word}” is wider than {width:.1f} mm")
        return lines

    def height_of(self, text: str, style: Style, width: float) -> float:
        """Return the height of a wrapped text."""
        return len(self.wrap(text, style, width)) * style.leading

    def flow(self, x: float, y: float, width: float, text: str, style: Style) -> float:
        """Write a wrapped text from ``y`` downwards; return where it ends."""
        for line in self.wrap(text, style, width):
            self.text(x, y + style.leading / 2, line, style)
            y += style.leading
        return y

    def fitted(self, text: str, style: Style, width: float, least: float) -> Style:
        """Return the style, shrunk to fit the line into ``width``, but not below ``least``."""
        wide = self.width_of(text, style)
        if wide <= width:
            return style
        size = style.size * width / wide
        if size < least:
            raise DoesNotFit(f"“{text}” would need {size:.1f} points to fit {width:.1f} mm")
        return replace(style, size=size)

    def _width(self, part: str, style: Style, bold: bool) -> float:
        self.pdf.set_font(style.family, "B" if bold or style.bold else "", style.size)
        self.pdf.set_char_spacing(style.tracking)
        return self.pdf.get_string_width(part)


def _shape_style(fill: str | None, line: str | None) -> Literal["D", "F", "DF"]:
    if fill and line:
        return "DF"
    return "F" if fill else "D"
