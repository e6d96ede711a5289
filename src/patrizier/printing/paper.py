"""Paper sizes, places in millimetres, and outlines to cut along."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Literal

PaperName = Literal["a4", "letter"]
Point = tuple[float, float]

MARGIN = 5.0  # the unprintable edge
BLEED = 1.5  # colour beyond a cut, so that a small shift leaves no white edge
CONTENT = 189.0  # width between the margins; fits both papers


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper, upright."""

    name: PaperName
    width: float
    height: float

    @property
    def left(self) -> float:
        """Where the content begins."""
        return (self.width - CONTENT) / 2

    @property
    def right(self) -> float:
        """Where the content ends."""
        return (self.width + CONTENT) / 2


PAPERS: dict[PaperName, Paper] = {
    "a4": Paper("a4", 210.0, 297.0),
    "letter": Paper("letter", 215.9, 279.4),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where something lies on a sheet: its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> Point:
        """The middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def mirrored(self, paper: Paper) -> "Place":
        """The place behind this one, on a sheet flipped on its long edge.

        >>> Place(10, 20, 50, 22).mirrored(PAPERS["a4"])
        Place(x=150.0, y=20, width=50, height=22)
        """
        return Place(paper.width - self.right, self.y, self.width, self.height)

    def grown(self, by: float) -> "Place":
        """The place, enlarged on every side."""
        return Place(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


def pointed(place: Place) -> list[Point]:
    """Return the outline of a messenger: six straight cuts, with a point at each end."""
    x, y, right, bottom = place.x, place.y, place.right, place.bottom
    half = place.height / 2
    return [
        (x, y + half),
        (x + half, y),
        (right - half, y),
        (right, y + half),
        (right - half, bottom),
        (x + half, bottom),
    ]


def offset(outline: Sequence[Point], by: float) -> list[Point]:
    """Return a convex outline, given clockwise on the page, with its edges moved outwards.

    >>> offset([(0, 0), (4, 0), (4, 4), (0, 4)], 1)
    [(-1.0, -1.0), (5.0, -1.0), (5.0, 5.0), (-1.0, 5.0)]
    """
    lines = []  # each edge as its normal and its distance from the origin
    for (x, y), (to_x, to_y) in pairwise([*outline, outline[0]]):
        length = hypot(to_x - x, to_y - y)
        normal = ((to_y - y) / length, (x - to_x) / length)
        lines.append((*normal, normal[0] * x + normal[1] * y + by))
    corners = []
    for (a, b, c), (d, e, f) in pairwise([lines[-1], *lines]):
        area = a * e - b * d
        corners.append(((c * e - b * f) / area, (a * f - c * d) / area))
    return corners
