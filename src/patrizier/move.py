"""A move: one whole turn, written as in the game record."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from patrizier.errors import InvalidMove
from patrizier.rules.board import CARD_INDEX, CARDS, CITY_INDEX, CODES, EDGE_INDEX, EDGES
from patrizier.rules.codes import (
    DRAW,
    MESSENGER,
    MOVE,
    NO_MESSENGER,
    NO_MOVE,
    SITE_TEXTS,
    build_code,
    tower_index,
    tower_text,
)

NEVER = -1  # a code that is never legal

_TURN = re.compile(
    r"(?P<card>[A-Z]{2}[0-9])"
    r":(?P<sites>LL|LR|RR|L|R)"
    r"(?:>(?P<moved>[A-Z]{2}\.[LR]))?"
    r"(?:\+(?P<draw>[A-Z]{2}))?"
    r"(?:@(?P<messenger>[A-Z]{2}-[A-Z]{2}))?"
)


@dataclass(frozen=True, slots=True)
class Move:
    """One whole turn: card and sites, then the optional parts.

    >>> move = Move("LU3:L>MI.R")
    >>> move.card, move.sites, move.moved, move.draw, move.messenger
    ('LU3', 'L', 'MI.R', None, None)
    >>> str(move)
    'LU3:L>MI.R'
    """

    text: str
    card: str = field(init=False, compare=False, repr=False)  # order card played
    sites: str = field(init=False, compare=False, repr=False)  # L, R, LL, LR or RR
    moved: str | None = field(init=False, compare=False, repr=False)  # tower that loses a floor
    draw: str | None = field(init=False, compare=False, repr=False)  # city of a free draw
    messenger: str | None = field(init=False, compare=False, repr=False)  # pair of neighbours

    def __post_init__(self) -> None:
        match = _TURN.fullmatch(self.text)
        if match is None:
            raise InvalidMove(
                f"{self.text!r} is not a turn: it is written CARD:SITES, "
                "then >CITY.SITE, +CITY and @CITY-CITY where they happen",
                "turn",
            )
        parts = match.groupdict()
        if parts["card"] not in CARD_INDEX:
            card = parts["card"]
            raise InvalidMove(f"{self.text!r}: there is no card {card}", "card", card=card)
        codes = [
            c
            for part in ("moved", "draw", "messenger")
            if parts[part]
            for c in _cities(parts[part])
        ]
        for code in codes:
            if code not in CITY_INDEX:
                raise InvalidMove(f"{self.text!r}: there is no city {code}", "city", city=code)
        if parts["messenger"] and parts["messenger"][:2] >= parts["messenger"][3:]:
            raise InvalidMove(
                f"{self.text!r}: write a messenger's cities in alphabetical order", "order"
            )
        for name, value in parts.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(
        cls,
        card: str,
        sites: str,
        *,
        moved: str | None = None,
        draw: str | None = None,
        messenger: str | None = None,
    ) -> "Move":
        """Make a move from its parts."""
        text = f"{card}:{sites}"
        text += f">{moved}" if moved else ""
        text += f"+{draw}" if draw else ""
        text += f"@{messenger}" if messenger else ""
        return cls(text)

    def decision(self, phase: str) -> int:
        """Return the code of this turn's decision in a phase; NEVER if it has none.

        >>> Move("LU3:L>MI.R").decision("move"), Move("LU3:L>MI.R").decision("draw")
        (175, -1)
        """
        if phase == "build":
            return build_code(self.card, self.sites)
        if phase == "move":
            return MOVE + tower_index(self.moved) if self.moved else NO_MOVE
        if phase == "draw":
            return DRAW + CITY_INDEX[self.draw] if self.draw else NEVER
        if phase == "messenger" and self.messenger:
            edge = EDGE_INDEX.get(self.messenger)
            return NEVER if edge is None else MESSENGER + edge
        return NO_MESSENGER if phase == "messenger" else NEVER

    def carry_out(
        self, phase: Callable[[], str], decide: Callable[[int], bool], *, until: str | None = None
    ) -> list[int]:
        """Pass this turn's decisions to ``decide``, one by one; return their codes.

        Stops when ``decide`` returns True (the turn has ended) or the phase is ``until``.
        """
        codes, ended = list[int](), False
        while not ended and phase() != until:
            codes.append(self.decision(phase()))
            ended = decide(codes[-1])
        return codes

    def __str__(self) -> str:
        return self.text


def _cities(part: str) -> list[str]:
    return re.findall("[A-Z]{2}", part)


def turn_text(card: int, crests: int, way: int, moved: int, draw: int, edge: int) -> str:
    """Return a turn as text from the rules' indices; negative ones are left out."""
    text = f"{CARDS[card]}:{SITE_TEXTS[crests - 1][way]}"
    if moved >= 0:
        text += f">{tower_text(moved)}"
    if draw >= 0:
        text += f"+{CODES[draw]}"
    if edge >= 0:
        text += f"@{EDGES[edge]}"
    return text
