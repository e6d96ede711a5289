"""A hand-written heuristic evaluation of a position."""

import math

import numpy as np
import numpy.typing as npt

from patrizier.rules.board import (
    CITY_OF_CARD,
    HAND,
    MAX_CITIES,
    MAX_PLAYERS,
    PISTOIA,
    TOKEN_POINTS,
)
from patrizier.rules.deck import HEADS_SHIFT, NOBLE_SHIFT, SECOND_CREST
from patrizier.rules.jit import kernel
from patrizier.rules.score import CHIP_POINTS, PENALTY, SET_POINTS, leader, penalised
from patrizier.rules.state import NONE, TAKEN, Cells, StateRecord, in_play

_ONE_HEAD = 1.2  # value of one, of two portraits beyond full sets, early in the game
_TWO_HEADS = 3.0
_IN_HAND = 1.5  # a floor in hand is worth more than one built: it is flexible
_TOP = 0.3  # owning the floor that decides a tie, in floors
_BLUR = 1.2  # uncertainty per remaining floor


@kernel
def worth(cells: Cells, seat: int) -> float:
    """Return the expected points of a seat, minus the mean of the others.

    Uses only the table, the seat's own hand and cards that others took publicly, so sampled
    hidden cards do not matter.
    """
    state = cells[0]
    players = int(state.players)
    points = np.zeros(MAX_PLAYERS)
    claims = np.zeros(MAX_PLAYERS)
    for city in range(MAX_CITIES):
        if state.winners[city, 0] == NONE and (city != PISTOIA or players == MAX_PLAYERS):
            _add_city(state, city, seat, claims, points)
    for other in range(players):
        points[other] += int(state.tokens[other]) + int(state.chips[other])
    worst = penalised(state)
    if worst != NONE:
        points[worst] += PENALTY * int(state.turn) / in_play(players)
    rivals = (points[:players].sum() - points[seat]) / (players - 1)
    return float(points[seat] + _portraits(state, seat) - rivals)


@kernel
def _add_city(
    state: StateRecord,
    city: int,
    seat: int,
    claims: npt.NDArray[np.float64],
    points: npt.NDArray[np.float64],
) -> None:
    """Add the expected points of the two towers of an open city."""
    missing = int(state.missing[city])
    low = int(TOKEN_POINTS[city, 1])
    more = int(TOKEN_POINTS[city, 0]) - low
    chips = CHIP_POINTS * int(state.messengers_at[city])
    blur = _BLUR * math.sqrt(missing)
    for site in range(2):
        lead = int(state.heights[city, site]) - int(state.heights[city, 1 - site])
        prize = low + chips + more / (1.0 + math.exp(-lead / blur))
        total = 0.0
        for player in range(int(state.players)):
            claims[player] = math.exp(_claim(state, city, site, player, seat) / blur)
            total += claims[player]
        for player in range(int(state.players)):
            points[player] += prize * claims[player] / total


@kernel
def _claim(state: StateRecord, city: int, site: int, player: int, seat: int) -> float:
    """Return how strongly a player claims a tower, in floors."""
    floors = float(state.counts[city, site, player])
    if leader(state, city, site) == player:
        floors += _TOP
    for slot in range(HAND):
        card = int(state.hands[player, slot])
        if card >= 0 and CITY_OF_CARD[card] == city:
            known = player == seat or state.where[card] == TAKEN + player
            if known:
                floors += _IN_HAND * (1 + (int(state.faces[card]) & SECOND_CREST))
    return floors


@kernel
def _portraits(state: StateRecord, seat: int) -> float:
    """Return the value of portraits; those in hand count like those on the pile."""
    heads = np.zeros(4, np.int64)
    for noble in range(3):
        heads[noble] = int(state.heads[seat, noble])
    for slot in range(HAND):
        card = int(state.hands[seat, slot])
        if card >= 0:
            face = int(state.faces[card])
            heads[face >> NOBLE_SHIFT & 3] += face >> HEADS_SHIFT
    to_come = 1.0 - int(state.turn) / in_play(int(state.players))
    value = 0.0
    for noble in range(3):
        value += SET_POINTS * (heads[noble] // 3)
        rest = heads[noble] % 3
        value += to_come * (_TWO_HEADS if rest == 2 else _ONE_HEAD if rest == 1 else 0.0)
    return value
