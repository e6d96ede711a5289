"""What a seat may know, written as bytes: `layout` has every field.

The kernel reads a state or what a view knows of it, and writes the same bytes for both: cards in
the pile and secret cards of others are in the same place.
"""

import numpy as np
import numpy.typing as npt

from patrizier.batch.encoding import encode
from patrizier.batch.layout import (
    FACE_UP,
    FLOATS,
    HIDDEN,
    IN_HAND,
    OBSERVATION,
    ON_PILE,
    OUT,
    OWN_SECRET,
)
from patrizier.rules.board import CARDS, EDGES, HAND, MAX_CITIES, MAX_HEIGHT, MAX_PLAYERS
from patrizier.rules.jit import inner_kernel, kernel
from patrizier.rules.state import (
    DEALT,
    IN_PILE,
    ON_DISPLAY,
    OVER,
    PLAYED,
    TAKEN,
    UNKNOWN,
    UNSEEN,
    Cells,
    StateRecord,
)
from patrizier.view import View

_OVER = 5  # the phase's byte: one more than the number of its step


def _relative(players: int, viewer: int, seat: int) -> int:
    return (seat - viewer) % players


def _seat_table() -> npt.NDArray[np.uint8]:
    """Return, by players, viewer and seat + 1, the seat's byte."""
    table = np.zeros((MAX_PLAYERS + 1, MAX_PLAYERS, 8), np.uint8)
    for players in range(2, MAX_PLAYERS + 1):
        for viewer in range(players):
            for seat in range(players):
                table[players, viewer, seat + 1] = 1 + _relative(players, viewer, seat)
    return table


def _place_table() -> npt.NDArray[np.uint8]:
    """Return, by players, viewer and the state's place + 1, the byte of a card's place."""
    table = np.full((MAX_PLAYERS + 1, MAX_PLAYERS, 32), OUT, np.uint8)
    for players in range(2, MAX_PLAYERS + 1):
        for viewer in range(players):
            row = table[players, viewer]
            row[IN_PILE + 1] = row[UNSEEN + 1] = HIDDEN
            row[ON_DISPLAY + 1] = FACE_UP
            for seat in range(players):
                relative = _relative(players, viewer, seat)
                row[DEALT + seat + 1] = OWN_SECRET if seat == viewer else HIDDEN
                row[TAKEN + seat + 1] = IN_HAND + relative
                row[PLAYED + seat + 1] = ON_PILE + relative
    return table


_SEATS = _seat_table()
# The same with a word for each viewer: shifting it is quicker than a table lookup.
_PACKED_SEATS = np.ascontiguousarray(_SEATS.view("<i8")[:, :, 0])
_PLACES = _place_table()


@inner_kernel
def write_observation(state: StateRecord, viewer: int, out: np.record) -> None:
    """Write what a seat may know of a position."""
    players = int(state.players) & 7
    viewer &= 7
    out.players = players
    out.rules = int(state.rules)
    out.turn = int(state.turn)
    phase = int(state.phase)
    mover = 0 if phase == OVER else int(state.seat) + 1
    out.seat = _SEATS[players, viewer, mover & 7]
    out.phase = _OVER if phase == OVER else phase + 1
    out.card = int(state.card) + 1
    out.way = max(int(state.way), 0)
    out.moved = int(state.moved) + 1
    out.free = int(state.free == 1)
    out.source = int(state.source) + 1
    out.drawn = int(state.drawn) + 1
    out.refill = int(state.refill) + 1
    out.scored = int(state.scored) + 1
    out.pile_left = int(state.pile_left)
    for card in range(len(CARDS)):
        out.faces[card] = state.faces[card]
    for card in range(len(CARDS)):
        out.places[card] = _PLACES[players, viewer, (int(state.where[card]) + 1) & 31]
    _write_seats(state, players, viewer, out)
    _write_cities(state, players, viewer, out)
    for edge in range(len(EDGES)):
        out.messengers[edge] = state.messengers[edge]


@inner_kernel
def _write_seats(state: StateRecord, players: int, viewer: int, out: np.record) -> None:
    for relative in range(MAX_PLAYERS):
        seat = viewer + relative
        seat = (seat - players if seat >= players else seat) & 7
        seated = relative < players
        out.unknown[relative] = _unknown(state, seat) if seated and relative > 0 else 0
        for noble in range(3):
            out.heads[relative, noble] = int(state.heads[seat, noble]) if seated else 0
        out.supply[relative] = int(state.supply[seat]) if seated else 0
        out.tokens[relative] = int(state.tokens[seat]) if seated else 0
        out.chips[relative] = int(state.chips[seat]) if seated else 0
        out.messengers_left[relative] = int(state.messengers_left[seat]) if seated else 0


@inner_kernel
def _unknown(state: StateRecord, seat: int) -> int:
    """Count the cards in a hand that nobody else has seen."""
    count = 0
    for slot in range(HAND):
        card = int(state.hands[seat, slot])
        count += int(card == UNKNOWN)
        if card >= 0:
            count += int(state.where[card] == DEALT + seat)
    return count


@inner_kernel
def _write_cities(state: StateRecord, players: int, viewer: int, out: np.record) -> None:
    seats = _PACKED_SEATS[players, viewer]
    for city in range(MAX_CITIES):
        out.display[city] = int(state.display[city]) + 1
        out.missing[city] = int(state.missing[city])
        out.messengers_at[city] = int(state.messengers_at[city])
        for site in range(2):
            out.heights[city, site] = int(state.heights[city, site])
            winner = int(state.winners[city, site]) + 1
            out.winners[city, site] = seats >> 8 * winner & 255
            for level in range(MAX_HEIGHT):
                owner = int(state.floors[city, site, level]) + 1
                out.floors[city, site, level] = seats >> 8 * owner & 255
    for relative in range(MAX_PLAYERS):
        seat = viewer + relative
        seat = (seat - players if seat >= players else seat) & 7
        for city in range(MAX_CITIES):
            for site in range(2):
                own = int(state.counts[city, site, seat])
                out.counts[city, site, relative] = own if relative < players else 0


@kernel
def _observe(cells: Cells, viewer: int, rows: npt.NDArray[np.void]) -> None:
    write_observation(cells[0], viewer, rows[0])


def observe(view: View) -> npt.NDArray[np.uint8]:
    """Return the observation of a view as bytes, the same as those of a `Batch`.

    >>> from patrizier import Game, Options
    >>> game = Game(Options(players=2), seed=7)
    >>> observe(game.view(game.seat)).shape
    (506,)
    """
    if view.viewer is None:
        raise ValueError("a spectator's view has no observation")
    rows = np.zeros(1, OBSERVATION)
    _observe(view.known(), view.viewer, rows)
    return rows.view(np.uint8)


def observe_floats(view: View) -> npt.NDArray[np.float32]:
    """Return the observation of a view as floats."""
    out = np.zeros((1, FLOATS), np.float32)
    encode(observe(view)[None], out, 0, 1)
    return out.reshape(-1)
