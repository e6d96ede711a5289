"""The sheets as PDF, reproducible: the same arguments give the same bytes."""

from typing import Literal

from patrizier.printing.fonts import font_files
from patrizier.printing.paper import PAPERS, PaperName
from patrizier.printing.texts import Language, texts

What = Literal["messengers", "reference", "all"]


def make(paper: PaperName = "a4", language: Language = "en", what: What = "all") -> bytes:
    """Return a PDF with the sheets, each a front and a back; raises FontsMissing."""
    from patrizier.printing.drawing import Drawing

    from . import messengers, reference  # lazy: they import the slow PDF library

    words = texts(language)
    with font_files() as fonts:
        drawing = Drawing(PAPERS[paper], fonts, f"Patrizier · {_title(language, what)}", language)
        if what in ("messengers", "all"):
            messengers.draw(drawing, words)
        if what in ("reference", "all"):
            reference.draw(drawing, words)
        return drawing.bytes()


def file_name(paper: PaperName, language: Language, what: What) -> str:
    """Return a file name.

    >>> file_name("a4", "de", "messengers")
    'patrizier-messengers-a4-de.pdf'
    """
    return f"patrizier-{what}-{paper}-{language}.pdf"


def _title(language: Language, what: What) -> str:
    words = texts(language)
    wanted = ("messengers", "reference") if what == "all" else (what,)
    return " · ".join(words[f"{each}.title"] for each in wanted)
