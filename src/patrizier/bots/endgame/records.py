"""Records of the endgame search: frames (one per decision), search state, transposition table."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from patrizier.rules.board import HAND, MAX_CITIES, MAX_PLAYERS
from patrizier.rules.codes import DECISIONS, MOST_DECISIONS
from patrizier.rules.jit import inner_kernel

ROOM = 256  # stack size for continuations of a city

FRAME = np.dtype(
    (
        np.record,
        [
            # The search: one frame per decision.
            ("codes", "i8", MOST_DECISIONS),  # decisions worth trying
            ("ranks", "i8", MOST_DECISIONS),  # how promising they are
            ("count", "i8"),  # how many there are
            ("next", "i8"),  # the one to try next
            ("code", "i8"),  # the one being tried
            ("turned", "i8"),  # 1 if that ended the turn
            ("start", "i8"),  # depth at which the turn began
            ("best_code", "i8"),
            ("killer", "i8"),  # killer heuristic: last best decision at this depth
            ("best", "i8"),  # two players: the best value so far
            ("bound", "i8"),  # two players: the value to reach
            ("points", "i8", MAX_PLAYERS),  # more players: the best outcome so far
            ("winners", "i8"),  # its winners as bits; 0 if there is no outcome yet
            ("claim", "i8"),  # share of the victory that the seat above has elsewhere
            # The survey: where a turn begins.
            ("cards", "i8", MAX_CITIES),  # remaining cards, packed
            ("special", "i8", MAX_CITIES),  # special actions among them, a byte per holder
            ("outcome", "i8", MAX_CITIES),  # outcome of a decided city; NONE if undecided
            ("heads", "i8", (MAX_PLAYERS + 1, 4)),  # portraits, including those of remaining cards
            ("kinds", "i8", HAND),  # equivalence classes of the mover's cards
            ("posting", "i8"),  # 1 if a messenger may still be laid
            ("worst", "i8"),  # who takes the minus chip
            ("undecided", "i8"),  # cities
            ("displayed", "i8"),  # cards
            ("shown", "i8"),  # floors they will build, owner still open
            ("sure", "i8", MAX_PLAYERS),  # guaranteed points
            ("most", "i8", MAX_PLAYERS),  # possible further points
            ("least", "i8", MAX_PLAYERS),
            ("floors", "i8", MAX_PLAYERS),  # floors built, and those of cards in hand
            ("key", "u8"),  # index into the table
            ("check", "u8"),  # verifies a hit
        ],
    ),
    align=True,
)

SEARCH = np.dtype(
    (
        np.record,
        [
            ("nodes", "i8"),  # nodes visited
            ("most_nodes", "i8"),
            ("gave_up", "i8"),  # 1 if the limit was reached
            ("history", "i8", (MAX_PLAYERS, DECISIONS)),  # history heuristic
            # Continuations of a city: a stack.
            ("towers", "i8", ROOM),
            ("cards", "i8", ROOM),
            ("parent", "i8", ROOM),  # index of the parent
            ("group", "i8", ROOM),  # which card, and who builds
            ("best", "i8", ROOM),  # upper bound for the seat; _NEW until searched
            ("reply", "i8", ROOM),  # minimum over the opponent's choices in this group
        ],
    ),
    align=True,
)

ENTRY = np.dtype(
    (
        np.record,
        [
            ("check", "u8"),
            ("code", "i2"),  # the best decision
            ("low", "i2"),  # two players: bounds of the value from here on
            ("high", "i2"),
            ("points", "i2", MAX_PLAYERS),  # more players: the outcome
            ("winners", "i2"),
        ],
    ),
    align=True,
)
CITY_END = np.dtype((np.record, [("towers", "i8"), ("cards", "i8"), ("found", "i8")]), align=True)

Frames: TypeAlias = npt.NDArray[np.void]
CityEnds: TypeAlias = npt.NDArray[np.void]
Table: TypeAlias = npt.NDArray[np.void]
Searches: TypeAlias = npt.NDArray[np.void]  # an array of one


@inner_kernel
def wide(number: Any) -> int:
    """Return an int64, so that functions are not compiled for each integer size."""
    return np.int64(number)  # type: ignore[return-value]
