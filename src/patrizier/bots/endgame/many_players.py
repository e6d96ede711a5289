"""Three or more players: max^n search, in which every seat maximises its own result."""

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
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.scratch import ScratchBuffer
from patrizier.rules.state import NONE, Cells

_WHOLE = 60  # an unshared victory; divisible by 2 to 5


@kernel
def search_many(
    cells: Cells,
    frames: Frames,
    table: Table,
    ends: CityEnds,
    searches: Searches,
    buffer: ScratchBuffer,
    top: int,
) -> None:
    """Search from cells[top]; the outcome is then in frames[top]."""
    search = searches[0]
    players = wide(cells[top].players)
    depth = top
    start_at(frames, top, 0)
    entering = True
    while True:
        state = cells[depth]
        frame = frames[depth]
        above = frames[max(depth - 1, top)]
        seat = wide(state.seat)
        if entering and not enter(cells, frames, ends, search, depth, top):
            return
        begun = frames[wide(frame.start)]
        entry = table[wide(begun.key & np.uint64(len(table) - 1))]
        begins = begins_turn(state)
        known = False
        if entering:
            if begins and entry.check == frame.check and entry.winners:
                _copy_end(entry, frame)
                known = True
            elif begins and _is_sure(frame, players):
                known = True
            else:
                frame.claim = 0
                frame.winners = 0
                if depth > top and above.winners and above.turned:
                    rival = wide(cells[depth - 1].seat)
                    frame.claim = _share(wide(above.winners), rival)
                    known = _is_worse(frame, above, rival, players)  # then it has no outcome
                elif depth > top and not above.turned:
                    _copy_end(above, frame)
            if not known:
                expand(state, frame, begun, entry, search, buffer[0])
        if not known:
            # Cutoff: this seat gets so much that the seat above will avoid this position.
            enough = _share(wide(frame.winners), seat) + begun.claim > _WHOLE
            if frame.next < frame.count and not enough:
                frame.turned = int(try_decision(cells, depth, pick(frame)))
                depth += 1
                entering = True
                continue
            if frame.best_code != NONE:
                remember_best(frame, search, seat)
            if begins and enough:
                frame.winners = 0
            elif begins:
                entry.check = frame.check
                entry.code = frame.best_code
                _copy_end(frame, entry)
        if depth == top:
            return
        depth -= 1
        entering = False
        if _is_better(frame, above, wide(cells[depth].seat), players):
            _copy_end(frame, above)
            above.best_code = above.code


@inner_kernel
def _share(winners: int, seat: int) -> int:
    """Return a seat's share of a victory."""
    count = 0
    for bit in range(MAX_PLAYERS):
        count += winners >> bit & 1
    return _WHOLE // count if winners >> seat & 1 else 0


@inner_kernel
def _lead(frame: np.record, seat: int, players: int) -> int:
    """Return a seat's points minus the best other seat's, in a frame's outcome."""
    best = -INFINITE
    for other in range(players):
        if other != seat:
            best = max(best, int(frame.points[other]))
    return int(frame.points[seat]) - best


@inner_kernel
def _is_better(one: np.record, two: np.record, seat: int, players: int) -> bool:
    """Whether a seat prefers the outcome in one frame to that in another.

    By its share of the victory, then its lead, then its points. The points of all seats break ties,
    so that the result does not depend on the order of search.
    """
    if one.winners == 0 or two.winners == 0:
        return bool(one.winners != 0)
    gain = _share(int(one.winners), seat) - _share(int(two.winners), seat)
    if gain == 0:
        gain = _lead(one, seat, players) - _lead(two, seat, players)
    if gain == 0:
        gain = int(one.points[seat]) - int(two.points[seat])
    for other in range(players):
        if gain == 0:
            gain = int(one.points[other]) - int(two.points[other])
    if gain == 0:
        gain = int(one.winners) - int(two.winners)
    return gain > 0


@inner_kernel
def _copy_end(one: np.record, two: np.record) -> None:
    """Copy an outcome from one record to another."""
    two.winners = one.winners
    for seat in range(MAX_PLAYERS):
        two.points[seat] = one.points[seat]


@inner_kernel
def _is_sure(frame: np.record, players: int) -> bool:
    """Whether the outcome is decided; it is then written into the frame."""
    most = -INFINITE
    fewest = INFINITE
    for seat in range(players):
        if frame.most[seat] != 0 or frame.least[seat] != 0:
            return False
        frame.points[seat] = frame.sure[seat]
        most = max(most, int(frame.sure[seat]))
    tied = 0
    for seat in range(players):
        if frame.sure[seat] == most:
            tied += 1
            fewest = min(fewest, int(frame.floors[seat]))
    frame.winners = 0
    for seat in range(players):
        if frame.sure[seat] == most and frame.floors[seat] == fewest:
            frame.winners |= 1 << seat
    return tied == 1 or frame.shown == 0  # else the remaining floors decide


@inner_kernel
def _is_worse(frame: np.record, above: np.record, seat: int, players: int) -> bool:
    """Whether a seat cannot do better here than what it already has above (a cutoff)."""
    own = int(frame.sure[seat]) + int(frame.most[seat])
    best = -INFINITE
    for other in range(players):
        if other != seat:
            best = max(best, int(frame.sure[other]) + int(frame.least[other]))
    gain = (_WHOLE if own >= best else 0) - _share(int(above.winners), seat)
    if gain == 0:
        gain = own - best - _lead(above, seat, players)
    if gain == 0:
        gain = own - int(above.points[seat])
    return gain < 0
