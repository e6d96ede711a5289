"""The fonts of the page, prepared for embedding.

The built page contains variable fonts; a sheet needs a few fixed weights.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

Family = Literal["serif", "sans"]

# Enough for the four languages: Latin-1, dashes, quotes, the minus sign.
CHARACTERS = frozenset([*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "–—‘’“”„…−")])


class FontsMissing(Exception):
    """The page has not been built, so there are no fonts to print with."""


@dataclass(frozen=True, slots=True)
class Face:
    """One weight of one family."""

    family: Family
    style: Literal["", "B"]
    file: str  # prefix of its file name
    weight: int


FACES = (
    Face("serif", "", "eb-garamond-latin-wght-normal", 500),
    Face("serif", "B", "eb-garamond-latin-wght-normal", 700),
    Face("sans", "", "inter-latin-wght-normal", 400),
    Face("sans", "B", "inter-latin-wght-normal", 650),
)


def find(face: Face, folder: Path | None = None) -> Path:
    """Return the file of a font within the built page."""
    place = folder or Path(str(files("patrizier"))) / "server" / "static" / "assets"
    found = sorted(place.glob(f"{face.file}*.woff2"))
    if not found:
        raise FontsMissing("The page has not been built, and its fonts are needed: run `make`.")
    return found[0]


@cache
def static_font(face: Face) -> bytes:
    """Return a subset font of fixed weight, computed once per process."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    with TTFont(find(face), recalcTimestamp=False) as font:
        options = Options(layout_features=[], notdef_outline=True, name_IDs=["*"], hinting=False)
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=CHARACTERS)
        subsetter.subset(font)
        instantiateVariableFont(font, {"wght": face.weight}, inplace=True)
        font.flavor = None
        out = BytesIO()
        font.save(out)
    return out.getvalue()


@contextmanager
def font_files() -> Iterator[dict[Face, Path]]:
    """Provide the fonts as temporary files, as the PDF library needs them."""
    with TemporaryDirectory(prefix="patrizier-fonts-", ignore_cleanup_errors=True) as folder:
        paths = {}
        for face in FACES:
            paths[face] = Path(folder, f"{face.family}{face.weight}.ttf")
            paths[face].write_bytes(static_font(face))
        yield paths
