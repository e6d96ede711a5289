"""Solves the end of a game exactly, once nothing is hidden.

The Python interface of the two algorithms, `two_players` and `many_players`.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from patrizier.bots.endgame.records import (
    CITY_END,
    ENTRY,
    FRAME,
    SEARCH,
    CityEnds,
    Frames,
    Searches,
    Table,
)
from patrizier.bots.endgame.search import search_end
from patrizier.bots.endgame.tree import INFINITE
from patrizier.move import Move
from patrizier.rules import boundary
from patrizier.rules.board import MAX_PLAYERS, cards_in_play
from patrizier.rules.codes import step_of
from patrizier.rules.score import FLOORS, TOTAL
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import OVER, Cells, new_cells
from patrizier.rules.turns import MOST_STEPS
from patrizier.state import phase_of
from patrizier.view import View

MOST_TURNS = {2: 15, 3: 11, 4: 11, 5: 12}  # remaining turns that are tried at most, by players
MOST_NODES = 2_000_000  # a second or two

_TABLE_BITS = 8  # log2 of the table size, plus one bit per remaining turn
_MOST_BITS = 20
_SPARE_BITS = 3  # bits beyond those of the node limit: a small table is faster to allocate
_CITY_BITS = 14


@dataclass(frozen=True, slots=True)
class Solution:
    """A turn, and the outcome after it under optimal play."""

    move: Move
    points: tuple[int, ...]  # by seat
    floors: tuple[int, ...]  # on the board, by seat: fewer wins a tie
    shares: tuple[float, ...]  # of the victory, by seat
    nodes: int  # nodes visited


def settled(view: View) -> bool:
    """Whether nothing is hidden: the pile is empty, and unknown cards are in one hand at most."""
    return view.pile_left == 0 and sum(seat.unknown > 0 for seat in view.seats) <= 1


def turns_left(view: View) -> int:
    """Return the number of remaining turns, including the current one."""
    return len(cards_in_play(view.options.players)) - view.turn


def solve(
    view: View, most_nodes: int = MOST_NODES, most_turns: int | None = None
) -> Solution | None:
    """Return the best turn, assuming that everybody knows all cards, as the viewer does.

    None if it is not the viewer's turn, if something is hidden, or if the end is too far away: more
    than ``most_turns`` (default: MOST_TURNS) remaining turns, or more than ``most_nodes`` nodes.
    """
    if not _is_near(view, most_turns):
        return None
    solver = _Solver(view, most_nodes)
    codes = solver.play_best()
    return None if codes is None else solver.solution(_move_of(view, codes))


def solve_all(
    view: View, most_nodes: int = MOST_NODES, most_turns: int | None = None
) -> tuple[Solution, ...] | None:
    """Return every legal turn with its outcome, best first; None as with `solve`."""
    if not _is_near(view, most_turns):
        return None
    assert view.viewer is not None
    solver, seat = _Solver(view, most_nodes), view.viewer
    solutions = []
    for move in view.legal:
        solver.play(move)
        if solver.play_best() is None:
            return None
        solutions.append(solver.solution(move))
    return tuple(sorted(solutions, key=lambda solution: _worth(solution, seat), reverse=True))


def _is_near(view: View, most_turns: int | None) -> bool:
    """Whether it is the viewer's turn, and the end is near enough."""
    most = MOST_TURNS[view.options.players] if most_turns is None else most_turns
    return turns_left(view) <= most and settled(view) and len(view.legal) > 0


def _worth(solution: Solution, seat: int) -> tuple[float, ...]:
    """Return the sort key by which a seat ranks outcomes, as in `_is_better`."""
    points, floors = solution.points, solution.floors
    lead = points[seat] - max(points[:seat] + points[seat + 1 :])
    if len(points) == 2:
        return lead, floors[1 - seat] - floors[seat]
    winners = sum((share > 0) << other for other, share in enumerate(solution.shares))
    return solution.shares[seat], lead, points[seat], *points, winners


def _move_of(view: View, codes: list[int]) -> Move:
    """Return the legal turn that consists of these decisions."""
    return next(move for move in view.legal if all(move.decision(step_of(c)) == c for c in codes))


Room: TypeAlias = tuple[Cells, Frames, Table, CityEnds, Searches, ScratchBuffer]


