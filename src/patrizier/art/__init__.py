"""The drawings of the game, shared by the page, the printer and the diagrams: SVG files.

Colours that depend on the theme are CSS variables; the default is the light theme's colour.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

Colours = Mapping[str, str]

PLAIN: Colours = MappingProxyType({})
_VARIABLE = re.compile(r"var\(--([\w-]+),\s*(#[0-9a-fA-F]+)\)")
_BOX = re.compile(r'viewBox="(0 0 ([\d.]+) ([\d.]+))"')


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


@cache
def shape(name: str) -> float:
    """Return the aspect ratio of a drawing: height over width.

    >>> shape("messenger")
    0.4375
    """
    found = _box(name)
    return float(found[3]) / float(found[2])


def placed(name: str, x: float, y: float, width: float, height: float | None = None) -> str:
    """Return a drawing to be put into another SVG; stretched if a height is given."""
    high = width * shape(name) if height is None else height
    return (
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{high:.1f}" '
        f'viewBox="{_box(name)[1]}" preserveAspectRatio="none">{_content(name)}</svg>'
    )


@cache
def _content(name: str) -> str:
    """Return the contents of a drawing, in the light theme's colours."""
    text = source(name)
    return coloured(text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")])


def _box(name: str) -> re.Match[str]:
    found = _BOX.search(source(name))
    if found is None:
        raise ValueError(f"{name}.svg has no viewBox from 0 0")
    return found
