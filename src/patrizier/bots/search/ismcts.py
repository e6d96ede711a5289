"""Plain information-set Monte Carlo tree search: the baseline for other bots.

Single observer, random playouts, victory as the only reward. Kept simple on purpose.
"""

import math
import time

import numpy as np

from patrizier.bots.base import Bot
from patrizier.bots.budget import Budget
from patrizier.bots.search.tree import (
    NONE,
    Nodes,
    Search,
    add_node,
    back_up,
    children_of,
    clear,
    new_tree,
)
from patrizier.move import Move
from patrizier.rules.apply import apply
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.chance import below
from patrizier.rules.codes import STEPS
from patrizier.rules.jit import kernel
from patrizier.rules.legal import legal
from patrizier.rules.playout import playout
from patrizier.rules.score import totals, winners
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import OVER, Cells, new_cells
from patrizier.rules.view import fill_in
from patrizier.view import View

EXPLORATION = 0.3  # low: the best of the values tried
_ROOM = 500_000  # nodes; a full tree ends the search early
_CHUNK = 200  # iterations between checks of the clock


class IsmctsBot(Bot):
    """UCT over information sets, with random playouts."""

    name = "ismcts"
    about = "Plain information-set tree search with random playouts: the baseline."

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget or Budget(seconds=0.1)
        if self.budget.cores > 1:
            raise ValueError("it searches on one core: leave out the number of cores")
        self.iterations = 0  # done for the last answer
        self._nodes, self._search = new_tree(_ROOM)
        self._cells = new_cells(2)

    def scale_time(self, factor: float) -> None:
        """Multiply the time budget."""
        self.budget = self.budget.scaled(factor)

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the turn made of the most visited decisions."""
        if len(view.legal) == 1:
            return view.legal[0]
        self._think(view, new_scratch(int(rng.integers(0, 2**64, dtype=np.uint64))))
        return self._best_turn(view)

    def _think(self, view: View, buffer: ScratchBuffer) -> None:
        self._cells[0] = view.known()[0]
        clear(self._nodes, self._search)
        self.iterations = 0
        most = self.budget.iterations
        end = time.perf_counter() + (self.budget.seconds or 0)
        while True:
            count = _CHUNK if most is None else min(_CHUNK, most - self.iterations)
            done = search_uct(self._cells, buffer, self._nodes, self._search, count, EXPLORATION)
            self.iterations += done
            if done < count or self.iterations == most:
                return
            if most is None and time.perf_counter() >= end:
                return

    def _best_turn(self, view: View) -> Move:
        """Follow the most visited decisions through the phases of the turn."""
        candidates, node = list(view.legal), 0
        for phase in STEPS[STEPS.index(view.phase) :]:
            wanted = {move.decision(phase) for move in candidates}
            tried = [child for child in children_of(self._nodes, node) if child.code in wanted]
            if tried:  # else the phase is skipped, or was never reached
                best = max(tried, key=lambda child: (child.visits, child.code))
                candidates = [move for move in candidates if move.decision(phase) == best.code]
                node = best.number
        return candidates[0]


@kernel
def search_uct(
    cells: Cells,
    buffer: ScratchBuffer,
    nodes: Nodes,
    search: Search,
    iterations: int,
    exploration: float,
) -> int:
    """Search from cells[0], a state with masked cards; return the iterations done.

    cells[1] is the working state.
    """
    here = search[0]
    scratch = buffer[0]
    players = int(cells[0].players)
    table = np.zeros((MAX_PLAYERS, 6), np.int64)
    best = np.zeros(MAX_PLAYERS, np.int64)
    for done in range(iterations):
        if here.nodes >= len(nodes):
            return done
        cells[1] = cells[0]
        state = cells[1]
        fill_in(state, scratch)
        node = 0
        here.path[0] = 0
        here.depth = 1
        stamp = int(nodes[0].visits) * 2 + 2
        while state.phase != OVER:
            n = legal(state, scratch)
            for i in range(n):
                here.stamp[scratch.codes[i]] = stamp
            chosen = NONE
            known = 0
            highest = -1.0
            child = int(nodes[node].child)
            while child != NONE:
                candidate = nodes[child]
                code = int(candidate.code)
                if here.stamp[code] == stamp:
                    here.stamp[code] = stamp + 1
                    known += 1
                    candidate.available += 1
                    visits = float(candidate.visits)
                    bound = candidate.reward[int(candidate.seat)] / visits
                    bound += exploration * math.sqrt(math.log(float(candidate.available)) / visits)
                    if bound > highest:
                        highest = bound
                        chosen = child
                child = int(candidate.sibling)
            fresh = known < n
            if fresh:
                pick = below(scratch, n - known)
                code = NONE
                for i in range(n):
                    if here.stamp[scratch.codes[i]] == stamp:
                        if pick == 0:
                            code = int(scratch.codes[i])
                        pick -= 1
                chosen = add_node(nodes, here, node, code, int(state.seat))
                nodes[chosen].available = 1
            for i in range(n):
                here.stamp[scratch.codes[i]] = 0
            apply(state, int(nodes[chosen].code))
            node = chosen
            here.path[int(here.depth)] = node
            here.depth += 1
            if fresh:
                break
        playout(state, scratch)
        totals(state, table)
        count = winners(players, table, best)
        for seat in range(players):
            here.reward[seat] = 0.0
        for i in range(count):
            here.reward[best[i]] = 1.0 / count
        back_up(nodes, here, players)
    return iterations
