"""The layout of an observation: one record of bytes, and the floats made from it.

The same for two to five players, with and without messengers, and for any deck. Seats are relative:
0 is the seat to move, 1 the next to the left. A byte of 0 means none.
"""

from dataclasses import dataclass
from math import prod

import numpy as np

from patrizier.rules.board import CARDS, EDGES, MAX_CITIES, MAX_HEIGHT, MAX_PLAYERS, SUPPLY
from patrizier.rules.state import MOST_PILE, MOST_TURNS, RULES

OBSERVATION_VERSION = 1
"""Changes whenever a byte or a float of an observation changes its place or its meaning."""

# Kinds of bytes, and how each becomes floats.
NUMBER = "number"  # one float: the byte divided by its usual maximum
CHOICE = "choice"  # one-hot floats for the byte's value; all zero for 0
BITS = "bits"  # one float a bit, the lowest first

# Where a card is, as the seat to move knows it; plus the seat, counted from there.
OUT, HIDDEN, FACE_UP, OWN_SECRET, IN_HAND = range(5)
ON_PILE = IN_HAND + MAX_PLAYERS
PLACES = ON_PILE + MAX_PLAYERS - 1

# Cards, seats and cities are numbered from one, and so are phases: 0 is none.
_CARD, _SEAT, _CITY = len(CARDS), MAX_PLAYERS, MAX_CITIES
_PHASES = 5


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an observation."""

    name: str
    shape: tuple[int, ...]  # empty: a single byte
    kind: str  # number, choice or bits
    high: int  # for a number, the value that becomes 1.0; else how many choices or bits
    about: str  # one sentence for people

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return prod(self.shape)

    @property
    def each(self) -> int:
        """How many floats one byte becomes."""
        return 1 if self.kind == NUMBER else self.high


_PER_SEAT, _PER_CITY, _PER_SITE = (MAX_PLAYERS,), (MAX_CITIES,), (MAX_CITIES, 2)

FIELDS = (
    Field("players", (), NUMBER, MAX_PLAYERS, "players in this game"),
    Field("rules", (), BITS, len(RULES), f"options, by bit: {', '.join(RULES)}"),
    Field("turn", (), NUMBER, MOST_TURNS, "completed turns"),
    Field("seat", (), CHOICE, _SEAT, "who decides now; in a batch always oneself"),
    Field("phase", (), CHOICE, _PHASES, "what is decided: build, move, draw, messenger; or over"),
    Field("card", (), CHOICE, _CARD, "order card played this turn"),
    Field("way", (), NUMBER, 2, "how many of its floors went to the right site"),
    Field("moved", (), CHOICE, 2 * _CITY, "tower that lost its top: city × 2 + site, plus one"),
    Field("free", (), NUMBER, 1, "whether this turn's draw is free"),
    Field("source", (), CHOICE, _CITY, "city whose card was drawn this turn"),
    Field("drawn", (), CHOICE, _CARD, "card drawn this turn"),
    Field("refill", (), CHOICE, _CARD, "card turned up in its place"),
    Field("scored", (), CHOICE, _CITY, "city scored this turn"),
    Field("pile_left", (), NUMBER, MOST_PILE, "cards in the draw pile"),
    Field("faces", (_CARD,), BITS, 8, "what each card shows: crest, ?, move, star, noble, heads"),
    Field("places", (_CARD,), CHOICE, PLACES, "where each card is, as far as one knows"),
    Field("unknown", _PER_SEAT, NUMBER, 3, "cards in hand that one does not know"),
    Field("display", _PER_CITY, CHOICE, _CARD, "face-up card at each city"),
    Field("heads", (MAX_PLAYERS, 3), NUMBER, 10, "portraits of Lady, Banker, Knight on each pile"),
    Field("floors", (*_PER_SITE, MAX_HEIGHT), CHOICE, _SEAT, "owners, bottom to top"),
    Field("heights", _PER_SITE, NUMBER, MAX_HEIGHT, "floors of each tower"),
    Field("counts", (*_PER_SITE, MAX_PLAYERS), NUMBER, MAX_HEIGHT, "floors of each seat in it"),
    Field("missing", _PER_CITY, NUMBER, 9, "floors until a city is complete"),
    Field("winners", _PER_SITE, CHOICE, _SEAT, "who took the taller, the lower tower's token"),
    Field("supply", _PER_SEAT, NUMBER, int(SUPPLY.max()), "floors left"),
    Field("tokens", _PER_SEAT, NUMBER, 57, "points of tokens won"),
    Field("chips", _PER_SEAT, NUMBER, 24, "points of messenger chips won"),
    Field("messengers", (len(EDGES),), NUMBER, 1, "whether a messenger lies between two cities"),
    Field("messengers_at", _PER_CITY, NUMBER, 2, "messengers at each city"),
    Field("messengers_left", _PER_SEAT, NUMBER, 2, "messengers still to lay"),
)

OBSERVATION = np.dtype((np.record, [(field.name, "u1", field.shape) for field in FIELDS]))
FLOATS = sum(field.size * field.each for field in FIELDS)
"""How many floats an observation has."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a field lies in an observation, as bytes and as floats."""

    field: Field
    bytes: slice
    floats: slice


def describe() -> tuple[Place, ...]:
    """Return every field with its place among the bytes and among the floats.

    >>> where = {place.field.name: place for place in describe()}
    >>> where["places"].bytes, where["places"].field.shape
    (slice(69, 124, None), (55,))
    """
    places, byte, first = [], 0, 0
    for field in FIELDS:
        floats = field.size * field.each
        places.append(Place(field, slice(byte, byte + field.size), slice(first, first + floats)))
        byte, first = byte + field.size, first + floats
    return tuple(places)
