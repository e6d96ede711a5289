"""Shows a recorded game in the terminal, all at once or step by step."""

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from patrizier.cli.terminal.drawing.cast import GILT, QUIET, Cast
from patrizier.cli.terminal.drawing.picture import Picture
from patrizier.cli.terminal.drawing.points import points_table, verdict
from patrizier.cli.terminal.screen import screen
from patrizier.cli.terminal.sentences import turn_line
from patrizier.cli.terminal.words import count
from patrizier.game import Game
from patrizier.ptr import GameRecord
from patrizier.record import Record
from patrizier.view import View

_KEYS = "Enter next · p previous · a number jumps · q quit"


class Replay:
    """A recorded game, with access to every position."""

    def __init__(self, record: GameRecord, number: int, of: int) -> None:
        """Replay the record; it is game ``number`` ``of`` so many in its file."""
        self.end = record.game()
        self.cast = Cast.of(self.end.options, record.names)
        players = count(self.end.options.players, "player")
        rules = self.end.options.rules_text.replace(",", ", ") or "base game"
        self.title = f"Game {number} of {of}: {players}, {rules}"
        self._positions: list[View] = []

    def turn_line(self, record: Record) -> Table:
        """Return one turn as a numbered sentence."""
        return turn_line(record, self.cast, self.end.options.deck)

    def position(self, turn: int) -> View:
        """Return the view after this many turns."""
        if not self._positions:
            game = Game(self.end.options, deal=self.end.deal)
            self._positions.append(open_view(game))
            for move in self.end.moves:
                game.play(move)
                self._positions.append(open_view(game))
        return self._positions[turn]


def open_view(game: Game) -> View:
    """Return a view with all hands, tokens and piles open: a record holds no secrets."""
    view = game.view(None)
    seats = [game.view(seat).seats[seat] for seat in range(game.options.players)]
    table = [
        replace(table, tokens=seat.tokens, chips=seat.chips, pile=seat.pile)
        for table, seat in zip(view.table, seats, strict=True)
    ]
    return replace(view, seats=tuple(seats), table=tuple(table))


def tell(game: Replay) -> None:
    """Print every turn, the final board and the points."""
    console = screen()
    console.print(Rule(Text(game.title, "bold"), style=QUIET, align="left"))
    for record in game.end.records:
        console.print(game.turn_line(record))
    console.print()
    console.print(Picture(open_view(game.end), game.cast))
    _print_points(console, game)


def _print_points(console: Console, game: Replay) -> None:
    outcome, options = game.end.outcome(), game.end.options
    heading = "The points" if outcome else "The points, if the game ended here"
    console.print(Text(f"\n{heading}", "bold"))
    with_messengers = "messengers" in options.rules
    console.print(points_table(game.end.scores(), game.cast, messengers=with_messengers))
    if outcome:
        console.print(Text(f"\n{verdict(outcome, game.cast)}\n", f"bold {GILT}"))
    else:
        console.print(f"\nThe record ends after {count(game.end.turn, 'turn')}.\n")


def step_through(games: Sequence[Replay]) -> None:
    """Show the games one position at a time, waiting for a key after each."""
    console = screen()
    for game in games:
        if not _step(console, game):
            return


def _step(console: Console, game: Replay) -> bool:
    """Step through one game; return whether the reader wants to see the next."""
    turn, last = 0, game.end.turn
    while True:
        console.print()
        console.print(Rule(Text(game.title, "bold"), style=QUIET, align="left"))
        if turn:
            console.print(game.turn_line(game.end.records[turn - 1]))
        else:
            console.print(Text("The deal", QUIET))
        console.print(Picture(game.position(turn), game.cast, room=console.height - 5))
        if turn == last:
            _print_points(console, game)
        wanted = _ask(console, turn, last)
        if wanted is None:
            return False
        if wanted > last:
            return True
        turn = wanted


def _ask(console: Console, turn: int, last: int) -> int | None:
    """Return the turn the reader wants to see: past the last one to go on, None to quit."""
    while True:
        try:
            key = console.input(Text(f"\n{_KEYS} > ", QUIET)).strip().lower()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return None
        if key in ("", "n"):
            return turn + 1
        if key == "p":
            return max(0, turn - 1)
        if key == "q":
            return None
        if key.isdecimal() and int(key) <= last:
            return int(key)
        console.print(f"Type Enter, p, q or a turn from 0 to {last}.")
