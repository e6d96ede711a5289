"""`patrizier bots`: who there is to play against."""

import typer

from .choices import Json


def bots(json: Json = False) -> None:
    """List the bots, with a sentence on each.

    Some take a budget for a turn behind their name: `ismcts:100ms` thinks for a tenth of a second,
    `ismcts:2000` for two thousand iterations, which gives the same game again for the same seed.

    Example: `patrizier arena greedy ismcts:20ms --games 20`
    """
    from rich.console import Console
    from rich.table import Table

    from patrizier.bots.registry import bot_names, make_bot

    about = {name: make_bot(name).about for name in bot_names()}
    if json:
        import json as json_module

        typer.echo(json_module.dumps([{"name": n, "about": text} for n, text in about.items()]))
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, text in about.items():
        table.add_row(name, text)
    Console().print(table)
