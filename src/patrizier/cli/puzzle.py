"""`patrizier puzzle`: find the best turn, in the terminal."""

from typing import TYPE_CHECKING, Annotated

import typer

from patrizier.cli.arguments.options import fail

if TYPE_CHECKING:
    from patrizier.puzzles.puzzle import Puzzle


def puzzle(
    name: Annotated[str, typer.Argument(metavar="ID", help="One puzzle, by its id.")] = "",
    day: Annotated[bool, typer.Option("--day", help="The puzzle of the day.")] = False,
    theme: Annotated[
        str,
        typer.Option(
            help="ties, special-action, free-draw, portraits, messengers, denying, last-round "
            "or endings."
        ),
    ] = "",
    rating: Annotated[
        int | None, typer.Option(min=0, max=4000, help="Rating to look for; default: yours.")
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", "-p", min=2, max=5, help="Number of players.")
    ] = None,
) -> None:
    """Find the best turn: puzzles from real positions.

    Your turn is put together as in a game. Only the first try counts for your rating, which is kept
    on this computer; no puzzle comes again before all others are done.

    Example: `patrizier puzzle --theme ties --players 3`
    """
    import time
    from random import SystemRandom

    from patrizier.cli.terminal.puzzle_sitting import Progress, PuzzleSitting
    from patrizier.puzzles.collection import shipped
    from patrizier.puzzles.selection import next_puzzle, of_the_day
    from patrizier.puzzles.themes import THEMES

    if theme and theme not in THEMES:
        fail(f"there is no theme {theme!r}: there are {', '.join(THEMES)}")
    puzzles, progress = shipped(), Progress.load()
    if name:
        if name not in puzzles:
            fail(f"there is no puzzle {name!r}")
        PuzzleSitting(puzzles[name], progress).run()
        return
    if day:
        today = of_the_day(puzzles.values(), int(time.time() // (24 * 3600)))
        PuzzleSitting(today, progress).run()
        return
    suitable = [each for each in puzzles.values() if _suits(each, theme, players)]
    if not suitable:
        fail("there is no such puzzle")
    going_on = True
    while going_on:
        wanted = progress.person.points if rating is None else rating
        chosen = next_puzzle(suitable, progress.done, wanted, SystemRandom())
        going_on = PuzzleSitting(chosen, progress).run()


def _suits(puzzle: "Puzzle", theme: str, players: int | None) -> bool:
    return (not theme or theme in puzzle.themes) and players in (None, puzzle.players)
