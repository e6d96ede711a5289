"""A hand-written heuristic evaluation of a position, optionally careless."""

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
from patrizier.rules.score import CHIP_POINTS, PENALTY, SET_POINTS, SET_SIZE, leader, penalised
from patrizier.rules.state import NONE, TAKEN, Cells, StateRecord, in_play

Floats = npt.NDArray[np.float64] | npt.NDArray[np.float32]

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
    return impression(cells, seat, True, True)


@kernel
def impression(cells: Cells, seat: int, minds_ties: bool, minds_threats: bool) -> float:
    """Return what a position is worth to a player who may forget something.

    Without ``minds_ties`` it counts every tower in which nobody has more floors as won; without
    ``minds_threats`` it forgets which cards others took.
    """
    points, claims = np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS)
    return impression_in(cells[0], seat, minds_ties, minds_threats, claims, points)


@kernel
def impression_in(
    state: StateRecord,
    seat: int,
    minds_ties: bool,
    minds_threats: bool,
    claims: Floats,
    points: Floats,
) -> float:
    """Return the same, in memory that is given: a thread of a GPU has none to allocate."""
    players = int(state.players)
    for other in range(players):
        points[other] = 0.0
    for city in range(MAX_CITIES):
        if state.winners[city, 0] == NONE and (city != PISTOIA or players == MAX_PLAYERS):
            _add_city(state, city, seat, minds_ties, minds_threats, claims, points)
        elif not minds_ties:
            points[seat] += _tied_tokens(state, city, seat)
    for other in range(players):
        points[other] += int(state.tokens[other]) + int(state.chips[other])
    worst = penalised(state)
    if worst != NONE:
        points[worst] += PENALTY * int(state.turn) / in_play(players)
    rivals = 0.0
    for other in range(players):
        rivals += points[other] if other != seat else 0.0
    return float(points[seat] + _portraits(state, seat) - rivals / (players - 1))


@kernel
def _add_city(
    state: StateRecord,
    city: int,
    seat: int,
    minds_ties: bool,
    minds_threats: bool,
    claims: Floats,
    points: Floats,
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
            crests = _crests_in_hand(state, city, player, player == seat, minds_threats)
            floors = int(state.counts[city, site, player]) + _IN_HAND * crests
            if minds_ties and leader(state, city, site) == player:
                floors += _TOP
            claims[player] = math.exp(floors / blur)
            total += claims[player]
        for player in range(int(state.players)):
            points[player] += prize * claims[player] / total


@kernel
def _crests_in_hand(
    state: StateRecord, city: int, player: int, own: bool, minds_threats: bool
) -> int:
    """Return the crests of a city in a hand, as far as they are known and remembered."""
    crests = 0
    for slot in range(HAND):
        card = int(state.hands[player, slot])
        if card < 0 or CITY_OF_CARD[card] != city:
            continue
        if own or (minds_threats and state.where[card] == TAKEN + player):
            crests += 1 + (int(state.faces[card]) & SECOND_CREST)
    return crests


@kernel
def _tied_tokens(state: StateRecord, city: int, seat: int) -> int:
    """Return the tokens of a scored city that a seat lost only by a tie."""
    taller = 0 if state.heights[city, 0] > state.heights[city, 1] else 1
    lost = 0
    for token in range(2):
        winner = int(state.winners[city, token])
        if winner == NONE:
            continue
        site = taller if token == 0 else 1 - taller
        tied = state.counts[city, site, seat] == state.counts[city, site, winner]
        if tied and winner != seat:
            lost += int(TOKEN_POINTS[city, token])
    return lost


@kernel
def _portraits(state: StateRecord, seat: int) -> float:
    """Return the value of portraits; those in hand count like those on the pile."""
    to_come = 1.0 - int(state.turn) / in_play(int(state.players))
    value = 0.0
    for noble in range(3):
        heads = int(state.heads[seat, noble])
        for slot in range(HAND):
            card = int(state.hands[seat, slot])
            face = int(state.faces[card]) if card >= 0 else 0
            heads += face >> HEADS_SHIFT if face >> NOBLE_SHIFT & 3 == noble else 0
        value += SET_POINTS * (heads // SET_SIZE)
        rest = heads % SET_SIZE
        value += to_come * (_TWO_HEADS if rest == 2 else _ONE_HEAD if rest == 1 else 0.0)
    return value
