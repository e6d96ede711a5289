"""Four opponents for people, from a friendly beginner to the strongest.

They differ in what they see, not in luck: the beginner overlooks some turns and misjudges the
others a little, but never plays at random.
"""

import numpy as np

from patrizier.bots.base import Bot, Candidate
from patrizier.bots.budget import Budget
from patrizier.bots.greedy import GreedyBot, evaluate_turns
from patrizier.bots.search.mcts import MctsBot
from patrizier.move import Move
from patrizier.view import View

_OVERLOOKED = 0.4  # of the turns, by the apprentice
_MISJUDGED = 3.0  # points, by the apprentice: one standard deviation


class Apprentice(Bot):
    """Looks one turn ahead, but overlooks turns and misjudges the rest a little."""

    name = "apprentice"
    about = "Level 1: a friendly beginner who overlooks things."

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the turn that seems best of those noticed."""
        values = evaluate_turns(view, rng) + rng.normal(0.0, _MISJUDGED, len(view.legal))
        noticed = rng.random(len(view.legal)) >= _OVERLOOKED
        if noticed.any():
            values[~noticed] = -np.inf
        return view.legal[int(np.argmax(values))]


class Merchant(GreedyBot):
    """Looks one turn ahead, without mistakes."""

    name = "merchant"
    about = "Level 2: takes what looks best now and seldom plans further."


class _Thinker(Bot):
    """A level that searches, with a fixed budget."""

    budget: Budget

    def __init__(self) -> None:
        self._mcts = MctsBot(self.budget)

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the choice of the search."""
        return self._mcts.choose(view, rng)

    def hurry(self, seconds: float | None) -> None:
        """Limit the time of the search."""
        self._mcts.hurry(seconds)

    def scale_time(self, factor: float) -> None:
        """Let the search take so many times as long."""
        self._mcts.scale_time(factor)

    def explain(self, view: View, rng: np.random.Generator) -> tuple[Candidate, ...]:
        """Return the candidates of the search."""
        return self._mcts.explain(view, rng)


class Banker(_Thinker):
    """Searches briefly."""

    name = "banker"
    about = "Level 3: plans a few turns ahead and knows what towers are worth."
    budget = Budget(iterations=60)


class Doge(_Thinker):
    """Searches for a second."""

    name = "doge"
    about = "Level 4: thinks for a second, deeply; the strongest we have."
    budget = Budget(seconds=1.0)


LEVELS = (Apprentice, Merchant, Banker, Doge)  # the weakest first
