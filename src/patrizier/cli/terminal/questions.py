"""Prompts: numbered choices, with keys for back, help and quit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from patrizier.cli.terminal.drawing.cast import GILT

T = TypeVar("T")


class Leave(Exception):
    """The person wants to quit."""


@dataclass(frozen=True)
class Choice(Generic[T]):
    """An option, chosen by its number or by a short word."""

    value: T
    text: str | Text
    word: str = ""  # may be typed instead of the number
    note: Text = field(default_factory=Text)  # its effect


class Asker:
    """Asks questions, and repeats them until the answer is valid."""

    def __init__(
        self,
        console: Console,
        on_help: Callable[[], None],
        on_view: Callable[[], None],
        on_piles: Callable[[], None],
    ) -> None:
        """Ask on this console; the functions answer ``?``, ``v`` and ``p``."""
        self.console = console
        self._keys = {"?": on_help, "h": on_help, "v": on_view, "p": on_piles}

    def choose(
        self, question: str, choices: Sequence[Choice[T]], *, first: int = 1, listed: bool = True
    ) -> T | None:
        """Return what the person chooses; None to take back the step before.

        Numbers start at ``first``: 0 where the first choice is to do nothing.
        """
        self.console.print(Text(f"\n{question}", "bold"))
        if listed:
            self.console.print(_list(choices, first))
        last = first + len(choices) - 1
        numbers = f"{first}-{last}" if last > first else f"{first}"
        answers = {str(n): choice.value for n, choice in enumerate(choices, first)}
        answers |= {choice.word.lower(): choice.value for choice in choices if choice.word}
        while True:
            line = self._read(f"{numbers} · b back · ? help > ")
            if line == "b":
                return None
            if line in answers:
                return answers[line]
            wanted = f"a number from {first} to {last}" if last > first else f"{first}"
            self.say(f"That is not possible here: type {wanted}.")

    def confirm(self, question: str) -> bool:
        """Return True for Enter, False to take back the step before."""
        while True:
            line = self._read(f"\n{question} Enter · b back > ")
            if line in ("", "y", "yes"):
                return True
            if line in ("b", "n", "no"):
                return False
            self.say("Press Enter for yes, or type b to take back a step.")

    def say(self, text: str) -> None:
        """Print a plain sentence."""
        self.console.print(Text(text))

    def _read(self, prompt: str) -> str:
        """Return a line of input; handle the keys that work everywhere."""
        while True:
            line = self.console.input(Text(prompt, GILT)).strip().lower()
            if line in ("q", "quit"):
                raise Leave
            if line not in self._keys:
                return line
            self._keys[line]()


def _list(choices: Sequence[Choice[T]], first: int) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style=f"bold {GILT}", min_width=3)
    table.add_column()
    table.add_column()
    for number, choice in enumerate(choices, first):
        table.add_row(str(number), choice.text, choice.note)
    return table
