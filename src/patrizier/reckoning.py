"""The points of a finished game part by part: what an ending counts out, and in which order.

Cities stand as on the board, row by row; every tower tells its floors, its token and who took it.
"""

from dataclasses import dataclass, replace

from patrizier.game import Game
from patrizier.rules.board import cities_in_play
from patrizier.rules.deck import NOBLES
from patrizier.rules.score import CHIP_POINTS, SET_POINTS

SKYLINE = ("MI", "PA", "VE", "LU", "FE", "SI", "BO", "RO", "PI", "FI")  # as the board is read

_OF_A_SET = 3  # portraits


@dataclass(frozen=True, slots=True)
class FinishedTower:
    """A finished tower, and what it brought."""

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
    sets: int  # complete ones
    single: int  # heads in none of them
    points: int  # for those


@dataclass(frozen=True, slots=True)
class Reckoning:
    """Everything that was counted at the end, from left to right, and how it came about."""

    cities: tuple[FinishedCity, ...]
    portraits: tuple[tuple[Portraits, ...], ...]  # by seat, then by noble
    curve: tuple[tuple[int, ...], ...]  # points before the first and after every turn, by seat


def reckoning(game: Game) -> Reckoning:
    """Return the count of a finished game; ValueError if it goes on."""
    if not game.is_over:
        raise ValueError("the game is not over yet")
    view = game.state.view(None)
    return Reckoning(
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
        Portraits(noble, heads[noble], sets, heads[noble] % _OF_A_SET, SET_POINTS * sets)
        for noble, sets in ((noble, heads[noble] // _OF_A_SET) for noble in NOBLES)
    )


def _curve(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return the points turn by turn; who takes the minus chip is settled at the end."""
    again, totals = Game(game.options, deal=game.deal), [(0,) * game.options.players]
    for code in game.decisions:
        if again.decide(code):
            scores = again.scores()
            if not again.is_over:
                scores = tuple(replace(score, minus=0) for score in scores)
            totals.append(tuple(score.total for score in scores))
    return tuple(totals)
