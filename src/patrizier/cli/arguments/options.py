"""Options of games and output, and how a command fails."""

from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from patrizier.options import Options

Players = Annotated[int, typer.Option("--players", "-p", min=2, max=5, help="Number of players.")]
Rules = Annotated[
    str,
    typer.Option(
        "--rules",
        help="Variants, separated by commas: messengers, messenger-at-built-city, "
        "open-ledger, open-tokens.",
    ),
]
DeckFile = Annotated[
    str, typer.Option("--deck", metavar="FILE", help="A deck file (TOML) instead of classic.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def fail(message: str) -> NoReturn:
    """Print a message and exit with status 1."""
    typer.secho(f"Error: {message}", fg="red", err=True)
    raise typer.Exit(1)


def read_options(players: int, rules: str, deck_file: str = "") -> "Options":
    """Return the game options given on the command line."""
    from patrizier.options import Options
    from patrizier.rules.deck import Deck

    try:
        deck = Deck.load(deck_file) if deck_file else Deck.classic()
    except (OSError, ValueError) as error:
        fail(f"{deck_file}: {error.strerror if isinstance(error, OSError) else error}")
    try:
        return Options(players, [rule.strip() for rule in rules.split(",") if rule.strip()], deck)
    except ValueError as error:
        fail(str(error))
