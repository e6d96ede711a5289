"""The record of one turn: the move, and what it revealed."""

from dataclasses import dataclass
from typing import Any

from patrizier.move import Move, turn_text
from patrizier.rules.board import CARDS, CITIES, CITY_INDEX, CODES


@dataclass(frozen=True, slots=True)
class Scored:
    """A city that was scored, and who took its tokens."""

    city: str
    taller: int  # seat that took the token of the taller tower
    lower: int  # seat that took the token of the lower tower
    chips: int  # points of messenger chips added to each token

    @property
    def tokens(self) -> tuple[int, int]:
        """The values of the two tokens."""
        return CITIES[CITY_INDEX[self.city]].tokens


@dataclass(frozen=True, slots=True)
class Record:
    """One turn as it happened: everything in it was public."""

    turn: int  # counted from 1
    seat: int
    move: Move
    drawn: str | None  # card taken from the display
    refill: str | None  # card turned up in its place
    scored: Scored | None  # city completed

    def to_json(self) -> dict[str, Any]:
        """Return the record in the form that views use."""
        scored = self.scored
        return {
            "turn": self.turn,
            "seat": self.seat,
            "move": self.move.text,
            "drawn": self.drawn,
            "refill": self.refill,
            "scored": scored
            and {
                "city": scored.city,
                "taller": scored.taller,
                "lower": scored.lower,
                "tokens": list(scored.tokens),
                "chips": scored.chips,
            },
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Record":
        """Read what `to_json` wrote."""
        scored = data["scored"]
        return cls(
            data["turn"],
            data["seat"],
            Move(data["move"]),
            data["drawn"],
            data["refill"],
            scored and Scored(scored["city"], scored["taller"], scored["lower"], scored["chips"]),
        )

    @classmethod
    def from_event(cls, turn: int, seat: int, crests: int, event: list[int]) -> "Record":
        """Make a record from the event of a finished turn."""
        card, way, moved, source, free, drawn, refill, edge, city, taller, lower, chips = event
        move = Move(turn_text(card, crests, way, moved, source if free == 1 else -1, edge))
        return cls(
            turn,
            seat,
            move,
            CARDS[drawn] if drawn >= 0 else None,
            CARDS[refill] if refill >= 0 else None,
            Scored(CODES[city], taller, lower, chips) if city >= 0 else None,
        )
