"""`patrizier bots`: list the bots."""

from typing import TYPE_CHECKING

import typer

from patrizier.cli.arguments.options import Json

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from patrizier.bots.registry import BotInfo


def bots(json: Json = False) -> None:
    """List the bots, with a sentence on each.

    Some take a budget per answer after their name: `ismcts:100ms` thinks for a tenth of a second,
    `ismcts:2000` for two thousand iterations, which is reproducible with the same seed.

    Bots of installed packages come last, with the name of their package. A class in the current
    folder can be used by its path: `mybot.MyBot` is `MyBot` in `mybot.py`.

    Example: `patrizier arena greedy ismcts:20ms --games 20`
    """
    import contextlib
    import sys

    from patrizier.bots.registry import list_bots

    with contextlib.redirect_stdout(sys.stderr):  # third-party bots may print
        rows = list_bots()
    if json:
        import json as json_module

        typer.echo(json_module.dumps([row.to_json() for row in rows]))
        return
    from rich.console import Console

    Console().print(_table(rows))


def _table(rows: "tuple[BotInfo, ...]") -> "Table":
    from rich.table import Table
    from rich.text import Text

    from patrizier.bots.registry import PACKAGE

    table = Table(box=None, show_header=False, pad_edge=False)
    for row in rows:
        about = Text.assemble(("broken: ", "red"), row.broken) if row.broken else Text(row.about)
        notes = ["takes a budget"] if row.takes_budget else []
        notes += [f"from {row.package}"] if row.package != PACKAGE else []
        cells = Text(row.name), about, Text(", ".join(notes), "dim")
        table.add_row(*(_printable(cell) for cell in cells))
    return table


def _printable(cell: "Text") -> "Text":
    """Strip control characters: the text comes from third parties."""
    cell.plain = "".join(c if c.isprintable() else " " for c in cell.plain)
    return cell
