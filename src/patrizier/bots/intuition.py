"""The value network alone: it judges the position after every legal turn, without a search."""

import numpy as np
import numpy.typing as npt

from patrizier.bots.base import Bot
from patrizier.bots.learned.value import (
    FeatureBuffer,
    Weights,
    evaluate,
    load_weights,
    new_features,
)
from patrizier.move import NEVER, Move
from patrizier.rules.apply import apply
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.codes import STEPS
from patrizier.rules.jit import kernel
from patrizier.rules.score import TOTAL, totals, winners
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import OVER, Cells, new_cells
from patrizier.rules.view import fill_in
from patrizier.view import View

WORLDS = 16  # samples of the hidden cards that a turn is judged in


class IntuitionBot(Bot):
    """Judges the position after each turn by the value network, averaged over hidden cards."""

    name = "intuition"
    about = "What the search of mcts has learned, without the search: under a millisecond a turn."

    def __init__(self) -> None:
        self._cells = new_cells(3)
        self._features = new_features()

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the turn after which the network likes the position best."""
        if len(view.legal) == 1:
            return view.legal[0]
        return view.legal[int(np.argmax(self.judge(view, rng)))]

    def judge(self, view: View, rng: np.random.Generator) -> npt.NDArray[np.float64]:
        """Return the viewer's reward after each legal turn, as the search counts it."""
        buffer = new_scratch(int(rng.integers(0, 2**64, dtype=np.uint64)))
        self._cells[0] = view.known()[0]
        codes = np.array([[move.decision(step) for step in STEPS] for move in view.legal])
        rewards = np.zeros(len(codes))
        weights = load_weights(view.options.players)
        judge_turns(self._cells, buffer, self._features, weights, codes, WORLDS, rewards)
        return rewards / WORLDS


@kernel
def judge_turns(
    cells: Cells,
    buffer: ScratchBuffer,
    features: FeatureBuffer,
    weights: Weights,
    codes: npt.NDArray[np.int64],
    worlds: int,
    rewards: npt.NDArray[np.float64],
) -> None:
    """Add up the reward of the seat to move after each turn, in samples of the hidden cards.

    cells[0] is a state with masked cards. A turn is a row of codes, one for each step; steps that
    do not happen are skipped. All turns are judged in the same worlds.
    """
    seat = int(cells[0].seat)
    turn = int(cells[0].turn)
    players = int(cells[0].players)
    here = features[0]
    table = np.zeros((MAX_PLAYERS, 6), np.int64)
    best = np.zeros(MAX_PLAYERS, np.int64)
    for _ in range(worlds):
        cells[1] = cells[0]
        fill_in(cells[1], buffer[0])
        for row in range(len(codes)):
            cells[2] = cells[1]
            state = cells[2]
            for step in range(codes.shape[1]):
                if state.turn == turn and state.phase == step and codes[row, step] != NEVER:
                    apply(state, codes[row, step])
            if state.phase == OVER:
                totals(state, table)
                count = winners(players, table, best)
                for other in range(players):
                    here.share[other] = 0.0
                    here.final[other] = float(table[other, TOTAL])
                for i in range(count):
                    here.share[best[i]] = 1.0 / count
            else:
                evaluate(state, here, weights[0])
            ahead = float(here.final[seat])
            for other in range(players):
                if other != seat:
                    ahead -= here.final[other] / (players - 1)
            rewards[row] += here.share[seat] + float(weights[0].margin) * ahead
