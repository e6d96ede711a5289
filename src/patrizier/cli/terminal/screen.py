"""The console that commands write on."""

import sys
from io import TextIOWrapper

from rich.console import Console


def screen() -> Console:
    """Return a console; letters that the terminal cannot show become ? instead of an error."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False)
