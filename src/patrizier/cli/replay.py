"""`patrizier replay`: check a game record and show it turn by turn."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from patrizier.cli.arguments.options import Json, fail

if TYPE_CHECKING:
    from patrizier.ptr import GameRecord


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game record (.ptr).")],
    game: Annotated[
        int | None, typer.Option("--game", "-g", metavar="N", help="Only the Nth game of the file.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", "-s", help="Pause after every turn.")] = False,
    json: Json = False,
) -> None:
    """Check a game record against the rules and show it turn by turn.

    The whole file is checked before anything is shown. With `--step` the board appears after
    every turn: Enter continues, `p` goes back, a number jumps to that turn, `q` quits.

    Example: `patrizier replay game.ptr --step`
    """
    records = load_or_fail(file)
    if game is not None and not 1 <= game <= len(records):
        held = "1 game" if len(records) == 1 else f"{len(records)} games"
        fail(f"{file} holds {held}: there is no game {game}")
    numbers = range(1, len(records) + 1) if game is None else [game]
    if json:
        import json as json_module

        games = [_to_json(records[number - 1]) for number in numbers]
        typer.echo(json_module.dumps(games))
        return
    from patrizier.cli.terminal.playback import Replay, step_through, tell

    replays = [Replay(records[number - 1], number, len(records)) for number in numbers]
    if step:
        step_through(replays)
    else:
        for each in replays:
            tell(each)


def load_or_fail(file: str) -> "list[GameRecord]":
    """Return the games of a file, or fail with the error."""
    from patrizier.errors import RecordError
    from patrizier.ptr import load_games

    try:
        return load_games(file)
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    except RecordError as error:
        fail("".join(c if c.isprintable() else "?" for c in f"{file}: {error}"))


def _to_json(record: "GameRecord") -> dict[str, Any]:
    game = record.game()
    outcome = game.outcome()
    return {
        "tags": dict(record.tags),
        "names": list(record.names),
        "turns": [turn.to_json() for turn in game.records],
        "outcome": outcome.to_json() if outcome else None,
    }
