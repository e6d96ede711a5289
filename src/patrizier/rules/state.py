"""A position as one named record of small integers, and how a game is set up.

Kernels read and write ``state.floors[city, site, level]``. All fields are bytes; they are
turned into plain integers where they are read (``int(...)``), because NumPy's small integers
overflow where Numba's do not.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from patrizier.rules.board import (
    CAPACITY,
    CARDS,
    EDGES,
    HAND,
    LEVELS,
    MAX_CITIES,
    MAX_PLAYERS,
    MESSENGERS,
    PISTOIA,
    SUPPLY,
)
from patrizier.rules.codes import STEPS
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.scratch import Scratch

NONE = -1
UNKNOWN = -2  # a masked card in a view

# Phases: what the seat to move decides next.
BUILDING, MOVING, DRAWING, POSTING, TURN_DONE, OVER = range(6)
PHASES = (*STEPS, "done", "over")

# Options, as bits.
WITH_MESSENGERS = 1
AT_BUILT_CITY = 2
OPEN_LEDGER = 4  # these two only affect views
OPEN_TOKENS = 8
RULES = {
    "messengers": WITH_MESSENGERS,
    "messenger-at-built-city": AT_BUILT_CITY,
    "open-ledger": OPEN_LEDGER,
    "open-tokens": OPEN_TOKENS,
}

# Where a card is: a base, plus the seat where there is one.
IN_PILE = 0
ON_DISPLAY = 1
DEALT = 2  # in a hand since the deal, unseen by others
TAKEN = DEALT + MAX_PLAYERS  # in a hand, publicly taken from the display
PLAYED = TAKEN + MAX_PLAYERS
UNSEEN = PLAYED + MAX_PLAYERS  # in a view: in the pile or dealt to another seat

MOST_TURNS = len(CARDS)
MOST_PILE = 33  # with two players: 48 cards less six in hands and nine on display

TURN_FIELDS = (
    "card",  # the order card played this turn
    "way",  # how many of its floors went to the right site
    "moved",  # tower the special action took a floor from: city * 2 + site
    "source",  # city whose card was drawn
    "free",  # 1 if the draw was free
    "drawn",  # the card drawn
    "refill",  # the card turned up in its place
    "edge",  # messenger laid: edge number
    "scored",  # city scored this turn
)

STATE = np.dtype(
    (
        np.record,
        [
            ("players", "i1"),
            ("rules", "i1"),  # option bits
            ("start", "i1"),  # seat that began
            ("turn", "i1"),  # completed turns
            ("seat", "i1"),  # seat to decide
            ("phase", "i1"),
            *((field, "i1") for field in TURN_FIELDS),  # NONE until it happens
            ("faces", "u1", len(CARDS)),  # the deck
            ("where", "i1", len(CARDS)),
            ("hands", "i1", (MAX_PLAYERS, HAND)),
            ("display", "i1", MAX_CITIES),
            ("pile", "i1", MOST_PILE),  # bottom to top
            ("pile_left", "i1"),
            ("tops", "i1", MAX_PLAYERS),  # top card of each own pile
            ("heads", "i1", (MAX_PLAYERS, 3)),  # portraits on each own pile
            ("floors", "i1", (MAX_CITIES, 2, LEVELS)),  # owners, bottom to top, then NONE
            ("heights", "i1", (MAX_CITIES, 2)),
            ("counts", "i1", (MAX_CITIES, 2, MAX_PLAYERS)),  # floors of each seat in each tower
            ("missing", "i1", MAX_CITIES),  # floors until a city is complete
            ("supply", "i1", MAX_PLAYERS),
            ("winners", "i1", (MAX_CITIES, 2)),  # who took the taller, the lower tower's token
            ("tokens", "i1", MAX_PLAYERS),  # points of tokens won
            ("chips", "i1", MAX_PLAYERS),  # points of messenger chips won
            ("messengers", "i1", len(EDGES)),  # 1 where one lies
            ("messengers_at", "i1", MAX_CITIES),
            ("messengers_left", "i1", MAX_PLAYERS),
        ],
    )
)

StateRecord: TypeAlias = np.record  # one state, as kernels see it
Cells: TypeAlias = npt.NDArray[np.void]  # an array of states


def new_cells(count: int = 1) -> Cells:
    """Return an array of states. Kernels called from Python take arrays: five times faster."""
    return np.zeros(count, STATE)


def copy_cells(cells: Cells) -> Cells:
    """Return a copy, as bytes: 25 times faster than NumPy's copy field by field."""
    return np.frombuffer(bytearray(cells.tobytes()), STATE)


def blank_cells(players: int, rules: int, faces: npt.NDArray[np.uint8]) -> Cells:
    """Return a state with the options filled in, before the deal."""
    cells = new_cells()
    cells["players"] = players
    cells["rules"] = rules
    cells["faces"][0] = faces
    return cells


@inner_kernel
def in_play(players: int) -> int:
    """Return the number of cards, which is the number of turns."""
    return 55 if players == MAX_PLAYERS else 48


@kernel
def displayed(players: int) -> int:
    """Return the number of cities, which is the number of face-up cards."""
    return 10 if players == MAX_PLAYERS else 9


@inner_kernel
def clear_turn(state: StateRecord) -> None:
    """Clear the fields of the current turn."""
    state.card = NONE
    state.way = NONE
    state.moved = NONE
    state.source = NONE
    state.free = NONE
    state.drawn = NONE
    state.refill = NONE
    state.edge = NONE
    state.scored = NONE


@inner_kernel
def _clear_board(state: StateRecord) -> None:
    """Take everything off the board. Whole fields at once are quicker than city by city."""
    state.where[:] = NONE
    state.hands[:] = NONE
    state.display[:] = NONE
    state.pile[:] = NONE
    state.tops[:] = NONE
    state.heads[:] = 0
    state.floors[:] = NONE
    state.heights[:] = 0
    state.counts[:] = 0
    state.winners[:] = NONE
    state.tokens[:] = 0
    state.chips[:] = 0
    state.messengers[:] = 0
    state.messengers_at[:] = 0


@kernel
def set_up(state: StateRecord, scratch: Scratch, start: int) -> None:
    """Set up a game in a blank state; scratch.order is the deal, as in a record."""
    players = int(state.players)
    rules = int(state.rules)
    state.start = start
    state.turn = 0
    state.seat = start
    state.phase = BUILDING
    clear_turn(state)
    _clear_board(state)
    for seat in range(MAX_PLAYERS):
        seated = seat < players
        state.supply[seat] = SUPPLY[players] if seated else 0
        state.messengers_left[seat] = (
            MESSENGERS[players] if seated and rules & WITH_MESSENGERS else 0
        )
    dealt = 0
    for seat in range(players):
        for slot in range(HAND):
            card = int(scratch.order[dealt]) & 63
            state.hands[seat, slot] = card
            state.where[card] = DEALT + seat
            dealt += 1
    for city in range(MAX_CITIES):
        state.missing[city] = CAPACITY[city]
        if players == MAX_PLAYERS or city != PISTOIA:
            card = int(scratch.order[dealt]) & 63
            state.display[city] = card
            state.where[card] = ON_DISPLAY
            dealt += 1
    left = in_play(players) - dealt
    state.pile_left = left
    for i in range(left):
        card = int(scratch.order[dealt + left - 1 - i]) & 63  # the deal lists the top first
        state.pile[i] = card
        state.where[card] = IN_PILE
