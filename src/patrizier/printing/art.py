"""Drawings as vector objects of a PDF."""

from fpdf.svg import SVGObject

from patrizier.art import PLAIN, Colours, coloured, source


def drawing(name: str, colours: Colours = PLAIN) -> SVGObject:
    """Return a drawing as a reusable vector object."""
    return SVGObject(coloured(source(name), colours))
