"""`patrizier verify`: check that a game was dealt as the server had committed to."""

from typing import TYPE_CHECKING, Annotated

import typer

from patrizier.cli.arguments.options import Json, fail

if TYPE_CHECKING:
    from patrizier.ptr import GameRecord
    from patrizier.server.deal.verification import Verdict


_LACKING = {
    "seen": "whether the commitment is the one you saw before the game: pass --commitment",
    "mine": "whether your contribution was used: pass --contribution",
}


def verify(
    source: Annotated[
        str, typer.Argument(metavar="FILE-or-URL", help="A game record (.ptr), or its URL.")
    ],
    commitment: Annotated[
        str,
        typer.Option("--commitment", metavar="HEX", help="The commitment you saw before the game."),
    ] = "",
    contribution: Annotated[
        str, typer.Option("--contribution", metavar="HEX", help="Your own contribution.")
    ] = "",
    json: Json = False,
) -> None:
    """Check that a finished game was dealt as the server had committed to.

    The record holds the commitment, the secret and the players' contributions; the deal is
    computed from them again. That only shows that the record is consistent: pass the commitment
    and the contribution you noted (the page shows them under "Check the deal") to compare them
    too. A table's URL works too. Exits with status 1 if anything is wrong.

    Example: `patrizier verify game.ptr --commitment 9f2c… --contribution 41ab…`
    """
    records = _read(source)
    from patrizier.server.deal.verification import verify as check

    verdicts = [check(r, commitment=commitment, contribution=contribution) for r in records]
    if json:
        import json as json_module

        typer.echo(json_module.dumps([verdict.to_json() for verdict in verdicts]))
    else:
        for number, verdict in enumerate(verdicts, 1):
            _tell(number, verdict)
    if not all(verdict.holds for verdict in verdicts):
        raise typer.Exit(1)


def _read(source: str) -> "list[GameRecord]":
    if not source.lower().startswith(("http://", "https://")):
        from patrizier.cli.replay import load_or_fail

        return load_or_fail(source)
    from patrizier.cli.files.download import FetchError, fetch_text
    from patrizier.errors import RecordError
    from patrizier.ptr import read_games
    from patrizier.server.links import record_link

    try:
        return read_games(fetch_text(record_link(source)))
    except (FetchError, RecordError) as error:
        fail("".join(c if c.isprintable() else "?" for c in f"{source}: {error}"))


def _tell(number: int, verdict: "Verdict") -> None:
    outcome, colour = "NOT VERIFIED", "red"
    if verdict.proven:
        outcome, colour = "the deal was the committed one", "green"
    elif verdict.holds:
        outcome, colour = "the record is consistent; more cannot be checked", "yellow"
    typer.secho(f"Game {number}: {outcome}", fg=colour, bold=True)
    for check in verdict.checks:
        typer.echo(f"  {'yes' if check.holds else 'NO '}  {check.text}")
    if verdict.holds:
        for about in verdict.lacking:
            typer.echo(f"   ?   {_LACKING[about]}")
