"""The console that commands write to."""

import sys
from io import TextIOWrapper

from rich.console import Console


def screen() -> Console:
    """Return a console; characters that the terminal cannot encode become ``?``."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False)
