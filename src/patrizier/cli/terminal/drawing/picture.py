"""Draws a view of the game in the terminal."""

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from patrizier.cli.terminal.drawing.board import STANDING_FROM, board_lying, board_standing
from patrizier.cli.terminal.drawing.cast import Cast
from patrizier.cli.terminal.drawing.players import hand, players
from patrizier.view import View

WIDEST = 132  # wider is harder to read


class Picture:
    """What a viewer sees: board, players and, for a player, their hand.

    Towers stand if the terminal has room for them; else they lie on their sides.
    """

    def __init__(self, view: View, cast: Cast, *, room: int | None = None) -> None:
        """Draw a view; ``room`` is the maximum number of lines, if any."""
        self.view = view
        self.cast = cast
        self.room = room

    def lines(self, width: int) -> list[Text]:
        """Return the picture as lines for a terminal of this width."""
        width = min(width, WIDEST)
        below = [Text(), *players(self.view, self.cast, width)]
        if self.view.viewer is not None:
            below += [Text(), *hand(self.view, self.cast, width)]
        boards = [
            board_lying(self.view, self.cast, width),
            board_lying(self.view, self.cast, width, airy=False),
        ]
        if width >= STANDING_FROM:
            boards.insert(0, board_standing(self.view, self.cast, width))
        room = len(below) + len(boards[0]) if self.room is None else self.room
        fitting = [board for board in boards if len(board) + len(below) <= room]
        lines = (fitting or boards[-1:])[0] + below
        for line in lines:
            line.no_wrap = True
            line.truncate(width, overflow="ellipsis")
        return lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.lines(options.max_width)