def new_room(depth: int, bits: int) -> Room:
    """Return the buffers of a search, with a table of 2**bits entries."""
    return (
        new_cells(depth),
        np.zeros(depth, FRAME),
        np.zeros(1 << bits, ENTRY),
        np.zeros(1 << _CITY_BITS, CITY_END),
        np.zeros(1, SEARCH),
        new_scratch(),
    )


class _Solver:
    """One position, and the buffers to search it."""

    def __init__(self, view: View, most_nodes: int) -> None:
        left = turns_left(view)
        depth = MOST_STEPS * left + 2
        self.start = view.sample(0).record  # nothing is hidden: any sample is the position
        self.players = view.options.players
        bits = min(_TABLE_BITS + left, _MOST_BITS, most_nodes.bit_length() + _SPARE_BITS)
        self.room = new_room(depth, bits)
        self.cells, self.frames, _, _, self.search, self.buffer = self.room
        self.cells[0] = self.start
        self._event = boundary.new_event()
        self.search["most_nodes"] = most_nodes
        self.counted = 0  # nodes already counted in earlier solutions

    @property
    def gave_up(self) -> bool:
        """Whether the node limit was reached."""
        return bool(self.search["gave_up"][0])

    def play(self, move: Move) -> None:
        """Go back to the start and play a turn."""
        self.cells[0] = self.start
        move.carry_out(lambda: phase_of(self.cells), self._take)

    def _take(self, code: int) -> bool:
        """Take a decision in cells[0]; return whether that ended the turn."""
        turned = self._try(code)
        self.cells[0] = self.cells[1]
        return turned

    def _try(self, code: int) -> bool:
        """Take a decision in a copy, cells[1]; return whether that ended the turn."""
        self.cells[1] = self.cells[0]
        return boundary.decide(self.cells[1:], self.buffer, code, self._event) == boundary.ENDED

    def play_best(self) -> list[int] | None:
        """Play optimally to the end; return the decisions of the first turn.

        Ties go to the lowest code, so that the line of play is the same from every position on it.
        None if that took too many nodes.
        """
        codes, turn = [], self.cells["turn"][0]
        goal = self.value(0)
        while self.cells["phase"][0] != OVER and not self.gave_up:
            legal_codes = self.buffer["codes"][0][: boundary.list_legal(self.cells, self.buffer)]
            *others, last = sorted(legal_codes.tolist())
            code = next((code for code in others if self.reaches(goal, code)), last)
            if self.cells["turn"][0] == turn:
                codes.append(code)
            if self._take(code) and isinstance(goal, int):
                goal = -goal
        return None if self.gave_up else codes

    def solution(self, move: Move) -> Solution:
        """Return the outcome of the game played to its end."""
        scores = np.zeros((MAX_PLAYERS, 6), np.int64)
        boundary.tally(self.cells, scores)
        points = scores[: self.players, TOTAL].tolist()
        floors = scores[: self.players, FLOORS].tolist()
        ranks = [(own, -built) for own, built in zip(points, floors, strict=True)]
        share = 1 / ranks.count(max(ranks))
        shares = tuple(share if rank == max(ranks) else 0.0 for rank in ranks)
        before, self.counted = self.counted, int(self.search["nodes"][0])
        return Solution(move, tuple(points), tuple(floors), shares, self.counted - before)

    def value(self, top: int) -> int | tuple[int, ...]:
        """Return the value of cells[top] for the seat to move; with more than two, the outcome."""
        if self.players > 2:
            search_end(*self.room, top, 0)
            points = self.frames["points"][top, : self.players].tolist()
            return (*points, int(self.frames["winners"][top]))
        low = search_end(*self.room, top, -INFINITE)  # bounds that need no search
        high = search_end(*self.room, top, INFINITE)
        value = (low + high) // 2
        while low < high and not self.gave_up:
            bound = value + (value == low)
            value = search_end(*self.room, top, bound)
            low, high = (low, value) if value < bound else (value, high)
        return low

    def reaches(self, goal: int | tuple[int, ...], code: int) -> bool:
        """Whether a decision in cells[0] reaches the value of the position."""
        turned = self._try(code)
        if not isinstance(goal, int):
            return self.value(1) == goal
        if turned:
            return search_end(*self.room, 1, 1 - goal) <= -goal
        return search_end(*self.room, 1, goal) >= goal
