"""The command `patrizier`. Heavy things are imported by the commands that need them."""

from typing import Annotated

import typer

from . import arena, bench, bots, deck, loadtest, play, replay, serve, simulate, study, verify

app = typer.Typer(
    name="patrizier",
    help="The board game Patrizier: play it, replay it, measure it.",
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help appears three times faster
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("play")(play.play)
app.command("replay")(replay.replay)
app.command("simulate")(simulate.simulate)
app.command("arena")(arena.arena)
app.command("bots")(bots.bots)
app.command("study")(study.study)
app.command("deck")(deck.deck)
app.command("bench")(bench.bench)
app.command("serve")(serve.serve)
app.command("loadtest")(loadtest.loadtest)
app.command("verify")(verify.verify)


def _version(wanted: bool) -> None:
    if wanted:
        from patrizier import __version__

        typer.echo(f"patrizier {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """The board game Patrizier: play it, replay it, measure it."""
