"""One kernel for both algorithms: what they share is compiled once."""

from patrizier.bots.endgame.many_players import search_many
from patrizier.bots.endgame.records import CityEnds, Frames, Searches, Table
from patrizier.bots.endgame.two_players import search_two
from patrizier.rules.jit import kernel
from patrizier.rules.scratch import ScratchBuffer
from patrizier.rules.state import Cells


@kernel
def search_end(
    cells: Cells,
    frames: Frames,
    table: Table,
    ends: CityEnds,
    searches: Searches,
    buffer: ScratchBuffer,
    top: int,
    bound: int,
) -> int:
    """Search from cells[top]: two players for a bound, more for the outcome in frames[top]."""
    if cells[top].players > 2:
        search_many(cells, frames, table, ends, searches, buffer, top)
        return 0
    return search_two(cells, frames, table, ends, searches, buffer, top, bound)
