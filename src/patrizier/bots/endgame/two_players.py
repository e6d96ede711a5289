"""Two players: what one wins the other loses.

It is enough to ask whether a bound can be reached (a null-window search with a transposition
table), again and again, until the value is known exactly.
"""

import numpy as np

from patrizier.bots.endgame.records import CityEnds, Frames, Searches, Table, wide
from patrizier.bots.endgame.tree import (
    INFINITE,
    arrive,
    begins_turn,
    pick,
    remember_best,
    start_at,
    try_decision,
    unfold,
)
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.scratch import Desk
from patrizier.rules.state import NONE, Cells

_POINT = 64  # value of a point in floors; nobody is 64 floors ahead


@kernel
def search_two(
    cells: Cells,
    frames: Frames,
    table: Table,
    ends: CityEnds,
    searches: Searches,
    desk: Desk,
    top: int,
    bound: int,
) -> int:
    """Search from cells[top] with a bound.

    Return a value of at least the bound, if the seat to move can get that much, or else one below
    it that it cannot exceed.
    """
    search = searches[0]
    depth = top
    start_at(frames, top, bound)
    arriving = True
    while True:
        state = cells[depth]
        frame = frames[depth]
        above = frames[max(depth - 1, top)]
        seat = wide(state.seat)
        if arriving and not arrive(cells, frames, ends, search, depth, top):
            return 0
        begun = frames[wide(frame.start)]
        entry = table[wide(begun.key & np.uint64(len(table) - 1))]
        begins = begins_turn(state)
        known = False
        if arriving:
            known = begins and _is_clear(frame, entry, seat)
            if not known:
                unfold(state, frame, begun, entry, search, desk[0])
        if not known:
            enough = frame.best >= frame.bound
            if frame.next < frame.count and not enough:
                frame.turned = int(try_decision(cells, depth, pick(frame)))
                depth += 1
                frames[depth].bound = 1 - frame.bound if frame.turned else frame.bound
                arriving = True
                continue
            if frame.best_code != NONE and enough:
                remember_best(frame, search, seat)
            if begins:
                _keep_bound(frame, entry, seat)
        if depth == top:
            return int(frame.best)
        depth -= 1
        arriving = False
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
    """Whether the bound is certainly reached or missed; the frame's best is then the value."""
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
