"""Ratings of puzzles and of those who solve them: every first attempt is a game between both.

openskill's Plackett-Luce model, as for games of people. A puzzle begins with the rating that the
bots gave it.
"""

from dataclasses import dataclass

from openskill.models import PlackettLuce

from patrizier.puzzles.difficulty import MIDDLE

_MODEL = PlackettLuce()
_SCALE = 40  # points a unit of the model: about as fine as Elo
_PUZZLE_SIGMA = _MODEL.sigma / 2  # bots have tried it, so it is less uncertain than a new person


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong a person is, or how hard a puzzle."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """The rating as it is shown.

        >>> newcomer().points
        1500
        """
        return MIDDLE + round(_SCALE * (self.mu - float(_MODEL.mu)))

    @property
    def deviation(self) -> int:
        """How uncertain the rating is: one standard deviation."""
        return round(_SCALE * self.sigma)


def newcomer() -> Strength:
    """Return the strength of a new person."""
    return Strength(_MODEL.mu, _MODEL.sigma)


def hardness(rating: int) -> Strength:
    """Return the strength of a puzzle that nobody has tried yet.

    >>> hardness(1700).points
    1700
    """
    return Strength(_MODEL.mu + (rating - MIDDLE) / _SCALE, _PUZZLE_SIGMA)


def rated(person: Strength, puzzle: Strength, *, solved: bool) -> tuple[Strength, Strength]:
    """Return both after an attempt.

    >>> person, puzzle = rated(newcomer(), hardness(1500), solved=True)
    >>> person.points > 1500 > puzzle.points
    True
    """
    teams = [[_MODEL.rating(each.mu, each.sigma)] for each in (person, puzzle)]
    (one,), (two,) = _MODEL.rate(teams, ranks=[0.0, 1.0] if solved else [1.0, 0.0])
    return Strength(one.mu, one.sigma), Strength(two.mu, two.sigma)
