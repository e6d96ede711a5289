"""The players: names, colours, and letters to tell them apart without colour."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from patrizier.options import Options

GILT = "#b8862d"  # the one accent; readable on dark and on light ground
QUIET = "dim"
_BODIES = {
    "black": "bold #f2f2f2 on #353535",
    "white": "bold #1d1d1d on #f4f1e8",
    "red": "bold #ffffff on #b3312c",
    "yellow": "bold #1d1d1d on #e3b62f",
    "blue": "bold #ffffff on #2f62b5",
}
_EDGES = {
    "black": "#808080",  # a grey outline keeps black and white visible on every ground
    "white": "#9c9a94",
    "red": "#b3312c",
    "yellow": "#c99d1f",
    "blue": "#3f78d0",
}
_COLOUR_LETTERS = {"black": "B", "white": "W", "red": "R", "yellow": "Y", "blue": "U"}
_LONGEST_NAME = 14


@dataclass(frozen=True)
class Cast:
    """The players as the terminal shows them."""

    names: tuple[str, ...]  # by seat, cleaned and cut for one line
    colours: tuple[str, ...]
    marks: tuple[str, ...]  # one letter per seat
    you: int | None = None  # the seat addressed as "you"

    @classmethod
    def of(
        cls,
        options: Options,
        names: Sequence[str] = (),
        you: int | None = None,
        *,
        longest: int = _LONGEST_NAME,
    ) -> "Cast":
        """Return the cast of a game; players without a name are named by colour.

        Names of more than ``longest`` columns are cut.
        """
        given = [_clean(name, longest) for name in names] or [
            c.capitalize() for c in options.colours
        ]
        shown = [
            f"{name} {seat}" if given.count(name) > 1 else name
            for seat, name in enumerate(given, 1)
        ]
        initials = [name[0].upper() for name in shown]
        plain = all(mark.isalnum() and len(mark) == cell_len(mark) == 1 for mark in initials)
        if not plain or len(set(initials)) < len(initials):
            initials = [_COLOUR_LETTERS[colour] for colour in options.colours]
        return cls(tuple(shown), options.colours, tuple(initials), you)

    def body(self, seat: int) -> str:
        """Return the style of a seat's floors."""
        return _BODIES[self.colours[seat]]

    def mark(self, seat: int) -> Text:
        """Return a seat's letter on its colour."""
        return Text(self.marks[seat], self.body(seat))

    def floor(self, seat: int, width: int) -> Text:
        """Return one floor of a tower, its owner's letter in the middle."""
        return self._block(seat, width, " underline")  # a seam between floors of one owner

    def chip(self, seat: int) -> Text:
        """Return a seat's letter on a block of its colour."""
        return self._block(seat, 3)

    def _block(self, seat: int, width: int, more: str = "") -> Text:
        edge, letter = _EDGES[self.colours[seat]], self.marks[seat].center(width - 2)
        return Text.assemble(("▐", edge), (letter, self.body(seat) + more), ("▌", edge))

    def lying_tower(self, floors: Sequence[int], *, seams: bool, dim: bool) -> Text:
        """Return a tower on its side, ground at the left; without seams, one letter per floor."""
        tower = Text()
        ground = ""
        for seat in floors:
            if seams:
                edge = _EDGES[self.colours[seat]]
                tower.append("▐", QUIET if dim else f"{edge} {ground}")
            tower.append(self.marks[seat], QUIET if dim else self.body(seat))
            ground = "on " + self.body(seat).split(" on ")[1]
        if floors and seams:
            tower.append("▌", QUIET if dim else _EDGES[self.colours[floors[-1]]])
        return tower

    def label(self, seat: int) -> Text:
        """Return a seat's mark and name."""
        name = self.names[seat]
        if seat == self.you and name.lower() != "you":
            name += " (you)"
        return Text.assemble(self.chip(seat), f" {name}")


def _clean(name: str, longest: int) -> str:
    """Return a name that is safe to print: no control characters, not too long."""
    name = "".join(c if c.isprintable() else "?" for c in name).strip() or "?"
    return set_cell_size(name, longest).strip() if cell_len(name) > longest else name
