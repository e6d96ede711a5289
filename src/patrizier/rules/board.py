"""The board: ten cities, their tokens and their neighbours."""

from dataclasses import dataclass
from functools import cache

import numpy as np

SITES = "LR"
TOKENS = ("taller", "lower")  # the higher token is for the taller tower
COLOURS = ("black", "white", "red", "yellow", "blue")

MAX_PLAYERS = 5
MAX_CITIES = 10
MAX_HEIGHT = 8  # a complete city of nine has a floor on its other site
LEVELS = MAX_HEIGHT + 2  # two spare levels save the kernels a bounds check
HAND = 3


@dataclass(frozen=True, slots=True)
class City:
    """One city of the board."""

    code: str  # two letters, as in the game record
    name: str
    capacity: int  # floors when complete
    cards: int  # order cards that name it

    @property
    def tokens(self) -> tuple[int, int]:
        """Points for the taller and for the lower tower."""
        return self.capacity, self.capacity - 3


CITIES = (
    City("BO", "Bologna", 9, 7),
    City("FE", "Ferrara", 5, 4),
    City("FI", "Firenze", 9, 7),
    City("LU", "Lucca", 7, 5),
    City("MI", "Milano", 7, 5),
    City("PA", "Parma", 5, 4),
    City("PI", "Pistoia", 9, 7),
    City("RO", "Roma", 9, 7),
    City("SI", "Siena", 7, 5),
    City("VE", "Verona", 5, 4),
)
CODES = tuple(city.code for city in CITIES)
CITY_INDEX = {code: index for index, code in enumerate(CODES)}
PISTOIA = CITY_INDEX["PI"]

# Neighbouring cities, in alphabetical order.
EDGES = (
    *("BO-FE", "BO-FI", "BO-SI", "FE-LU", "FE-VE", "FI-PI"),
    *("LU-MI", "LU-SI", "MI-PA", "PA-VE", "PI-RO", "RO-SI"),
)
EDGE_INDEX = {edge: index for index, edge in enumerate(EDGES)}

CARDS = tuple(f"{city.code}{n}" for city in CITIES for n in range(1, city.cards + 1))
CARD_INDEX = {card: index for index, card in enumerate(CARDS)}

# The same as arrays, which are compiled into the kernels as constants.
CAPACITY = np.array([city.capacity for city in CITIES])
TOKEN_POINTS = np.array([city.tokens for city in CITIES])
CITY_OF_CARD = np.array([CITY_INDEX[card[:2]] for card in CARDS])
EDGE_CITIES = np.array([[CITY_INDEX[code] for code in edge.split("-")] for edge in EDGES])
SUPPLY = np.array([0, 0, 39, 29, 21, 21])  # floors of each colour, by number of players
MESSENGERS = np.array([0, 0, 2, 2, 1, 1])  # messengers of each player


@cache
def cities_in_play(players: int) -> tuple[City, ...]:
    """Return the cities of a game: Pistoia only with five players."""
    return tuple(c for c in CITIES if players == MAX_PLAYERS or c.code != "PI")


@cache
def cards_in_play(players: int) -> tuple[str, ...]:
    """Return the ids of the order cards of a game, in city order."""
    return tuple(c for c in CARDS if players == MAX_PLAYERS or c[:2] != "PI")
