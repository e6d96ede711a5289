"""Ratings: one number a person and player count, from rated games only.

Places count, not points. Bots are left out: people are compared with people. Who timed out, went
away or resigned comes last, whatever the stand-in made of the game.
"""

from collections.abc import Mapping

from openskill.models import PlackettLuce

from patrizier.server.store.rows import Rating, Result

_MODEL = PlackettLuce()
_SCALE = 40  # makes the number for people about as fine as Elo


def counts(result: Result) -> bool:
    """Whether a game changes ratings: a rated one, between at least two people, a seat each."""
    people = _people(result)
    return result.rated and len(people) > 1 and len(set(people)) == len(people)


def new_rating(person: str, players: int) -> Rating:
    """Return the rating of somebody of whom nothing is known."""
    return Rating(person, players, _MODEL.mu, _MODEL.sigma, games=0)


def rate(result: Result, before: Mapping[str, Rating]) -> list[Rating]:
    """Return everybody's new rating; none if the game does not count.

    The same game and the same ratings before it always give the same ratings after it.
    """
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
    """Return the number for people: what the person is sure to be worth; it starts at 0."""
    return round(_SCALE * (rating.mu - 3 * rating.sigma))


def _people(result: Result) -> list[str]:
    return [seat.person for seat in result.seats if seat.person is not None]
