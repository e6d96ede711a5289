"""The command `patrizier`. Heavy modules are imported by the commands that need them."""

from typing import Annotated

import typer

from . import (
    analyse,
    arena,
    backup,
    bench,
    bots,
    browser,
    check,
    deck,
    loadtest,
    play,
    printing,
    puzzle,
    puzzles,
    replay,
    restore,
    serve,
    simulate,
    sprt,
    study,
    verify,
)

app = typer.Typer(
    name="patrizier",
    help="The board game Patrizier. Without a command: open it in the browser.",
    invoke_without_command=True,
    rich_markup_mode=None,  # plain help is three times faster
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("play")(play.play)
app.command("replay")(replay.replay)
app.command("analyse")(analyse.analyse)
app.command("puzzle")(puzzle.puzzle)
app.add_typer(puzzles.app)
app.command("simulate")(simulate.simulate)
app.command("arena")(arena.arena)
app.command("sprt")(sprt.sprt)
app.command("bots")(bots.bots)
app.command("study")(study.study)
app.command("deck")(deck.deck)
app.command("bench")(bench.bench)
app.command("serve")(serve.serve)
app.command("backup")(backup.backup)
app.command("restore")(restore.restore)
app.command("check")(check.check)
app.command("loadtest")(loadtest.loadtest)
app.command("verify")(verify.verify)
app.command("print")(printing.print_)


def _version(wanted: bool) -> None:
    if wanted:
        from patrizier import __version__

        typer.echo(f"patrizier {__version__}")
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """The board game Patrizier. Without a command: open it in the browser."""
    if context.invoked_subcommand is None:
        browser.open_game()
