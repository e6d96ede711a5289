"""`patrizier print`: printable sheets as PDF."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from patrizier.cli.arguments.options import fail


class Paper(StrEnum):
    """Paper sizes."""

    A4 = "a4"
    LETTER = "letter"


class Language(StrEnum):
    """Languages of the sheets."""

    EN = "en"
    DE = "de"
    NL = "nl"
    IT = "it"


class What(StrEnum):
    """What to print."""

    MESSENGERS = "messengers"
    REFERENCE = "reference"
    ALL = "all"


def print_(
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where to write the PDF.")
    ],
    paper: Annotated[Paper, typer.Option("--paper", help="Paper size.")] = Paper.A4,
    language: Annotated[
        Language, typer.Option("--language", "-l", help="Language of the texts.")
    ] = Language.EN,
    what: Annotated[
        What, typer.Option("--what", help="The messengers, the reference cards, or both.")
    ] = What.ALL,
) -> None:
    """Make printable sheets: the messengers to cut out, and reference cards for the players.

    Each sheet has two pages, a front and a back: print at 100 %, double-sided, flipped on the
    long edge, on heavy paper. An existing file is replaced.

    Example: `patrizier print --language de --out sheet.pdf`
    """
    from patrizier.printing.sheet import make

    write_sheet(Path(out), lambda: make(paper.value, language.value, what.value))


def write_sheet(out: Path, make: Callable[[], bytes]) -> None:
    """Make a sheet and write it to a file."""
    from patrizier.printing.fonts import FontsMissing

    try:
        content = make()
    except FontsMissing as error:
        fail(str(error))
    try:
        out.write_bytes(content)
    except OSError as error:
        fail(f"{out}: {error.strerror}")
    typer.echo(f"{out}: print it at 100 %, double-sided, flipped on the long edge.")
