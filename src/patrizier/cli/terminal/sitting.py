"""One game at the terminal: a person against bots."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from patrizier.bots.base import Bot
from patrizier.bots.guard import take_turn
from patrizier.bots.warmup import warm_up
from patrizier.cli.files.record_saver import save, why_not_writable
from patrizier.cli.terminal.drawing.cast import GILT, QUIET, Cast
from patrizier.cli.terminal.drawing.picture import Picture
from patrizier.cli.terminal.drawing.piles import piles
from patrizier.cli.terminal.drawing.points import points_table, verdict
from patrizier.cli.terminal.help_text import help_panel
from patrizier.cli.terminal.playback import open_view
from patrizier.cli.terminal.questions import Asker, Leave
from patrizier.cli.terminal.screen import screen
from patrizier.cli.terminal.sentences import turn_line
from patrizier.cli.terminal.turn import TurnMaker
from patrizier.cli.terminal.words import count, join
from patrizier.game import Game
from patrizier.options import Options

_NAMES = ("Bruno", "Carla", "Dario", "Elena", "Flora")  # the bots'
_YOU = 0
_LINES_BELOW = 6  # lines for a question below the board


class Sitting:
    """One game of a person against bots, from the deal to the saved record."""

    def __init__(
        self, options: Options, seed: int, name: str, bots: Sequence[Bot], out: str = ""
    ) -> None:
        """Seat the person first, then the bots; the record goes to the file ``out``, if given."""
        self.seed = seed
        self.bots = bots
        self.out = out
        free = [other for other in _NAMES if other[0].lower() != name[0].lower()]
        self.names = [name, *free[: len(bots)]]
        self.cast = Cast.of(options, self.names, _YOU)
        self.console = screen()
        with self.console.status("Compiling; the first game takes a little longer to start"):
            self.game = Game(options, seed=seed)
            for bot in bots:
                warm_up(options, bot.name, partial(_same, bot))
        self.asker = Asker(self.console, self._help, self._picture, self._piles)
        self.randoms = [np.random.default_rng([seed, seat]) for seat in range(len(bots))]

    def run(self) -> bool:
        """Play to the end, or until the person leaves; return False if saving failed."""
        try:
            self._welcome()
            while not self.game.is_over:
                self._turn()
            self._end()
        except (Leave, KeyboardInterrupt):
            played = count(self.game.turn, "turn")
            self.asker.say(f"\nYou quit after {played}.")
        except EOFError:
            self.asker.say("\nEnd of input: the game stops here.")
            return self._keep(ask=False)
        return self._keep(ask=True)

    # -- the game

    def _welcome(self) -> None:
        rules = self.game.options.rules_text.replace(",", ", ") or "base game"
        kinds = [f"{n} ({bot.name})" for n, bot in zip(self.names[1:], self.bots, strict=True)]
        self.console.print(Rule(Text("Patrizier", f"bold {GILT}"), style=QUIET, align="left"))
        self.asker.say(
            f"{self.game.options.players} players, {rules}. You play against {join(kinds)}."
        )
        self.asker.say(f"To play the same deal again: --seed {self.seed}.")
        self.asker.say(
            "Type the number of your choice. b takes back a step, v shows the board again, "
            "p your own pile, ? explains, q quits."
        )

    def _turn(self) -> None:
        game, seat = self.game, self.game.seat
        assert seat is not None
        if seat == _YOU:
            self._picture()
            TurnMaker(game, self.cast, self.asker).take_turn()
            self.console.print(Rule(style=QUIET))
        else:
            take_turn(game, self.bots[seat - 1], self.randoms[seat - 1])
        self.console.print(turn_line(game.records[-1], self.cast, game.options.deck))

    def _picture(self) -> None:
        room = self.console.height - _LINES_BELOW if self.console.is_terminal else None
        self.console.print()
        self.console.print(Picture(self.game.view(_YOU), self.cast, room=room))

    def _piles(self) -> None:
        self.console.print()
        for heading, cards in piles(self.game.view(_YOU), self.cast):
            self.console.print(heading, Padding(cards, (0, 0, 0, 2)), sep="\n")

    def _help(self) -> None:
        self.console.print(help_panel(self.game.options))

    def _end(self) -> None:
        outcome = self.game.outcome()
        assert outcome is not None
        self.console.print()
        self.console.print(Picture(open_view(self.game), self.cast))
        self.console.print(Text("\nThe game is over", "bold"))
        messengers = "messengers" in self.game.options.rules
        self.console.print(points_table(outcome.scores, self.cast, messengers=messengers))
        self.console.print(Text(f"\n{verdict(outcome, self.cast)}", f"bold {GILT}"))

    # -- the record

    def _keep(self, *, ask: bool) -> bool:
        """Save the record, or offer to; return False if that failed."""
        if not self.game.turn:
            self.asker.say("No turn was played: nothing to save.")
            return True
        file = self.out
        try:
            file = file or (self._ask_for_file() if ask else "")
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        if not file:
            self.asker.say("The game is not saved.")
            return True
        record = self.game.record(self.names)
        try:
            save(record, file)
        except OSError as error:
            self.asker.say(f"{file} could not be written: {error.strerror}. Here is the record:\n")
            print(record)
            return False
        self.asker.say(f"The record is saved in {file}.")
        return True

    def _ask_for_file(self) -> str:
        """Return the file to save in; empty if the person does not want to."""
        while True:
            prompt = "\nSave the record? Type a file name, or Enter for no > "
            file = self.console.input(Text(prompt, GILT)).strip()
            if not file:
                return ""
            file = str(Path(file if file.endswith(".ptr") else f"{file}.ptr").expanduser())
            reason = why_not_writable(file)
            if reason is None:
                return file
            self.asker.say(f"{reason}. Please choose another name.")


def _same(bot: Bot, _name: str) -> Bot:
    return bot
