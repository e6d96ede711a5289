"""Depth-first traversal, shared by both algorithms."""

import numpy as np

from patrizier.bots.endgame.records import CityEnds, Frames, wide
from patrizier.bots.endgame.survey import survey
from patrizier.rules.apply import pass_turn, take
from patrizier.rules.board import CITY_OF_CARD, MAX_CITIES
from patrizier.rules.codes import MOVE, NO_MOVE, WAYS
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.legal import legal
from patrizier.rules.scratch import Scratch
from patrizier.rules.state import BUILDING, MOVING, NONE, OVER, TURN_DONE, Cells, StateRecord

INFINITE = 30_000
_HINT, _KILLER = 1 << 60, 1 << 50  # rank above all other decisions


@inner_kernel
def begins_turn(state: StateRecord) -> bool:
    """Whether a position is looked up in the table: at the start of a turn, and at the end."""
    return bool(state.phase == BUILDING or state.phase == OVER)


@inner_kernel
def start_at(frames: Frames, top: int, bound: int) -> None:
    """Prepare the frame of the start position."""
    frames[top].bound = bound
    for city in range(MAX_CITIES):
        frames[top].outcome[city] = NONE


@inner_kernel
def enter(
    cells: Cells, frames: Frames, ends: CityEnds, search: np.record, depth: int, top: int
) -> bool:
    """Count a node; survey it at the start of a turn. False at the node limit."""
    search.nodes += 1
    if search.nodes > search.most_nodes:
        search.gave_up = 1
        return False
    frame = frames[depth]
    above = frames[max(depth - 1, top)]
    frame.start = depth if begins_turn(cells[depth]) or depth == top else above.start
    if frame.start == depth:
        before = frames[wide(above.start)] if depth > top else frame
        survey(cells[depth], frame, before, search, ends)
    frame.best_code = NONE
    return True


@inner_kernel
def expand(
    state: StateRecord,
    frame: np.record,
    begun: np.record,
    entry: np.record,
    search: np.record,
    scratch: Scratch,
) -> None:
    """List the decisions of a node, the table's best first."""
    frame.best = -INFINITE
    hint = wide(entry.code) if entry.check == begun.check else wide(NONE)
    list_decisions(state, frame, begun, search, scratch, hint)


@inner_kernel
def _same_build(state: StateRecord, begun: np.record, code: int, last: int) -> bool:
    """Whether a build is equivalent to an earlier one."""
    card = code // WAYS
    slot = 0
    while state.hands[wide(state.seat), slot] != card:
        slot += 1
    for other in range(slot):
        if begun.kinds[other] == begun.kinds[slot]:
            return True
    return bool(begun.outcome[CITY_OF_CARD[card]] != NONE and last // WAYS == card)


@kernel
def list_decisions(
    state: StateRecord,
    frame: np.record,
    begun: np.record,
    search: np.record,
    scratch: Scratch,
    hint: int,
) -> None:
    """List the decisions worth trying, with their move-ordering ranks."""
    count = 0
    last = -WAYS
    for i in range(legal(state, scratch)):
        code = int(scratch.codes[i])
        same = False
        if state.phase == BUILDING:
            same = _same_build(state, begun, code, last)
        elif state.phase == MOVING and code != NO_MOVE:
            same = begun.outcome[code - MOVE >> 1] != NONE
        if not same:
            rank = search.history[wide(state.seat), code]
            rank = _KILLER if code == frame.killer else rank
            frame.ranks[count] = _HINT if code == hint else rank
            frame.codes[count] = code
            count += 1
            last = code
    frame.count = count
    frame.next = 0


@inner_kernel
def pick(frame: np.record) -> int:
    """Return the untried decision with the highest rank."""
    first = int(frame.next)
    pick = first
    for i in range(first + 1, int(frame.count)):
        if frame.ranks[i] > frame.ranks[pick]:
            pick = i
    frame.code = frame.codes[pick]
    frame.codes[pick] = frame.codes[first]
    frame.ranks[pick] = frame.ranks[first]
    frame.next = first + 1
    return wide(frame.code)


@kernel
def try_decision(cells: Cells, depth: int, code: int) -> bool:
    """Apply a decision one level deeper; return whether that ended the turn."""
    cells[depth + 1] = cells[depth]
    state = cells[depth + 1]
    take(state, code)
    if state.phase != TURN_DONE:
        return False
    pass_turn(state)
    return True


@inner_kernel
def remember_best(frame: np.record, search: np.record, seat: int) -> None:
    """Update the history heuristic with a best decision."""
    search.history[seat, wide(frame.best_code)] += 1
    frame.killer = frame.best_code
