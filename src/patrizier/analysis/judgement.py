"""Judges a choice, given what its seat knew: the value of every option, and the best one.

Options are searched in rounds, fewer in each; the option played is always kept. All are compared on
the same samples of hidden cards. The last ones are searched several times, each time with a new
tree: results vary more from tree to tree than with the hidden cards, and larger trees do not change
that. While the verdict is in doubt, more searches follow. Endings without hidden cards are solved
instead.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from patrizier.analysis.calibration import Calibration
from patrizier.analysis.options import Option, options_of
from patrizier.analysis.outlook import ITERATIONS, Numbers, by_value_alone
from patrizier.analysis.verdicts import in_doubt
from patrizier.bots.endgame.solver import solve_all
from patrizier.bots.learned.value import load_weights, new_features
from patrizier.bots.search.puct import Tree, new_tree, reset_tree, search_after
from patrizier.bots.search.tree import children_of
from patrizier.move import Move, turn_text
from patrizier.rules.codes import (
    DRAW,
    MESSENGER,
    MOVE,
    NO_MESSENGER,
    WAYS,
    step_of,
)
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import new_cells
from patrizier.view import View

_BATCHES = 8  # parts of a search, to estimate its error
_BEHIND = 1.5  # standard errors: an option no further behind may still be the best
_APART = 7919  # between the seeds of searches of the same option
_IN_A_LINE = 0.08  # share of the iterations: a line ends where its next turn had fewer


@dataclass(frozen=True, slots=True)
class Round:
    """One round: how many options enter it, and the iterations of a search."""

    options: int
    iterations: int


@dataclass(frozen=True, slots=True)
class Effort:
    """Search effort: rounds and iterations."""

    rounds: tuple[Round, ...]
    nodes: int  # at most, to solve an ending
    appraisal: int = ITERATIONS  # iterations of an outlook
    searches: int = 4  # of an option in the last round
    most: int = 32  # of an option, while the verdict is in doubt

    @property
    def last(self) -> Round:
        """The round whose results count."""
        return self.rounds[-1]


QUICK = Effort((Round(1000, 40), Round(12, 320), Round(5, 1000)), nodes=100_000)
DEEP = Effort((Round(1000, 200), Round(16, 1500), Round(8, 4000)), nodes=2_000_000, searches=6)


@dataclass(frozen=True, slots=True)
class Judged:
    """An option, and its expected result."""

    option: Option
    shares: Numbers  # of the victory, by seat
    points: Numbers  # by seat
    batches: Numbers  # shares by search, or part of one, and by seat, for the error; empty if exact
    exact: bool
    line: tuple[Move, ...] = ()  # how play would go on

    def lead(self, other: "Judged", seat: int) -> tuple[float, float]:
        """Return how much better this is for a seat than another option, and the standard error."""
        ahead = float(self.shares[seat] - other.shares[seat])
        if self.exact or other.exact or self is other:
            return ahead, 0.0
        return ahead, float(self.error_beside(other)[seat])

    def error_beside(self, other: "Judged") -> Numbers:
        """Return the standard error of the difference between two options, by seat."""
        both = min(len(self.batches), len(other.batches))
        differences = self.batches[:both] - other.batches[:both]
        result: Numbers = differences.std(axis=0, ddof=1) / np.sqrt(both)
        return result


class Judge:
    """Judges the choices of one game; keeps its search trees."""

    def __init__(
        self,
        players: int,
        calibration: Calibration,
        effort: Effort,
        in_doubt: Callable[[float, float, int], bool] = in_doubt,
    ) -> None:
        self.effort = effort
        self._in_doubt = in_doubt  # by a lead, its error and the number of players
        self._players = players
        self._calibration = calibration
        self._weights = by_value_alone(load_weights(players))
        room = 14 * effort.last.iterations + 200
        self._tree = new_tree(room)
        self._features = new_features()
        self._cells = new_cells(2)
        self._buffer = new_scratch()

    def judge(self, view: View, played: tuple[int, ...], seed: int) -> list[Judged]:
        """Return the options of the last round, best first; the one played is always among them.

        ``played`` are its decisions, ``view`` is what its seat knew.
        """
        seat, options = view.viewer, options_of(view.sample(0)._cells)
        assert seat is not None
        if exact := self._solve(view, options):
            return exact
        kept = options
        self._cells[0] = view.known()[0]
        for number, one in enumerate(self.effort.rounds[:-1]):
            if len(kept) > self.effort.rounds[number + 1].options:
                worth = {o: self._search(o, one.iterations, seed + number).shares for o in kept}
                kept = self._survivors(kept, worth, seat, played, number + 1)
        judged = {o: self._repeated(o, seed, self.effort.searches) for o in kept}
        if len(kept) > 1:
            self._settle(judged, next(o for o in kept if o.codes == played), seat, seed)
        return sorted(judged.values(), key=lambda each: -each.shares[seat])

    def search(self, view: View, option: Option, iterations: int, seed: int) -> Judged:
        """Search one option of a seat, by what it knows."""
        self._cells[0] = view.known()[0]
        return self._search(option, iterations, seed)

    def _settle(self, judged: dict[Option, Judged], played: Option, seat: int, seed: int) -> None:
        """Search on, as long as the verdict on the option played is in doubt."""
        for searches in range(self.effort.searches, self.effort.most + 1):
            while True:
                best = max(judged, key=lambda option: judged[option].shares[seat])
                short = [o for o in (best, played) if len(judged[o].batches) < searches]
                for option in short:
                    judged[option] = self._repeated(option, seed, searches, judged[option])
                if not short:
                    break
            rival = best
            if best is played:
                others = [option for option in judged if option is not played]
                rival = max(others, key=lambda option: judged[option].shares[seat])
            lead, error = judged[rival].lead(judged[played], seat)
            if searches == self.effort.most or not self._in_doubt(lead, error, self._players):
                return
            for option, found in judged.items():
                behind, error = judged[best].lead(found, seat)
                if behind < _BEHIND * error:
                    judged[option] = self._repeated(option, seed, searches + 1, found)

    def _repeated(
        self, option: Option, seed: int, searches: int, before: Judged | None = None
    ) -> Judged:
        """Search an option until it has had this many searches in all."""
        first = len(before.batches) if before else 0
        found = [
            self._search(option, self.effort.last.iterations, seed + _APART * number)
            for number in range(first, searches)
        ]
        shares = [*(before.batches if before else ()), *(each.shares for each in found)]
        points = [*([before.points] * first if before else ()), *(each.points for each in found)]
        return replace(
            before or found[0],
            shares=np.mean(shares, axis=0),
            points=np.mean(points, axis=0),
            batches=np.array(shares),
        )

    def _survivors(
        self,
        options: Sequence[Option],
        worth: dict[Option, Numbers],
        seat: int,
        played: tuple[int, ...],
        number: int,
    ) -> list[Option]:
        """Return the best options, the one played, and the best that begins like it."""
        ranked = sorted(options, key=lambda option: -worth[option][seat])
        kept = ranked[: self.effort.rounds[number].options]
        for length in range(1, len(played) + 1):
            alike = [o for o in ranked if o.codes[:length] == played[:length]]
            if alike and alike[0] not in kept:
                kept.append(alike[0])
        return kept

    def _search(self, option: Option, iterations: int, seed: int) -> Judged:
        """Search the position after an option, on samples of what the seat does not know."""
        tree, codes = self._tree, np.array(option.codes, np.int64)
        reset_tree(tree.search)
        ends = np.linspace(0, iterations, _BATCHES + 1).astype(int).tolist()
        sums, points = np.zeros((len(ends), self._players)), np.zeros(self._players)
        for number, (first, end) in enumerate(pairwise(ends)):
            search_after(
                self._cells,
                self._buffer,
                tree.search,
                self._features,
                self._weights,
                codes,
                np.uint64(seed),
                first,
                end - first,
            )
            root = tree.results[int(tree.search["root"][0])]
            points = root["points"][: self._players].copy()
            sums[number + 1] = root["reward"][: self._players]
        turn = int(self._cells["turn"][0]) + 1
        shares = self._calibration.apply(_proper(sums[-1] / iterations), turn)
        batches = _proper(np.diff(sums, axis=0) / np.diff(ends)[:, None])
        return Judged(
            option,
            shares,
            points / iterations,
            self._calibration.apply(batches, turn),
            exact=False,
            line=_line(tree, iterations, self._crests),
        )

    def _crests(self, card: int) -> int:
        return 1 + (int(self._cells["faces"][0, card]) & 1)

    def _solve(self, view: View, options: list[Option]) -> list[Judged]:
        """Return all options with their outcome under optimal play; nothing if out of reach."""
        solutions = solve_all(view, self.effort.nodes) if not view.pile_left else None
        if solutions is None:
            return []
        by_move = {option.move: option for option in options}
        return [
            Judged(
                by_move[solution.move],
                np.array(solution.shares),
                np.array(solution.points, float),
                np.empty((0, self._players)),
                exact=True,
            )
            for solution in solutions
            if solution.move in by_move
        ]


def _proper(shares: Numbers) -> Numbers:
    """Return shares without the rounding that may have left them below zero."""
    shares = np.maximum(shares, 0.0)
    result: Numbers = shares / shares.sum(axis=-1, keepdims=True)
    return result


def _line(tree: Tree, iterations: int, crests: Callable[[int], int]) -> tuple[Move, ...]:
    """Return the turns that the search expects, as long as it is confident."""
    node, codes = int(tree.search["root"][0]), list[int]()
    while True:
        children = list(children_of(tree.nodes, node))
        best = max(children, key=lambda child: (child.visits, -child.code), default=None)
        if best is None or best.visits < max(3, _IN_A_LINE * iterations):
            break
        node = best.number
        codes.append(best.code)
    turns, moves = list[list[int]](), list[Move]()
    for code in codes:
        if step_of(code) == "build":
            turns.append([code])
        elif turns:  # else a messenger of the turn judged
            turns[-1].append(code)
    for turn in turns:
        card, way = divmod(turn[0], WAYS)
        moved = next((c - MOVE for c in turn if MOVE <= c < DRAW), -1)
        draw = next((c - DRAW for c in turn if DRAW <= c < NO_MESSENGER), -1)
        edge = next((c - MESSENGER for c in turn if c >= MESSENGER), -1)
        moves.append(Move(turn_text(card, crests(card), way, moved, draw, edge)))
    return tuple(moves)
