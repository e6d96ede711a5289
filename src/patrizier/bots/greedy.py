"""The bot that tries every turn once and takes the one that looks best."""

import numpy as np

from patrizier.move import Move
from patrizier.rules.state import new_cells
from patrizier.state import State
from patrizier.view import View

from .base import Bot
from .evaluation import worth


class GreedyBot(Bot):
    """Looks one turn ahead and judges what would then lie on the table."""

    name = "greedy"
    about = "Takes the turn that looks best at once."

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the legal turn after which the table looks best; one of the equals by chance."""
        assert view.viewer is not None
        world = view.sample(rng)  # what is hidden is guessed, and then not looked at
        reached: dict[tuple[int, ...], State] = {(): world}
        cells, values = new_cells(), []
        for move in view.legal:
            cells[0] = _play(reached, world.turn, move).record
            values.append(round(worth(cells, view.viewer), 9))
        best = [i for i, value in enumerate(values) if value == max(values)]
        return view.legal[best[rng.integers(len(best))]]


def _play(reached: dict[tuple[int, ...], State], turn: int, move: Move) -> State:
    """Return the position after a turn; positions on the way are kept, as many turns share them."""
    codes: tuple[int, ...] = ()
    state = reached[codes]
    while state.turn == turn:
        codes = (*codes, move.decision(state.phase))
        if codes not in reached:
            reached[codes] = state.apply(codes[-1])
        state = reached[codes]
    return state
