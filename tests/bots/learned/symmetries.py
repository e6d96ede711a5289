"""Symmetric games: rotated seats, exchanged sides, exchanged cities of the same size."""

from collections.abc import Sequence

import numpy as np

from patrizier import Deal, Game, State
from patrizier.rules.board import CARDS, CITIES, CITY_OF_CARD, MAX_CITIES
from patrizier.rules.codes import MOVE, NO_MOVE, WAYS
from patrizier.rules.state import new_cells
from patrizier.state import crests_of


def replayed(game: Game, deal: Deal, codes: Sequence[int]) -> Game:
    """Return a game with the same options."""
    again = Game(game.options, deal=deal)
    for code in codes:
        again.decide(code)
    return again


def turned(game: Game, by: int) -> Game:
    """Return the same game with all seats rotated."""
    deal, players = game.deal, game.options.players
    hands = tuple(deal.hands[(seat - by) % players] for seat in range(players))
    start = (deal.start + by) % players
    return replayed(game, Deal(hands, deal.display, deal.pile, start), game.decisions)


def mirrored(game: Game) -> Game:
    """Return the same game with left and right exchanged everywhere."""
    cells = new_cells()
    cells[0] = game.state.record
    codes = []
    for code in game.decisions:
        if code < NO_MOVE:
            card, right = divmod(code, WAYS)
            code = WAYS * card + crests_of(cells, card) - right
        elif MOVE <= code < MOVE + 20:
            code = MOVE + (code - MOVE ^ 1)
        codes.append(code)
    return replayed(game, game.deal, codes)


def exchanged(state: State, one: int, two: int) -> State:
    """Return a position in which two cities of the same size have exchanged their names.

    Messengers stay where they are: the network of the roads is no longer the same.
    """
    assert CITIES[one].capacity == CITIES[two].capacity
    assert CITIES[one].cards == CITIES[two].cards
    cities = list(range(MAX_CITIES))
    cities[one], cities[two] = two, one
    first = [int(np.flatnonzero(city == CITY_OF_CARD)[0]) for city in range(MAX_CITIES)]
    cards = [
        first[cities[city]] + card - first[city] for card, city in enumerate(CITY_OF_CARD.tolist())
    ]
    assert sorted(cards) == list(range(len(CARDS)))

    def renamed(card: int) -> int:
        return cards[card] if card >= 0 else card

    cells = new_cells()
    cells[0] = state.record
    before = cells.copy()
    for name in ("faces", "where"):
        cells[name][0] = before[name][0][cards]
    for name in ("hands", "display", "pile", "card", "drawn", "refill"):
        cells[name] = np.vectorize(renamed)(before[name])
    for name in (
        *("display", "floors", "heights", "counts"),
        *("missing", "winners", "messengers_at"),
    ):
        cells[name][0] = cells[name][0][cities]
    return State(state.options, cells)
