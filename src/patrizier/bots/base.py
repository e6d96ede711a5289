"""How to write a bot: subclass `Bot` and choose one of the legal turns of a view.

>>> from patrizier import Game, Options
>>> class LastBot(Bot):
...     name = "last"
...     about = "Plays the last turn of the list."
...
...     def choose(self, view, rng):
...         return view.legal[-1]
>>> game = Game(Options(players=2), seed=1)
>>> LastBot().choose(game.view(game.seat), np.random.default_rng(1)) == game.legal_moves[-1]
True

`docs/bots.md` says more, and `examples/tower_bot` is a whole package to copy.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from patrizier.move import Move
from patrizier.view import View


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn a bot has considered, and its estimate."""

    move: Move
    shares: tuple[float, ...]  # of the victory, by seat; they add up to 1
    points: tuple[float, ...]  # final, by seat
    weight: float  # share of the search effort
    exact: bool = False  # solved, not estimated


class Bot(ABC):
    """An opponent. It gets what its seat may know, and its own random generator.

    **Lifetime.** Every seat of every game gets a new bot, so it may keep state; on a busy server it
    may be made anew between turns. ``__init__`` must work without arguments. If it has a parameter
    ``budget``, the name may be followed by a `Budget` (``mine:100ms``, ``mine:2000``), which the
    bot should respect.

    **Errors.** An exception, an illegal or late answer is reported as an incident, and a random
    legal move is played instead (`patrizier.bots.guard`).

    **Names.** ``make_bot("module.Class")`` finds a class in the current folder or anywhere on
    ``sys.path``. A package can register a short name: an entry point in group ``patrizier.bots``.
    """

    name: str  # as on the command line: letters, digits, - and _
    about: str  # one sentence for people

    @abstractmethod
    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return one of ``view.legal``.

        ``view`` holds all that this seat, ``view.viewer``, may know; ``view.sample(rng)`` fills in
        the rest at random. Take all randomness from ``rng``, so that a seed reproduces the game.

        A bot that may lay a messenger is asked again after the refill (``view.phase`` is then
        ``"messenger"``); the messenger of its first answer is ignored.
        """

    def hurry(self, seconds: float | None) -> None:  # noqa: B027 (optional)
        """Limit thinking time from now on; None: back to normal.

        Called by a busy server. Fast bots can ignore it.
        """

    def scale_time(self, factor: float) -> None:  # noqa: B027 (optional)
        """Multiply a time budget by a factor, on a machine that is slower or faster than others.

        Called once before a game. Bots without a time budget can ignore it.
        """

    def explain(self, view: View, rng: np.random.Generator) -> tuple[Candidate, ...]:
        """Return the turns considered, the chosen one first; empty if the bot cannot tell.

        The first is what `choose` answers for the same view and generator.
        """
        return ()
