"""A one-ply bot: it evaluates the position after every legal turn."""

import numpy as np
import numpy.typing as npt

from patrizier.bots.base import Bot
from patrizier.bots.evaluation import impression
from patrizier.move import Move
from patrizier.rules.state import new_cells
from patrizier.state import State
from patrizier.view import View


class GreedyBot(Bot):
    """Looks one turn ahead with the heuristic evaluation."""

    name = "greedy"
    about = "Takes the turn that looks best at once."

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the turn with the best evaluation; ties are broken at random."""
        values = evaluate_turns(view, rng)
        best = np.flatnonzero(values == values.max())
        return view.legal[int(best[rng.integers(len(best))])]


def evaluate_turns(
    view: View,
    rng: np.random.Generator,
    *,
    minds_ties: bool = True,
    minds_threats: bool = True,
) -> npt.NDArray[np.float64]:
    """Return the evaluation for the viewer after each legal turn, as `impression` does."""
    assert view.viewer is not None
    state = view.sample(rng)  # the evaluation ignores hidden cards
    reached: dict[tuple[int, ...], State] = {(): state}
    cells, values = new_cells(), []
    for move in view.legal:
        cells[0] = _play(reached, state.turn, move).record
        values.append(round(impression(cells, view.viewer, minds_ties, minds_threats), 9))
    return np.array(values)


def _play(reached: dict[tuple[int, ...], State], turn: int, move: Move) -> State:
    """Return the position after a turn; shared prefixes are cached."""
    codes: tuple[int, ...] = ()

    def decide(code: int) -> bool:
        nonlocal codes
        before, codes = codes, (*codes, code)
        if codes not in reached:
            reached[codes] = reached[before].apply(code)
        return reached[codes].turn != turn

    move.carry_out(lambda: reached[codes].phase, decide)
    return reached[codes]
