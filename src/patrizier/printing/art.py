"""The SVG drawings shared with the page."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from fpdf.svg import SVGObject

Colours = Mapping[str, str]

PLAIN: Colours = MappingProxyType({})
_VARIABLE = re.compile(r"var\(--([\w-]+),\s*(#[0-9a-fA-F]+)\)")


@cache
def source(name: str) -> str:
    """Return the SVG text of a drawing, by its path within the art folder."""
    return files("patrizier").joinpath("art", f"{name}.svg").read_text("utf-8")


def coloured(svg: str, colours: Colours = PLAIN) -> str:
    """Replace CSS variables by colours: those given by name, else the drawing's defaults.

    >>> coloured('<path fill="var(--gold-art, #b3812b)"/>')
    '<path fill="#b3812b"/>'
    >>> coloured('<path fill="var(--gold-art, #b3812b)"/>', {"gold-art": "#ffffff"})
    '<path fill="#ffffff"/>'
    """
    return _VARIABLE.sub(lambda found: colours.get(found[1], found[2]), svg)


def drawing(name: str, colours: Colours = PLAIN) -> SVGObject:
    """Return a drawing as a reusable vector object."""
    return SVGObject(coloured(source(name), colours))


@cache
def shape(name: str) -> float:
    """Return the aspect ratio of a drawing: height over width.

    >>> shape("messenger")
    0.4375
    """
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', source(name))
    if found is None:
        raise ValueError(f"{name}.svg has no viewBox from 0 0")
    return float(found[2]) / float(found[1])
