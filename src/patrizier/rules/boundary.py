"""The checked boundary between Python and the kernels.

Compiled code checks nothing; outside input passes here or through `check`.
"""

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from patrizier.rules.apply import pass_turn, take
from patrizier.rules.chance import below, deal_order, sort_stars
from patrizier.rules.codes import DECISIONS
from patrizier.rules.jit import direct, kernel
from patrizier.rules.legal import is_legal, legal
from patrizier.rules.score import CHIP_POINTS, leader, totals
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import NONE, TURN_DONE, TURN_FIELDS, Cells, new_cells, set_up
from patrizier.rules.view import fill_in, hide, sort_hands

Event: TypeAlias = npt.NDArray[np.int64]

REFUSED, GOES_ON, ENDED = range(3)  # results of `decide`

# What `decide` reports of a finished turn.
EVENT_FIELDS = (
    *TURN_FIELDS,
    "taller",  # who took the token of the taller tower, if a city was scored
    "lower",
    "chips",  # points of chips for each of its towers
)


def new_event() -> Event:
    """Return an empty event."""
    return np.full(len(EVENT_FIELDS), NONE, np.int64)


@kernel
def lay_out(cells: Cells, buffer: ScratchBuffer, start: int) -> None:
    """Set up a blank state from the deal in the scratch buffer."""
    set_up(cells[0], buffer[0], start)


@kernel
def deal_randomly(cells: Cells, buffer: ScratchBuffer) -> int:
    """Deal at random into the scratch buffer; return the seat that starts."""
    players = int(cells[0].players)
    sort_stars(buffer[0], cells[0])
    deal_order(buffer[0], players)
    return below(buffer[0], players)


@kernel
def list_legal(cells: Cells, buffer: ScratchBuffer) -> int:
    """Write the legal decisions into the scratch buffer; return how many."""
    return legal(cells[0], buffer[0])


@kernel
def decide(cells: Cells, buffer: ScratchBuffer, code: int, event: Event) -> int:
    """Apply a decision if it is legal; fill in the event if that ended the turn."""
    state = cells[0]
    if code < 0 or code >= DECISIONS or not is_legal(state, code, buffer[0]):
        return REFUSED
    take(state, code)
    if state.phase != TURN_DONE:
        return GOES_ON
    event[0] = int(state.card)
    event[1] = int(state.way)
    event[2] = int(state.moved)
    event[3] = int(state.source)
    event[4] = int(state.free)
    event[5] = int(state.drawn)
    event[6] = int(state.refill)
    event[7] = int(state.edge)
    city = int(state.scored)
    event[8] = city
    event[9] = NONE
    event[10] = NONE
    event[11] = 0
    if city != NONE:
        event[9] = int(state.winners[city, 0])
        event[10] = int(state.winners[city, 1])
        event[11] = CHIP_POINTS * int(state.messengers_at[city])
    pass_turn(state)
    return ENDED


@cache
def steps() -> tuple[
    Callable[[Cells, ScratchBuffer], int], Callable[[Cells, ScratchBuffer, int, Event], int]
]:
    """Return `list_legal` and `decide` without type dispatch: see `jit.direct`."""
    cells, buffer = new_cells(), new_scratch()
    return direct(list_legal, cells, buffer), direct(decide, cells, buffer, 0, new_event())


@kernel
def leaders(cells: Cells, out: npt.NDArray[np.int64]) -> None:
    """Fill out[city, site] with who leads each tower now."""
    for city in range(len(out)):
        for site in range(2):
            out[city, site] = leader(cells[0], city, site)


@kernel
def tally(cells: Cells, table: npt.NDArray[np.int64]) -> None:
    """Fill the table with the points as if the game ended now."""
    totals(cells[0], table)


@kernel
def normalise(cells: Cells) -> None:
    """Bring a state into normal form: equal positions have equal bytes."""
    sort_hands(cells[0])


@kernel
def hide_from(cells: Cells, viewer: int) -> None:
    """Mask what a seat cannot know."""
    hide(cells[0], viewer)


@kernel
def sample_hidden(cells: Cells, buffer: ScratchBuffer) -> None:
    """Fill in masked cards at random."""
    fill_in(cells[0], buffer[0])
