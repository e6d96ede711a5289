"""`patrizier deck`: show a deck, or check a deck file."""

from typing import TYPE_CHECKING, Annotated

import typer

from patrizier.cli.arguments.options import Json, fail

if TYPE_CHECKING:
    from rich.table import Table

    from patrizier.rules.deck import Deck

_NAMES = {"2": "two floors", "?": "free draw", ">": "move a floor"}


def deck(
    file: Annotated[str, typer.Argument(help="A deck file (TOML); default: classic.")] = "",
    json: Json = False,
    toml: Annotated[bool, typer.Option("--toml", help="Print it as a deck file.")] = False,
) -> None:
    """Show a deck, or check a deck file of your own.

    A deck file has a name and one line per city: `BO = ["2", "2", "?", "L*", "B*", "K", "LL"]`.
    2 is a second crest, ? a free draw, > a special action, L B K one portrait, LL BB KK two;
    a trailing * adds a star.

    Example: `patrizier deck --toml > mine.toml`, edit it, then `patrizier deck mine.toml`
    """
    from rich.console import Console

    from patrizier.rules.deck import Deck

    try:
        chosen = Deck.load(file) if file else Deck.classic()
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    except ValueError as error:
        fail(f"{file}: {error}")
    if json:
        import json as json_module

        cards = {card: face.text for card, face in chosen.faces}
        typer.echo(json_module.dumps({"name": chosen.name, "cards": cards}))
    elif toml:
        typer.echo(chosen.to_toml(), nl=False)
    else:
        console = Console()
        console.print(_table(chosen))
        console.print(_summary(chosen))


def _table(deck: "Deck") -> "Table":
    from rich.table import Table

    from patrizier.rules.board import CITIES

    table = Table(title=f"The deck {deck.name}", title_justify="left", box=None, pad_edge=False)
    table.add_column("city")
    table.add_column("floors", justify="right")
    for number in range(1, 8):
        table.add_column(str(number))
    for city in CITIES:
        cards = [f"{city.code}{number}" for number in range(1, city.cards + 1)]
        if cards[0] in deck:
            faces = (deck[card].text.replace("*", " ★") for card in cards)
            table.add_row(f"{city.code} {city.name}", str(city.capacity), *faces)
    return table


def _summary(deck: "Deck") -> str:
    from patrizier.rules.deck import NOBLES

    faces = [face for _, face in deck.faces]
    heads = ", ".join(
        f"{sum(face.heads for face in faces if face.noble == noble)} of the {name}"
        for noble, name in NOBLES.items()
    )
    powers = ", ".join(
        f"{sum(face.text[0] == text for face in faces)} × {text} {name}"
        for text, name in _NAMES.items()
    )
    players = "2 to 5" if deck.has_pistoia else "2 to 4"
    stars = sum(face.star for face in faces)
    return "\n".join(
        (
            "",
            f"{len(faces)} cards for {players} players, {stars} of them with a star ★",
            f"Powers: {powers}",
            f"Portraits: {heads}",
        )
    )
