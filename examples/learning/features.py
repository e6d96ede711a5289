"""Features from which a small network learns quickly: an observation by hand slots and cities.

A decision code names a card, so a network on plain observations learns every card separately. Here
a build is "the card in slot 2, one floor to the right", and each slot describes its card, the city
it builds in and the card that it draws. For games of two, without messengers.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.batch import decode
from patrizier.batch.layout import IN_HAND, OBSERVATION, OWN_SECRET
from patrizier.rules.board import CAPACITY, CITY_OF_CARD
from patrizier.rules.codes import DECISIONS, NO_MOVE, WAYS
from patrizier.rules.score import SET_POINTS

Floats = npt.NDArray[np.float32]

SLOTS = 3
CARD, CITY = 8, 15  # floats that describe a card, a city
SLOT, LYING = 2 * (CARD + CITY), CARD + CITY  # of a slot, of a card on display
BUILDS = SLOTS * WAYS
ACTIONS = BUILDS + DECISIONS - NO_MOVE  # builds by slot; the other codes follow
_IN_CITY = np.eye(10, dtype=np.float32)[CITY_OF_CARD]  # which city each card names
_CITY_OF = np.concatenate([[0], CITY_OF_CARD])  # by card, counted from one


def _hands(seen: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return the cards in the own hand, counted from one; 0 for an empty slot."""
    places = seen["places"]
    own = (places == OWN_SECRET) | (places == IN_HAND)
    cards = np.argsort(~own, axis=1, kind="stable")[:, :SLOTS]
    held: npt.NDArray[np.int64] = np.where(np.take_along_axis(own, cards, 1), cards + 1, 0)
    return held


def actions(rows: npt.NDArray[np.uint8], mask: npt.NDArray[Any]) -> tuple[Any, Any]:
    """Return the code of every action, and which actions are legal."""
    cards = _hands(rows.view(OBSERVATION)[:, 0])
    ways = np.arange(WAYS)
    builds = (WAYS * np.maximum(cards - 1, 0))[:, :, None] + ways
    others = np.broadcast_to(np.arange(NO_MOVE, DECISIONS), (len(rows), DECISIONS - NO_MOVE))
    codes = np.concatenate([builds.reshape(len(rows), -1), others], 1)
    legal = np.take_along_axis(mask.astype(np.bool_), codes, 1)
    legal[:, :BUILDS] &= np.repeat(cards > 0, WAYS, 1)
    return codes, legal


def features(rows: npt.NDArray[np.uint8]) -> Floats:
    """Return the floats for a network, a row for each observation: see `blocks`."""
    seen = rows.view(OBSERVATION)[:, 0]
    games = np.arange(len(seen))
    cards = _cards(seen["faces"][0])
    cities = _cities(seen, cards[1:, 1])
    hands, display = _hands(seen), seen["display"].astype(np.int64)
    slots = []
    for slot in range(SLOTS):
        city = _CITY_OF[hands[:, slot]]
        drawn = display[games, city]
        slots += [cards[hands[:, slot]], cities[games, city]]
        slots += [cards[drawn], cities[games, _CITY_OF[drawn]]]
    lying = np.concatenate([cards[display], cities[games[:, None], _CITY_OF[display]]], 2)
    table = [
        np.eye(6, dtype=np.float32)[seen["phase"]],
        seen["turn"][:, None] / 48,
        seen["pile_left"][:, None] / 33,
        seen["tokens"][:, :2] / 40,
        seen["supply"][:, :2] / 39,
        (seen["heads"][:, :2] / 6).reshape(len(seen), -1),
        (seen["heads"][:, :2] % 3 / 2).reshape(len(seen), -1),
    ]
    by_city = [part.reshape(len(seen), -1) for part in (cities, lying)]
    return np.concatenate([*slots, *by_city, *table], 1).astype(np.float32)


def blocks(floats: Any) -> tuple[Any, Any, Any]:
    """Return the features of each slot, of each city, and of the card that lies at each city."""
    games, edge, end = len(floats), SLOTS * SLOT, SLOTS * SLOT + 10 * CITY
    return (
        floats[:, :edge].reshape(games, SLOTS, SLOT),
        floats[:, edge:end].reshape(games, 10, CITY),
        floats[:, end : end + 10 * LYING].reshape(games, 10, LYING),
    )


def _cards(faces: npt.NDArray[np.uint8]) -> Floats:
    """Return what each card shows, counted from one: the deck is the same in all games."""
    shown = np.zeros((len(faces) + 1, 8), np.float32)
    shown[1:, 0] = 1
    shown[1:, 1] = 1 + (faces & 1)  # floors
    for power in (1, 2, 3):  # free draw, special action, star
        shown[1:, 1 + power] = faces >> power & 1
    heads = faces >> 6
    shown[np.arange(1, len(faces) + 1), 5 + np.minimum(faces >> 4 & 3, 2)] += heads
    return shown


def _cities(seen: npt.NDArray[Any], floors: Floats) -> Floats:
    """Return each city: what is missing, both towers, and floors to come from either hand."""
    places = seen["places"]
    own = (places == OWN_SECRET) | (places == IN_HAND)
    parts = [
        seen["missing"] / 9,
        np.broadcast_to(CAPACITY / 9, seen["missing"].shape),
        seen["missing"] == 0,
        (own * floors) @ _IN_CITY / 3,
        ((places == IN_HAND + 1) * floors) @ _IN_CITY / 3,
    ]
    heights = seen["heights"].astype(np.int64)
    top = np.maximum(heights - 1, 0)[..., None]
    owner = np.take_along_axis(seen["floors"], top, 3)[..., 0]
    for site in range(2):
        counts = seen["counts"][:, :, site].astype(np.float32)
        parts += [heights[:, :, site] / 8, counts[:, :, 0] / 5, counts[:, :, 1] / 5]
        parts += [(counts[:, :, 0] - counts[:, :, 1]) / 3]
        parts += [(owner[:, :, site] == 1) * 1.0 - (owner[:, :, site] == 2)]
    return np.stack(parts, 2).astype(np.float32)


def final_lead(row: npt.NDArray[np.uint8]) -> int:
    """Return the viewer's lead in points, from the last observation of a game."""
    seen = decode(row)
    points = seen["tokens"].astype(int) + SET_POINTS * (seen["heads"] // 3).sum(1)
    return int(points[0] - points[1])
