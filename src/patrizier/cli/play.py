"""`patrizier play`: a game against bots in the terminal."""

from typing import Annotated

import typer

from patrizier.cli.arguments.options import DeckFile, Players, Rules, fail, read_options

_LONGEST_NAME = 30


def play(
    players: Players = 3,
    rules: Rules = "",
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**64 - 1, help="The same seed gives the same deal.")
    ] = None,
    name: Annotated[str, typer.Option(help="Your name, for the record.")] = "You",
    bots: Annotated[
        str,
        typer.Option(
            help="Opponents, separated by commas: apprentice, merchant, banker, senator, "
            "doge, or any other of `patrizier bots`."
        ),
    ] = "merchant",
    deck: DeckFile = "",
    out: Annotated[
        str, typer.Option(metavar="FILE", help="Save the record here without asking.")
    ] = "",
) -> None:
    """Play against bots in the terminal.

    Every step is a numbered choice; `b` takes it back until the turn ends. `p` shows the cards
    you have played, `?` explains the game, `q` quits and offers to save the game.

    Example: `patrizier play --players 4 --rules messengers --name Anna --out game.ptr`
    """
    options = read_options(players, rules, deck)
    if not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        fail(f"a name has 1 to {_LONGEST_NAME} printable characters")

    from patrizier.bots.registry import make_bot
    from patrizier.cli.files.record_saver import why_not_writable

    kinds = [kind.strip() for kind in bots.split(",") if kind.strip()]
    if not kinds:
        fail("name at least one opponent, for example: --bots merchant")
    try:
        opponents = [make_bot(kinds[seat % len(kinds)]) for seat in range(players - 1)]
    except ValueError as error:
        fail(str(error))
    if out and (reason := why_not_writable(out)):
        fail(f"the record cannot be saved: {reason}")
    if seed is None:
        import secrets

        seed = secrets.randbits(32)

    from patrizier.cli.terminal.sitting import Sitting

    if not Sitting(options, seed, name.strip(), opponents, out).run():
        raise typer.Exit(1)
