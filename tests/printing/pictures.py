"""Rendered sheets, to be inspected in millimetres."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
from scipy import ndimage

from patrizier.printing.paper import PaperName, Place, Point
from patrizier.printing.sheet import What, make
from patrizier.printing.texts import Language

Mask = npt.NDArray[np.bool_]
Pixels = npt.NDArray[np.int16]

sheet = cache(make)  # each is made once, however many tests look at it


@dataclass(frozen=True)
class Picture:
    """A page in pixels."""

    pixels: Pixels  # rows, columns, red green blue
    scale: float  # pixels a millimetre

    @property
    def inked(self) -> Mask:
        """Where the page is not white."""
        return np.asarray((self.pixels < 250).any(axis=2), np.bool_)

    def at(self, point: Point) -> tuple[int, int, int]:
        """Return the colour at a point in millimetres."""
        x, y = (round(each * self.scale) for each in point)
        red, green, blue = self.pixels[y, x]
        return int(red), int(green), int(blue)

    def part(self, place: Place) -> Pixels:
        """Return the pixels of a place."""
        left, top = round(place.x * self.scale), round(place.y * self.scale)
        wide, high = round(place.width * self.scale), round(place.height * self.scale)
        return self.pixels[top : top + high, left : left + wide]

    def pieces(self, least: float) -> list[Place]:
        """Return the connected parts that cover at least so many square millimetres."""
        labels, _ = ndimage.label(ndimage.binary_fill_holes(self.inked))
        sizes = np.bincount(labels.ravel()) / self.scale**2
        found = []
        for number, box in enumerate(ndimage.find_objects(labels), 1):
            if sizes[number] >= least:
                rows, columns = box
                found.append(
                    Place(
                        columns.start / self.scale,
                        rows.start / self.scale,
                        (columns.stop - columns.start) / self.scale,
                        (rows.stop - rows.start) / self.scale,
                    )
                )
        return found


def words_on(paper: PaperName, language: Language, page: int) -> str:
    """Return the words on a page of the messengers' sheet, without blanks and line ends."""
    with pdfium.PdfDocument(sheet(paper, language, "messengers")) as document:
        return "".join(document[page].get_textpage().get_text_bounded().split())


@cache
def picture(paper: PaperName, language: Language, what: What, page: int, dpi: int = 100) -> Picture:
    """Return a page of a sheet as a picture."""
    with pdfium.PdfDocument(sheet(paper, language, what)) as document:
        image = document[page].render(scale=dpi / 72).to_numpy()
    return Picture(image[:, :, 2::-1].astype(np.int16), dpi / 25.4)
