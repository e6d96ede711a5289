"""Two players, zero-sum: null-window searches with a transposition table (MTD).

Each search asks whether a bound can be reached; the solver repeats it until the value is exact.
"""

import numpy as np

from patrizier.bots.endgame.records import CityEnds, Frames, Searches, Table, wide
from patrizier.bots.endgame.tree import (
    INFINITE,
    begins_turn,
    enter,
    expand,
    pick,
    remember_best,
    start_at,
    try_decision,
)
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.scratch import ScratchBuffer
from patrizier.rules.state import NONE, Cells

_POINT = 64  # value of a point, in floors; nobody is ever 64 floors ahead


@kernel
def search_two(
    cells: Cells,
    frames: Frames,
    table: Table,
    ends: CityEnds,
    searches: Searches,
    buffer: ScratchBuffer,
    top: int,
    bound: int,
) -> int:
    """Null-window search from cells[top], fail-soft.

    Return a lower bound of at least ``bound`` if the seat to move can reach it, else an upper bound
    below it.
    """
    search = searches[0]
    depth = top
    start_at(frames, top, bound)
    entering = True
    while True:
        state = cells[depth]
        frame = frames[depth]
        above = frames[max(depth - 1, top)]
        seat = wide(state.seat)
        if entering and not enter(cells, frames, ends, search, depth, top):
            return 0
        begun = frames[wide(frame.start)]
        entry = table[wide(begun.key & np.uint64(len(table) - 1))]
        begins = begins_turn(state)
        known = False
        if entering:
            known = begins and _is_clear(frame, entry, seat)
            if not known:
                expand(state, frame, begun, entry, search, buffer[0])
        if not known:
            enough = frame.best >= frame.bound
            if frame.next < frame.count and not enough:
                frame.turned = int(try_decision(cells, depth, pick(frame)))
                depth += 1
                frames[depth].bound = 1 - frame.bound if frame.turned else frame.bound
                entering = True
                continue
            if frame.best_code != NONE and enough:
                remember_best(frame, search, seat)
            if begins:
                _keep_bound(frame, entry, seat)
        if depth == top:
            return int(frame.best)
        depth -= 1
        entering = False
        value = -int(frame.best) if above.turned else int(frame.best)
        if value > above.best:
            above.best = value
            above.best_code = above.code


@inner_kernel
def _ahead(frame: np.record, seat: int) -> int:
    """Return the guaranteed lead of a seat: points first, then floors."""
    points = int(frame.sure[seat]) - int(frame.sure[1 - seat])
    return _POINT * points - int(frame.floors[seat]) + int(frame.floors[1 - seat])


@inner_kernel
def _is_clear(frame: np.record, entry: np.record, seat: int) -> bool:
    """Whether survey or table decide the bound; the frame's best is then the value."""
    other = 1 - seat
    high = _POINT * (int(frame.most[seat]) - int(frame.least[other])) + int(frame.shown)
    low = _POINT * (int(frame.least[seat]) - int(frame.most[other])) - int(frame.shown)
    if entry.check == frame.check:
        high = min(high, int(entry.high))
        low = max(low, int(entry.low))
    ahead = _ahead(frame, seat)
    missed = ahead + high < frame.bound
    frame.best = ahead + high if missed else ahead + low
    return bool(missed or frame.best >= frame.bound)


@inner_kernel
def _keep_bound(frame: np.record, entry: np.record, seat: int) -> None:
    """Store the bound in the transposition table."""
    value = int(frame.best) - _ahead(frame, seat)
    if entry.check != frame.check:
        entry.check = frame.check
        entry.low = -INFINITE
        entry.high = INFINITE
    if frame.best >= frame.bound:
        entry.low = value
    else:
        entry.high = value
    entry.code = frame.best_code
