"""Readable observations: every field by name, and in words."""

from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.batch.layout import (
    HIDDEN,
    IN_HAND,
    OBSERVATION,
    ON_PILE,
    OWN_SECRET,
    describe,
)
from patrizier.rules.board import CARDS, CITIES, CODES, EDGES, MAX_PLAYERS
from patrizier.rules.codes import STEPS, tower_text
from patrizier.rules.deck import NOBLES, face_of_byte
from patrizier.rules.state import RULES

_PHASES = ("", *STEPS, "over")


def decode(row: npt.ArrayLike) -> dict[str, npt.NDArray[np.uint8]]:
    """Return the bytes of one observation by field, in the field's shape."""
    given = np.asarray(row)
    if given.dtype != np.uint8 or given.shape != (OBSERVATION.itemsize,):
        raise ValueError(
            f"an observation is {OBSERVATION.itemsize} bytes (uint8), "
            f"not {given.dtype} of shape {given.shape}"
        )
    return {place.field.name: given[place.bytes].reshape(place.field.shape) for place in describe()}


def explain(row: npt.ArrayLike) -> dict[str, Any]:
    """Return one observation in the game's terms: card ids, city codes, relative seats.

    >>> from patrizier import Game, Options
    >>> from patrizier.batch.observation import observe
    >>> game = Game(Options(players=2), seed=7)
    >>> told = explain(observe(game.view(game.seat)))
    >>> told["phase"], len(told["seats"][0]["secret"]), told["seats"][1]["unknown"]
    ('build', 3, 3)
    """
    seen = decode(row)
    players = int(seen["players"])
    cities = [city for city in CITIES if players == MAX_PLAYERS or city.code != "PI"]
    return {
        "players": players,
        "rules": [rule for rule, bit in RULES.items() if int(seen["rules"]) & bit],
        "turn": int(seen["turn"]),
        "seat": int(seen["seat"]) - 1 if seen["seat"] else None,
        "phase": _PHASES[int(seen["phase"])],
        "now": _turn(seen),
        "pile_left": int(seen["pile_left"]),
        "unseen": _cards_at(seen, HIDDEN),
        "display": {city.code: _card(seen["display"][CODES.index(city.code)]) for city in cities},
        "cities": {city.code: _city(seen, CODES.index(city.code)) for city in cities},
        "messengers": [e for e, lies in zip(EDGES, seen["messengers"], strict=True) if lies],
        "seats": [_seat(seen, seat) for seat in range(players)],
        "deck": {
            card: face_of_byte(int(face))
            for card, face in zip(CARDS, seen["faces"], strict=True)
            if players == MAX_PLAYERS or card[:2] != "PI"
        },
    }


def _card(byte: np.uint8 | npt.NDArray[np.uint8]) -> str | None:
    return CARDS[int(byte) - 1] if byte else None


def _cards_at(seen: dict[str, npt.NDArray[np.uint8]], place: int) -> list[str]:
    return [card for card, at in zip(CARDS, seen["places"], strict=True) if at == place]


def _turn(seen: dict[str, npt.NDArray[np.uint8]]) -> dict[str, Any] | None:
    """Return the turn so far, if it has begun."""
    if not seen["card"]:
        return None
    moved, source, scored = (int(seen[name]) for name in ("moved", "source", "scored"))
    return {
        "card": CARDS[int(seen["card"]) - 1],
        "right": int(seen["way"]),
        "moved": tower_text(moved - 1) if moved else None,
        "free": bool(seen["free"]),
        "source": CODES[source - 1] if source else None,
        "drawn": _card(seen["drawn"]),
        "refill": _card(seen["refill"]),
        "scored": CODES[scored - 1] if scored else None,
    }


def _city(seen: dict[str, npt.NDArray[np.uint8]], city: int) -> dict[str, Any]:
    towers = [[int(owner) - 1 for owner in seen["floors"][city, site] if owner] for site in (0, 1)]
    winners = seen["winners"][city]
    return {
        "left": towers[0],
        "right": towers[1],
        "missing": int(seen["missing"][city]),
        "messengers": int(seen["messengers_at"][city]),
        "winners": [int(seat) - 1 for seat in winners] if winners[0] else None,
    }


def _seat(seen: dict[str, npt.NDArray[np.uint8]], seat: int) -> dict[str, Any]:
    return {
        "hand": _cards_at(seen, IN_HAND + seat),
        "secret": _cards_at(seen, OWN_SECRET) if seat == 0 else [],
        "unknown": int(seen["unknown"][seat]),
        "pile": _cards_at(seen, ON_PILE + seat),
        "heads": dict(zip(NOBLES, seen["heads"][seat].tolist(), strict=True)),
        "supply": int(seen["supply"][seat]),
        "tokens": int(seen["tokens"][seat]),
        "chips": int(seen["chips"][seat]),
        "messengers_left": int(seen["messengers_left"][seat]),
    }
