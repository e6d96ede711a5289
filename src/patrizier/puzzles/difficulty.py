"""How hard a puzzle is, measured by the levels of bots.

The levels count as people of a known rating who try the puzzle several times; the rating of the
puzzle is the one that explains their results best.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from patrizier.bots.base import Bot
from patrizier.bots.budget import Budget
from patrizier.bots.greedy import evaluate_turns
from patrizier.bots.levels import Apprentice
from patrizier.bots.search.mcts import MctsBot
from patrizier.move import Move
from patrizier.puzzles.answers import accepted, before_messenger
from patrizier.view import View

MIDDLE = 1500  # prior rating of a person or a puzzle
_SPREAD = 250.0  # standard deviation of the prior
_BELOW, _ABOVE = 800, 2300
_APPRENTICE, _MERCHANT, _BANKER, _MASTER = 1100, 1350, 1650, 1950
_SLOPE = 400 / np.log(10)  # as with Elo: 400 points are odds of ten to one
_TIMES = 8  # attempts of each level
_BRIEFLY, _LONGER = Budget(iterations=60), Budget(iterations=500)  # ratings depend on them
_OFTEN = 1 / 3  # the apprentice may find it by chance, but not more often


@dataclass(frozen=True, slots=True)
class Attempts:
    """How often the levels found the solution."""

    apprentice: float
    merchant: float
    banker: float  # a brief search
    master: float  # a longer one
    trap: Move  # what the merchant plays


def is_obvious(view: View, solution: Move, seed: int) -> bool:
    """Whether those who look one turn ahead find it: the merchant at all, the apprentice often."""
    good = accepted(view, solution)
    if any(move.text in good for move in at_first_sight(view)):
        return True
    return _found(Apprentice(), view, good, np.random.default_rng(seed)) > _OFTEN


def attempts_at(view: View, solution: Move, seed: int) -> Attempts:
    """Let the levels try a puzzle that is not obvious."""
    rng, good = np.random.default_rng(seed), accepted(view, solution)
    return Attempts(
        apprentice=_found(Apprentice(), view, good, rng),
        merchant=0.0,
        banker=_found(MctsBot(_BRIEFLY), view, good, rng),
        master=_found(MctsBot(_LONGER), view, good, rng),
        trap=at_first_sight(view)[0],
    )


def _found(bot: Bot, view: View, good: Collection[str], rng: np.random.Generator) -> float:
    """Return how often a bot finds the solution."""
    hits = [before_messenger(view, bot.choose(view, rng)).text in good for _ in range(_TIMES)]
    return sum(hits) / _TIMES


def at_first_sight(view: View) -> list[Move]:
    """Return the turns that look best one turn ahead, as far as they are asked for."""
    values = evaluate_turns(view, np.random.default_rng(0))
    both = zip(view.legal, values, strict=True)
    return [before_messenger(view, move) for move, value in both if value == values.max()]


def rating_of(attempts: Attempts) -> int:
    """Return the rating that explains these attempts best.

    >>> hard = Attempts(0.0, 0.0, 0.0, 0.0, Move("BO1:L"))
    >>> easy = Attempts(0.3, 0.0, 1.0, 1.0, Move("BO1:L"))
    >>> rating_of(easy) < MIDDLE < rating_of(hard)
    True
    """
    ratings = np.arange(_BELOW, _ABOVE + 1)
    likelihood = -(((ratings - MIDDLE) / _SPREAD) ** 2) / 2
    for rating, found, times in (
        (_APPRENTICE, attempts.apprentice, 3),
        (_MERCHANT, attempts.merchant, 1),
        (_BANKER, attempts.banker, 6),
        (_MASTER, attempts.master, 3),
    ):
        chance = 1 / (1 + np.exp((ratings - rating) / _SLOPE))
        likelihood += times * (found * np.log(chance) + (1 - found) * np.log(1 - chance))
    return int(ratings[np.argmax(likelihood)])
