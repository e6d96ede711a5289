"""The outlook of a position: every seat's share of the victory and points, with all hands open.

One fixed value for the whole game: a short search with the bots' value network, all hands known and
the pile unknown, calibrated. Where the pile is empty and the end is near, the outcome under optimal
play instead. At the end, the result.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from patrizier.analysis.calibration import Calibration, calibration_for
from patrizier.bots.endgame.solver import solve
from patrizier.bots.learned.value import Weights, load_weights, new_features
from patrizier.bots.search.puct import new_tree, reset_tree, search_open
from patrizier.options import Options
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import DEALT, TAKEN, Cells, copy_cells, new_cells
from patrizier.state import State

Numbers: TypeAlias = npt.NDArray[np.float64]

ITERATIONS = 100  # of an appraisal


@dataclass(frozen=True, slots=True)
class Outlook:
    """Every seat's expected result."""

    shares: Numbers  # of the victory, by seat; they add up to 1
    points: Numbers  # final, by seat
    exact: bool = False  # solved, or the result


class Appraiser:
    """Appraises the positions of games with the same options, by short searches.

    A search sees the use of the cards on display, which the network alone hardly does. Its
    seed is fixed, so the value is a function of the position.
    """

    def __init__(
        self,
        options: Options,
        calibration: Calibration | None = None,
        *,
        iterations: int = ITERATIONS,
    ) -> None:
        self.options = options
        self.calibration = calibration or calibration_for(options)
        self._iterations = iterations
        self._weights = by_value_alone(load_weights(options.players))
        self._tree = new_tree(20 * iterations + 200)
        self._features = new_features()
        self._buffer = new_scratch()
        self._cells = new_cells(3)

    def outlook(self, cells: Cells) -> Outlook:
        """Return the estimated outlook; the result if the game is over."""
        return self._appraise(cells, (), int(cells["pile_left"][0]) - 1)

    def after(
        self, cells: Cells, codes: tuple[int, ...], cards: Sequence[int] | None = None
    ) -> tuple[Outlook, Outlook]:
        """Return the outlook after decisions before the next card is seen, and after it.

        The first is the mean over all cards of the pile, or over a sample of them.
        """
        top = int(cells["pile_left"][0]) - 1
        seen = self._appraise(cells, codes, top)
        if top < 0:
            return seen, seen
        if cards is None:
            cards = range(top + 1)
        each = [seen if card == top else self._appraise(cells, codes, card) for card in cards]
        shares = np.mean([outlook.shares for outlook in each], axis=0)
        points = np.mean([outlook.points for outlook in each], axis=0)
        return Outlook(shares, points, seen.exact), seen

    def _appraise(self, cells: Cells, codes: tuple[int, ...], card: int) -> Outlook:
        players, tree = self.options.players, self._tree
        self._cells[0] = cells[0]
        reset_tree(tree.search)
        over = search_open(
            self._cells,
            self._buffer,
            tree.search,
            self._features,
            self._weights,
            np.array(codes, np.int64),
            card,
            np.uint64(0),
            self._iterations,
        )
        root = tree.results[int(tree.search["root"][0])]
        shares = root["reward"][:players] / self._iterations
        points = root["points"][:players] / self._iterations
        if not over:
            shares = self.calibration.apply(shares, int(self._cells["turn"][1]))
        return Outlook(shares, points, bool(over))


def by_value_alone(weights: Weights) -> Weights:
    """Return weights for a search without playouts and without a margin in points: less noise.

    Only the last round of more than two players is played out: there the network is weak.
    """
    weights = weights.copy()
    weights["trust"] = weights["later_trust"] = 1.0
    weights["margin"] = 0.0
    return weights


def solved_outlook(state: State, nodes: int) -> Outlook | None:
    """Return the outcome under optimal play with all hands open; None if that is out of reach."""
    if state.seat is None or int(state.record["pile_left"]):
        return None
    solution = solve(laid_open(state).view(state.seat), nodes)
    if solution is None:
        return None
    return Outlook(np.array(solution.shares), np.array(solution.points, float), exact=True)


def laid_open(state: State) -> State:
    """Return the position as if every card in a hand had been taken from the display."""
    cells = copy_cells(state._cells)
    where = cells["where"][0]
    dealt = (where >= DEALT) & (where < TAKEN)
    where[dealt] += TAKEN - DEALT
    return State(state.options, cells)
