"""Ratings: one per person and player count, from rated games only.

Places count, not points; bots are left out. Whoever timed out, left or resigned comes last,
whatever the stand-in achieved.
"""

from collections.abc import Mapping

from openskill.models import PlackettLuce

from patrizier.server.store.rows import Rating, Result

_MODEL = PlackettLuce()
_SCALE = 40  # displayed points per unit, about as fine as Elo
_START = 1000  # displayed of somebody new: a lost game leads to no negative number


def counts(result: Result) -> bool:
    """Whether a game changes ratings: a rated one, between at least two people, a seat each."""
    people = _people(result)
    return result.rated and len(people) > 1 and len(set(people)) == len(people)


def new_rating(person: str, players: int) -> Rating:
    """Return the initial rating."""
    return Rating(person, players, _MODEL.mu, _MODEL.sigma, games=0)


def rate(result: Result, before: Mapping[str, Rating]) -> list[Rating]:
    """Return everybody's new rating; none if the game does not count. Deterministic."""
    if not counts(result):
        return []
    seats = [seat for seat in result.seats if seat.person is not None]
    old = [before.get(person) or new_rating(person, result.players) for person in _people(result)]
    places = [float(result.players + 1 if seat.left else seat.place) for seat in seats]
    rated = _MODEL.rate([[_MODEL.rating(r.mu, r.sigma)] for r in old], ranks=places)
    return [
        Rating(was.person, was.players, team[0].mu, team[0].sigma, was.games + 1)
        for was, team in zip(old, rated, strict=True)
    ]


def shown(rating: Rating) -> int:
    """Return the displayed rating: a lower bound (mu - 3 sigma), moved to begin at 1,000."""
    return _START + round(_SCALE * (rating.mu - 3 * rating.sigma))


def shown_uncertainty(rating: Rating) -> float:
    """Return the standard deviation of the displayed rating."""
    return round(_SCALE * rating.sigma, 1)


def _people(result: Result) -> list[str]:
    return [seat.person for seat in result.seats if seat.person is not None]
