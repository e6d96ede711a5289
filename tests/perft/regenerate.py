"""Count legal turn sequences anew: ``python tests/perft/regenerate.py``.

Rewrites the counts in counts.toml, and only them: the positions are kept as they stand. To add
one, write it there without counts. Do this only when the rules have changed on purpose.
"""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from patrizier import Deal, Deck, Game, Options
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import new_cells
from patrizier.rules.turns import MOST_STEPS, count_sequences
from patrizier.state import State

FILE = Path(__file__).with_name("counts.toml")
HEAD = """\
# How many sequences of 1, 2, 3, ... legal turns there are in some positions ("perft").
# The counts are written by regenerate.py. Sequences that reach the end of the game stop there.
"""
DEEPEST = 4
MOST = 20_000_000  # sequences in one count


@dataclass(frozen=True)
class Position:
    """A position, given by deal and turns as in a game record, and its counts."""

    name: str
    players: int
    start: int  # seat that begins, from 1
    deal: str
    rules: str = ""
    cards: str = ""  # a deck other than the classic one
    moves: tuple[str, ...] = ()  # turns played before, one round a line
    counts: tuple[int, ...] = ()  # of sequences of 1, 2, 3, ... turns

    def game(self) -> Game:
        """Return the game where the counting starts."""
        cards = dict(word.split("=") for word in self.cards.split())
        deck = Deck.of("loaded", cards) if cards else Deck.classic()
        options = Options(self.players, filter(None, self.rules.split(",")), deck)
        game = Game(options, deal=Deal.from_text(self.deal, self.start - 1))
        for move in " ".join(self.moves).split():
            game.play(move)
        return game

    def to_toml(self) -> str:
        """Return this entry of the file."""
        lines = ["[[position]]", f'name = "{self.name}"', f"players = {self.players}"]
        lines += [f'rules = "{self.rules}"'] if self.rules else []
        lines += [f'cards = "{self.cards}"'] if self.cards else []
        lines += [f"start = {self.start}", f'deal = "{self.deal}"']
        if self.moves:
            lines += ["moves = [", *(f'  "{line}",' for line in self.moves), "]"]
        return "\n".join([*lines, f"counts = {list(self.counts)}"]) + "\n"


def read_positions() -> list[Position]:
    """Return the positions of the file."""
    data = tomllib.loads(FILE.read_text("utf-8"))
    return [
        Position(**entry | {key: tuple(entry.get(key, ())) for key in ("moves", "counts")})
        for entry in data["position"]
    ]


def count(state: State, turns: int) -> int:
    """Return how many sequences of this many turns the engine finds."""
    size = MOST_STEPS * turns + 1
    stack, buffers = new_cells(size), np.repeat(new_scratch(), size)
    stack[0] = state.record
    return int(count_sequences(stack, buffers, turns))


def count_all(state: State) -> tuple[int, ...]:
    """Count deeper and deeper, as long as there are not too many sequences."""
    counts = [count(state, 1)]
    while len(counts) < DEEPEST and counts[-1] * counts[0] <= MOST:
        counts.append(count(state, len(counts) + 1))
    return tuple(counts)


def write_positions(positions: list[Position]) -> str:
    """Return the file with these positions."""
    return "\n".join([HEAD, *(position.to_toml() for position in positions)])


def main() -> None:
    """Rewrite the file."""
    counted = [
        replace(position, counts=count_all(position.game().state)) for position in read_positions()
    ]
    FILE.write_text(write_positions(counted), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
