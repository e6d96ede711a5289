"""One game as the bridges see it: codes in; masks, observations and results out."""

from collections.abc import Callable
from functools import cache
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.batch.encoding import encode
from patrizier.batch.layout import FLOATS, OBSERVATION
from patrizier.batch.observation import write_observation
from patrizier.game import Game
from patrizier.options import Options
from patrizier.rules.chance import Seed
from patrizier.rules.codes import DECISIONS
from patrizier.rules.jit import direct, kernel
from patrizier.rules.legal import legal
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import Cells, new_cells

Mask = npt.NDArray[np.int8]
KINDS = ("bytes", "floats")  # of observations
NO_MASK: Mask = np.zeros(DECISIONS, np.int8)  # of a seat that may not act
NO_MASK.flags.writeable = False


@kernel
def _see(cells: Cells, seat: int, rows: npt.NDArray[np.void]) -> None:
    write_observation(cells[0], seat, rows[0])


@kernel
def _mark(cells: Cells, buffer: ScratchBuffer, mask: Mask) -> None:
    for i in range(legal(cells[0], buffer[0])):
        mask[buffer[0].codes[i]] = 1


@cache
def _kernels() -> tuple[Callable[..., None], Callable[..., None]]:
    """Return both without type dispatch: see `jit.direct`."""
    cells, buffer = new_cells(), new_scratch()
    rows, mask = np.zeros(1, OBSERVATION), np.zeros(DECISIONS, np.int8)
    return direct(_see, cells, 0, rows), direct(_mark, cells, buffer, mask)


class Table:
    """A running game, with observations of any seat."""

    def __init__(self, options: Options, seed: Seed, observation: str = "bytes") -> None:
        self.options = options
        self.floats = observation == "floats"
        self.game = Game(options, seed=seed)
        self._prepare()

    def _prepare(self) -> None:
        self._see, self._mark = _kernels()
        self._rows = np.zeros(1, OBSERVATION)
        self._seen = self._rows.view(np.uint8)

    def __getstate__(self) -> dict[str, Any]:
        """Copy the game; kernels cannot be copied, and of a view only its bytes can."""
        return {"options": self.options, "floats": self.floats, "game": self.game}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Continue the game in the copy."""
        self.__dict__.update(state)
        self._prepare()

    def mask(self) -> Mask:
        """Return 1 for every code that is legal now."""
        mask = np.zeros(DECISIONS, np.int8)
        self._mark(self.game._cells, self.game._buffer, mask)
        return mask

    def observation(self, seat: int) -> npt.NDArray[Any]:
        """Return what a seat may know."""
        self._see(self.game._cells, seat, self._rows)
        return _floats_of(self._seen) if self.floats else self._seen.copy()

    def rewards(self) -> list[float]:
        """Return every seat's result: see `rewards_of`; zeros while the game goes on."""
        outcome = self.game.outcome()
        if outcome is None:
            return [0.0] * self.options.players
        return rewards_of(self.options.players, outcome.winners)


def observation_of(cells: Cells, seat: int, floats: bool) -> npt.NDArray[Any]:
    """Return what a seat may know of a position, as bytes or floats."""
    rows = np.zeros(1, OBSERVATION)
    _kernels()[0](cells, seat, rows)
    seen = rows.view(np.uint8)
    return _floats_of(seen) if floats else seen


def _floats_of(seen: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    out = np.zeros((1, FLOATS), np.float32)
    encode(seen[None], out, 0, 1)
    return out.reshape(-1)


def rewards_of(players: int, winners: tuple[int, ...]) -> list[float]:
    """Return the results of a game by seat: players * share of the victory - 1.

    They add up to zero: the winner of a game of two gets 1, the loser -1.

    >>> rewards_of(4, (1,))
    [-1.0, 3.0, -1.0, -1.0]
    """
    share = players / len(winners)
    return [share - 1 if seat in winners else -1.0 for seat in range(players)]


def check_kind(observation: object) -> str:
    """Return the kind of observations; ValueError if there is none such."""
    if observation not in KINDS:
        raise ValueError(f"unknown observation {observation!r}: there are {', '.join(KINDS)}")
    return str(observation)


def code_of(action: object) -> int:
    """Return an action as a code; TypeError unless it is a whole number."""
    try:
        return index(action)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"an action is a whole number, not {action!r}") from None


def board_text(game: Game) -> str:
    """Return the public board as plain text, a line for each city."""
    view = game.view(None)
    who = "over" if view.seat is None else f"player {view.seat} to {view.phase}"
    lines = [f"turn {view.turn} of {view.turns}, {who}"]
    for city in view.cities:
        towers = " | ".join("".join(map(str, tower)) or "-" for tower in (city.left, city.right))
        won = f"  won by {city.winners[0]} and {city.winners[1]}" if city.winners else ""
        card = city.card or "-"
        lines.append(f"{city.code} {city.capacity}  {card:<3}  {towers}{won}")
    return "\n".join(lines)
