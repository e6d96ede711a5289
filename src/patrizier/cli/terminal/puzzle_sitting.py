"""Puzzles in the terminal, and a person's progress."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_data_path
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from patrizier.analysis.sentences import sentence as reason_text
from patrizier.cli.terminal.drawing.cast import GILT, QUIET, Cast
from patrizier.cli.terminal.drawing.picture import Picture
from patrizier.cli.terminal.drawing.piles import piles
from patrizier.cli.terminal.help_text import help_panel
from patrizier.cli.terminal.questions import Asker, Leave
from patrizier.cli.terminal.screen import screen
from patrizier.cli.terminal.sentences import sentence
from patrizier.cli.terminal.turn import TurnMaker
from patrizier.cli.terminal.words import join
from patrizier.game import Game
from patrizier.move import Move
from patrizier.puzzles.puzzle import Puzzle
from patrizier.puzzles.rating import Strength, hardness, newcomer, rated
from patrizier.record import Record

_LINES_BELOW = 6  # lines for a question below the board


@dataclass
class Progress:
    """A person's results, kept in a file; without one, for this run only."""

    file: Path
    person: Strength = field(default_factory=newcomer)
    done: dict[str, int] = field(default_factory=dict)  # how often, by puzzle
    streak: int = 0  # solved at the first try, one after the other

    @classmethod
    def load(cls, file: Path | None = None) -> "Progress":
        """Read the file; one that cannot be read counts as none."""
        progress = cls(file or user_data_path("patrizier", appauthor=False) / "puzzles.json")
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            data = json.loads(progress.file.read_text("utf-8"))
            person = Strength(float(data["mu"]), float(data["sigma"]))
            done = {str(name): int(times) for name, times in data["done"].items()}
            progress.streak = int(data["streak"])
            progress.person, progress.done = person, done
        return progress

    def note(self, puzzle: Puzzle, *, solved: bool) -> None:
        """Count a first try; only the very first one at a puzzle changes the rating."""
        if puzzle.id not in self.done:
            self.person, _ = rated(self.person, hardness(puzzle.rating), solved=solved)
        self.done[puzzle.id] = self.done.get(puzzle.id, 0) + 1
        self.streak = self.streak + 1 if solved else 0
        self._save()

    def _save(self) -> None:
        data: Mapping[str, object] = {
            "mu": self.person.mu,
            "sigma": self.person.sigma,
            "streak": self.streak,
            "done": self.done,
        }
        with suppress(OSError):  # it still counts for this run
            self.file.parent.mkdir(parents=True, exist_ok=True)
            new = self.file.with_suffix(".new")
            new.write_text(json.dumps(data), "utf-8")
            new.replace(self.file)


class PuzzleSitting:
    """One puzzle, tried until it is solved or given up."""

    def __init__(self, puzzle: Puzzle, progress: Progress) -> None:
        self.puzzle = puzzle
        self.progress = progress
        seat = puzzle.view.viewer
        assert seat is not None
        self.seat = seat
        self.cast = Cast.of(puzzle.source.options, you=seat)
        self.console = screen()
        self.asker = Asker(self.console, self._help, self._picture, self._piles)

    def run(self) -> bool:
        """Ask until it is solved or given up; return whether to go on with another one."""
        try:
            self._welcome()
            first = True
            while True:
                self._picture()
                move = self._answer()
                solved = self.puzzle.is_solved_by(move)
                if first:
                    self.progress.note(self.puzzle, solved=solved)
                first = False
                if solved:
                    self.console.print(Text("\nRight.", f"bold {GILT}"))
                    break
                self.asker.say("\nThere is something better.")
                if not self.asker.confirm("Try again? (b shows the solution)"):
                    break
            self._solution()
            return self.asker.confirm("Another puzzle? (q quits)")
        except (Leave, KeyboardInterrupt, EOFError):
            self.console.print()
            return False

    def _welcome(self) -> None:
        puzzle = self.puzzle
        title = Text(f"Puzzle {puzzle.id}", f"bold {GILT}")
        self.console.print(Rule(title, style=QUIET, align="left"))
        messengers = " with messengers" if puzzle.source.options.rules else ""
        self.asker.say(
            f"{puzzle.players} players{messengers}, rating {puzzle.rating}. "
            f"Your rating: {self.progress.person.points}; in a row: {self.progress.streak}."
        )
        what = "the best messenger" if puzzle.source.begun else "the best turn"
        sure = "worked out to the end, only one is best" if puzzle.exact else "one is clearly ahead"
        name = self.cast.names[self.seat]
        self.asker.say(f"You are {name}. Find {what}: {sure}.")

    def _answer(self) -> Move:
        game = self.puzzle.game.copy()
        maker = TurnMaker(game, self.cast, self.asker)
        if game.phase == "messenger":
            maker.after_the_refill()
        else:
            maker.before_the_refill()
        pending = game.view(self.seat).pending
        return pending.move if pending else game.records[-1].move

    def _solution(self) -> None:
        puzzle = self.puzzle
        told = sentence(_record(puzzle), self.cast, puzzle.source.options.deck)
        self.console.print(Text(f"\n{puzzle.solution}", "bold"), Text(told), sep="  ")
        why = [reason_text(reason, self.cast.names) for reason in puzzle.why]
        self.asker.say(f"Why: {join(why)}.")
        if puzzle.line:
            self.asker.say(f"Then: {' '.join(move.text for move in puzzle.line)}")
        themes = ", ".join(theme.replace("-", " ") for theme in puzzle.themes)
        self.console.print(Text(f"Themes: {themes}", QUIET))

    def _picture(self) -> None:
        room = self.console.height - _LINES_BELOW if self.console.is_terminal else None
        self.console.print()
        self.console.print(Picture(self.puzzle.view, self.cast, room=room))

    def _piles(self) -> None:
        self.console.print()
        for heading, cards in piles(self.puzzle.view, self.cast):
            self.console.print(heading, Padding(cards, (0, 0, 0, 2)), sep="\n")

    def _help(self) -> None:
        self.console.print(help_panel(self.puzzle.source.options))


def _record(puzzle: Puzzle) -> Record:
    """Return the solution as it would be played."""
    game: Game = puzzle.game.copy()
    move, turn = puzzle.solution, game.turn
    if puzzle.source.begun:
        return game.play(move)
    game.play_until(move, "messenger")
    pending = game.view(game.seat).pending
    return game.records[-1] if game.turn > turn or pending is None else pending
