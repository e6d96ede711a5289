"""Five opponents for people, from a friendly beginner to the strongest.

They differ in what they see, not in luck. With two players each wins about four of five games
against the one below; `docs/strength.md` has the results, and those with four players.
All but the strongest are as strong on every machine, because they count iterations, not time.
"""

import numpy as np

from patrizier.bots.base import Bot, Candidate
from patrizier.bots.budget import Budget
from patrizier.bots.greedy import evaluate_turns
from patrizier.bots.search.mcts import MctsBot
from patrizier.bots.search.zero import ZeroBot
from patrizier.move import Move
from patrizier.options import Options
from patrizier.view import View

_OVERLOOKED = 0.4  # share of the cards in hand that the apprentice overlooks
_FORGOTTEN = 0.5  # how often it forgets ties, what others took, the special action
_TASTE = 2.5  # points: standard deviation of its like or dislike of a card
_MISJUDGED = 0.7  # points: the same for a single turn
_ASTRAY = 0.25  # points: the merchant's error for a turn, per opponent after the first


class Apprentice(Bot):
    """Looks one turn ahead, and makes the mistakes of people.

    It overlooks cards in its hand, forgets how ties are decided and which cards others took, and
    likes some cards too much. But what it does with a card it has chosen makes sense.
    """

    name = "apprentice"
    about = "Level 1: a friendly beginner who overlooks things."

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the turn that seems best of those noticed."""
        minds_ties, minds_threats, minds_moves = rng.random(3) >= _FORGOTTEN
        values = evaluate_turns(
            view, rng, minds_ties=bool(minds_ties), minds_threats=bool(minds_threats)
        )
        values += rng.normal(0.0, _MISJUDGED, len(values))
        cards = sorted({move.card for move in view.legal})
        noticed = rng.random(len(cards)) >= _OVERLOOKED
        noticed |= not noticed.any()
        taste = np.where(noticed, rng.normal(0.0, _TASTE, len(cards)), -np.inf)
        values += [taste[cards.index(move.card)] for move in view.legal]
        if not minds_moves:
            values[[move.moved is not None for move in view.legal]] -= _TASTE
        return view.legal[int(np.argmax(values))]


class Merchant(Bot):
    """Looks one turn ahead and watches one opponent; with more it loses track a little."""

    name = "merchant"
    about = "Level 2: takes what looks best now and seldom plans further."

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the turn that seems best at once."""
        astray = _ASTRAY * (view.options.players - 2)
        values = evaluate_turns(view, rng) + rng.normal(0.0, astray, len(view.legal))
        best = np.flatnonzero(values == values.max())
        return view.legal[int(best[rng.integers(len(best))])]


class _Thinker(Bot):
    """A level that searches, with a fixed budget."""

    budget: Budget
    among_more: Budget | None = None  # with more than two players, if it needs another one

    def __init__(self) -> None:
        self.mcts = MctsBot(self.budget)
        self._among_more = MctsBot(self.among_more) if self.among_more else self.mcts

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the choice of the search."""
        return self._search(view).choose(view, rng)

    def hurry(self, seconds: float | None) -> None:
        """Limit the time of the search."""
        self.mcts.hurry(seconds)

    def scale_time(self, factor: float) -> None:
        """Multiply the search's time budget."""
        self.mcts.scale_time(factor)

    def explain(self, view: View, rng: np.random.Generator) -> tuple[Candidate, ...]:
        """Return the candidates of the search."""
        return self._search(view).explain(view, rng)

    def _search(self, view: View) -> MctsBot:
        return self.mcts if view.options.players == 2 else self._among_more


class Banker(_Thinker):
    """Searches for a moment."""

    name = "banker"
    about = "Level 3: thinks of what comes next and knows what towers are worth."
    budget = Budget(iterations=30)


class Senator(_Thinker):
    """Searches briefly."""

    name = "senator"
    about = "Level 4: plans several turns ahead and makes few mistakes."
    budget = Budget(iterations=180)
    among_more = Budget(iterations=600)  # there, iterations help less


class Doge(_Thinker):
    """Searches for a second, in the way that wins more of the games at hand."""

    name = "doge"
    about = "Level 5: thinks for a second, deeply; the strongest we have."
    budget = Budget(seconds=1.0)

    def __init__(self) -> None:
        super().__init__()
        self.zero = ZeroBot(self.budget)

    def hurry(self, seconds: float | None) -> None:
        """Limit the time of the search."""
        super().hurry(seconds)
        self.zero.hurry(seconds)

    def scale_time(self, factor: float) -> None:
        """Multiply the search's time budget."""
        super().scale_time(factor)
        self.zero.scale_time(factor)

    def _search(self, view: View) -> MctsBot:
        return self.zero if is_for_zero(view.options) else self.mcts


def is_for_zero(options: Options) -> bool:
    """Whether `zero` wins more of these games than `mcts` in the same time.

    >>> is_for_zero(Options(2)), is_for_zero(Options(2, {"messengers"}))
    (False, True)
    """
    return options.players == 2 and "messengers" in options.rules


LEVELS = (Apprentice, Merchant, Banker, Senator, Doge)  # the weakest first
