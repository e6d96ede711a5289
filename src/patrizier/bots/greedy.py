"""The bot that tries every turn once and takes the one that looks best."""

import numpy as np
import numpy.typing as npt

from patrizier.bots.base import Bot
from patrizier.bots.evaluation import worth
from patrizier.move import Move
from patrizier.rules.state import new_cells
from patrizier.state import State
from patrizier.view import View


class GreedyBot(Bot):
    """Looks one turn ahead and judges what would then lie on the table."""

    name = "greedy"
    about = "Takes the turn that looks best at once."

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the legal turn after which the table looks best; one of the equals by chance."""
        values = judge_turns(view, rng)
        best = np.flatnonzero(values == values.max())
        return view.legal[int(best[rng.integers(len(best))])]


def judge_turns(view: View, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Return what the table would be worth to the viewer after each legal turn."""
    assert view.viewer is not None
    world = view.sample(rng)  # what is hidden is guessed, and then not looked at
    reached: dict[tuple[int, ...], State] = {(): world}
    cells, values = new_cells(), []
    for move in view.legal:
        cells[0] = _play(reached, world.turn, move).record
        values.append(round(worth(cells, view.viewer), 9))
    return np.array(values)


def _play(reached: dict[tuple[int, ...], State], turn: int, move: Move) -> State:
    """Return the position after a turn; positions on the way are kept, as many turns share them."""
    codes: tuple[int, ...] = ()

    def decide(code: int) -> bool:
        nonlocal codes
        before, codes = codes, (*codes, code)
        if codes not in reached:
            reached[codes] = reached[before].apply(code)
        return reached[codes].turn != turn

    move.carry_out(lambda: reached[codes].phase, decide)
    return reached[codes]
