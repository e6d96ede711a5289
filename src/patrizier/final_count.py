"""The final count of a finished game, part by part, in the order in which the page shows it.

Cities are listed as on the board, row by row, each tower with its floors, token and winner.
"""

from dataclasses import dataclass, replace

from patrizier.game import Game
from patrizier.rules.board import cities_in_play
from patrizier.rules.deck import NOBLES
from patrizier.rules.score import CHIP_POINTS, SET_POINTS, SET_SIZE

SKYLINE = ("MI", "PA", "VE", "LU", "FE", "SI", "BO", "RO", "PI", "FI")  # the board, row by row


@dataclass(frozen=True, slots=True)
class FinishedTower:
    """A tower of a complete city, and the points it was worth."""

    floors: tuple[int, ...]  # seats, bottom to top
    token: int  # points
    seat: int  # who took it
    chips: int  # points of messenger chips that came with it


@dataclass(frozen=True, slots=True)
class FinishedCity:
    """A complete city."""

    code: str
    left: FinishedTower
    right: FinishedTower
    chips: int  # messenger chips that lay with each token


@dataclass(frozen=True, slots=True)
class Portraits:
    """The portraits of one noble on somebody's pile."""

    noble: str
    heads: int
    sets: int
    single: int  # heads beyond full sets
    points: int


@dataclass(frozen=True, slots=True)
class FinalCount:
    """The final count: towers, portraits, and the points over time."""

    cities: tuple[FinishedCity, ...]
    portraits: tuple[tuple[Portraits, ...], ...]  # by seat, then by noble
    curve: tuple[tuple[int, ...], ...]  # points by seat, before the first turn and after every turn


def final_count(game: Game) -> FinalCount:
    """Return the final count; ValueError unless the game is over."""
    if not game.is_over:
        raise ValueError("the game is not over yet")
    view = game.state.view(None)
    return FinalCount(
        _cities(game), tuple(_portraits(seat.heads) for seat in view.seats), _curve(game)
    )


def _cities(game: Game) -> tuple[FinishedCity, ...]:
    scored = {record.scored.city: record.scored for record in game.records if record.scored}
    found = {}
    for city in game.state.view(None).cities:
        event = scored[city.code]
        won = {
            city.taller: (event.tokens[0], event.taller),
            "R" if city.taller == "L" else "L": (event.tokens[1], event.lower),
        }
        left, right = (
            FinishedTower(floors, *won[site], event.chips)
            for site, floors in (("L", city.left), ("R", city.right))
        )
        found[city.code] = FinishedCity(city.code, left, right, event.chips // CHIP_POINTS)
    played = {city.code for city in cities_in_play(game.options.players)}
    return tuple(found[code] for code in SKYLINE if code in played)


def _portraits(heads: dict[str, int]) -> tuple[Portraits, ...]:
    return tuple(
        Portraits(noble, heads[noble], sets, heads[noble] % SET_SIZE, SET_POINTS * sets)
        for noble, sets in ((noble, heads[noble] // SET_SIZE) for noble in NOBLES)
    )


def _curve(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return the points turn by turn; the minus chip counts only at the end."""
    again, totals = Game(game.options, deal=game.deal), [(0,) * game.options.players]
    for code in game.decisions:
        if again.decide(code):
            scores = again.scores()
            if not again.is_over:
                scores = tuple(replace(score, minus=0) for score in scores)
            totals.append(tuple(score.total for score in scores))
    return tuple(totals)
