"""The strongest bot: PUCT search with learned value and priors, and exact endgames."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from patrizier.bots.base import Bot, Candidate
from patrizier.bots.budget import Budget
from patrizier.bots.endgame.solver import MOST_NODES, MOST_TURNS, Solution, solve, solve_all
from patrizier.bots.search.forest import Forest, PuctTree, Tally, Tree
from patrizier.bots.search.puct import ROOM
from patrizier.move import Move
from patrizier.rules.codes import STEPS, step_of
from patrizier.view import View

_NODES_A_SECOND = 600_000  # of an endgame: an unsolved one costs little more than half the time
_NODES_AN_ITERATION = 4
_EASY = {2: 12.0, 3: 7.6, 4: 8.8, 5: 9.6}  # remaining turns solved with _FEW_NODES half the time
_FEW_NODES = 5000  # each further turn takes about four times as many (two players: three times)


class MctsBot(Bot):
    """PUCT search with a value network and priors fitted by self-play; endgames are solved.

    The tree is kept between turns once the draw pile is empty. Before that, a newly turned-up card
    makes its statistics misleading.
    """

    name = "mcts"
    about = "Our strongest: a search that has learned from its own games what to look for."

    def __init__(self, budget: Budget | None = None, *, explain_nodes: int = MOST_NODES) -> None:
        self.budget = self._usual = budget or Budget(seconds=0.1)
        self._explain_nodes = explain_nodes  # to solve all turns, once the best one is solved
        self.forest: Forest | None = None  # of the last search
        self.searched: View | None = None  # the view of the last search

    @property
    def iterations(self) -> int:
        """Iterations done for the last answer."""
        return self.forest.iterations if self.forest else 0

    def hurry(self, seconds: float | None) -> None:
        """Think no longer than this; a budget of iterations stays as it is."""
        self.budget = self._usual
        if seconds is not None and self._usual.seconds is not None:
            self.budget = replace(self._usual, seconds=min(seconds, self._usual.seconds))

    def scale_time(self, factor: float) -> None:
        """Think so many times as long."""
        self.budget = self._usual = self._usual.scaled(factor)

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the turn made of the most visited decisions."""
        if len(view.legal) == 1:
            return view.legal[0]
        begin = time.perf_counter()
        return self._decide(view, self._solve(view), rng, begin)

    def explain(self, view: View, rng: np.random.Generator) -> tuple[Candidate, ...]:
        """Return the turns searched, the chosen one first, then by visits."""
        if not view.legal:  # somebody else's turn, or the end
            return ()
        begin = time.perf_counter()
        solutions = self._solve(view)
        chosen = self._decide(view, solutions, rng, begin)
        if len(solutions) == 1:
            solutions = solve_all(view, self._explain_nodes) or solutions
        if len(solutions) == len(view.legal):
            solutions = sorted(solutions, key=lambda s: s.move != chosen)
            return tuple(_exactly(s, float(i == 0)) for i, s in enumerate(solutions))
        if solutions:  # only the chosen turn was solved: the others took too many nodes
            self._think(view, rng, begin)
        found = self._candidates(view)
        if solutions:
            found = [c for c in found if c.move != chosen]
            left = sum(candidate.weight for candidate in found)
            found.append(_exactly(solutions[0], 1.0 - left))
        return tuple(sorted(found, key=lambda c: (c.move != chosen, -c.weight, str(c.move))))

    def _solve(self, view: View) -> Sequence[Solution]:
        """Solve the endgame, if the budget is likely to suffice.

        With two players the best turn, with more players every turn.
        """
        nodes = _NODES_AN_ITERATION * (self.budget.iterations or 0)
        if self.budget.seconds is not None:
            nodes = int(_NODES_A_SECOND * self.budget.seconds)
        nodes = max(1, min(MOST_NODES, nodes))
        players = view.options.players
        near = int(_EASY[players] + math.log(nodes / _FEW_NODES, min(1 + players, 4)))
        near = min(near, MOST_TURNS[players])
        if players > 2:
            return solve_all(view, nodes, near) or ()
        solution = solve(view, nodes, near)
        return (solution,) if solution else ()

    def _decide(
        self, view: View, solutions: Sequence[Solution], rng: np.random.Generator, begin: float
    ) -> Move:
        """Return the best turn of the solutions; the search breaks ties.

        With more than two players many turns have the same outcome under optimal play. Opponents
        may not play optimally, so the search picks the most promising of them.
        """
        seat = view.viewer
        assert seat is not None
        most = max((solution.shares[seat] for solution in solutions), default=0.0)
        moves = [solution.move for solution in solutions if solution.shares[seat] == most]
        if len(moves) == 1:
            return moves[0]
        self._think(view, rng, begin)
        return self._best(view, moves or view.legal)

    def _think(self, view: View, rng: np.random.Generator, begin: float) -> None:
        players = view.options.players
        if self.forest is None or self.searched is None or self.searched.options.players != players:
            trees = [self._new_tree(_room(self.budget), players) for _ in range(self.budget.cores)]
            self.forest, self.searched = Forest(self.budget, trees), None
        self.forest.budget = self.budget
        if not self._keep(view):
            self.forest.clear()
        self.searched = view
        self.forest.think(view, rng, begin)

    def _new_tree(self, room: int, players: int) -> Tree:
        """Return an empty tree of this bot's search."""
        return PuctTree(room, players)

    def _keep(self, view: View) -> bool:
        """Whether the trees of the last search apply here; if so, descend to this position."""
        before = self.searched
        if before is None or before.pile_left or before.viewer != view.viewer:
            return False
        if before.phase != "build" or view.phase != "build" or before.options != view.options:
            return False
        if len(before.history) != before.turn or len(view.history) != view.turn:
            return False  # without history it may be another game
        if before.history != view.history[: before.turn] or self.forest is None:
            return False
        if 2 * self.forest.nodes > _room(self.budget):
            return False
        return self.forest.descend([r.move for r in view.history[len(before.history) :]])

    def _best(self, view: View, moves: Sequence[Move]) -> Move:
        """Return the turn made of the most visited decisions, out of these turns."""
        assert self.forest is not None
        parents = self.forest.roots()
        for phase in STEPS[STEPS.index(view.phase) :]:
            wanted = {move.decision(phase) for move in moves}
            best = self.forest.most_tried(parents, wanted)
            if best:  # else the phase is skipped, or was never reached
                code, parents = best
                moves = [move for move in moves if move.decision(phase) == code]
        return moves[0]

    def _candidates(self, view: View) -> list[Candidate]:
        """Return every legal turn that was fully visited, with its statistics."""
        assert self.forest is not None
        players = view.options.players
        known: dict[tuple[int, ...], dict[int, Tally]] = {}
        found: dict[tuple[int, ...], Candidate] = {}
        total = 0
        for move in view.legal:
            parents, last = self.forest.roots(), None
            for phase in STEPS[STEPS.index(view.phase) :]:
                if parents not in known:
                    below = self.forest.tallies(parents, players)
                    known[parents] = {tally.code: tally for tally in below}
                tally = known[parents].get(move.decision(phase))
                if tally:
                    parents, last = tally.nodes, tally
                elif any(step_of(code) == phase for code in known[parents]):
                    last = None  # only its siblings were visited
                    break
            if last and parents not in found:
                total += last.visits
                found[parents] = Candidate(move, last.shares, last.points, last.visits)
        return [
            Candidate(c.move, c.shares, c.points, c.weight / total, c.exact) for c in found.values()
        ]


def _exactly(solution: Solution, weight: float) -> Candidate:
    """Return a solved turn as a candidate."""
    points = tuple(float(p) for p in solution.points)
    return Candidate(solution.move, solution.shares, points, weight, exact=True)


def _room(budget: Budget) -> int:
    """Return how many nodes a tree may need."""
    return ROOM if budget.iterations is None else min(ROOM, 12 * budget.iterations + 100)
