"""How to write a bot: derive from `Bot`, and choose one of the legal turns of a view.

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
    """A turn a bot has thought about, and what it expects of it."""

    move: Move
    shares: tuple[float, ...]  # of victory, by seat; they add up to 1
    points: tuple[float, ...]  # in the end, by seat
    weight: float  # share of the search effort
    exact: bool = False  # solved, not estimated


class Bot(ABC):
    """An opponent. It gets what its seat may know, and a random generator of its own.

    **Life.** A bot is made anew for every game and for every seat it holds, so it may remember
    what it likes. ``__init__`` works without arguments. If it has a parameter ``budget``, the bot
    takes a `Budget` behind its name (``mine:100ms``, ``mine:2000``) and is to keep to it.

    **Mistakes.** An exception, an answer that is no legal move, or one after a time limit is
    reported as an incident, and a random legal move is played instead (`patrizier.bots.guard`).

    **Names.** ``make_bot("module.Class")`` finds a class in the current folder or anywhere on the
    path. A package gives its bot a short name by an entry point of the group ``patrizier.bots``.
    """

    name: str  # as on the command line: letters, digits, - and _
    about: str  # one sentence for people

    @abstractmethod
    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return one of ``view.legal``.

        ``view`` holds all that this seat, ``view.viewer``, may know; ``view.sample(rng)`` fills in
        the rest by chance. All chance comes from ``rng``: then the same seed gives the same game.

        A bot that may lay a messenger is asked again after the refill (``view.phase`` is then
        ``"messenger"``); the messenger of its first answer does not count.
        """

    def hurry(self, seconds: float | None) -> None:  # noqa: B027 (optional)
        """Think no longer than this from now on; None: as long as usual.

        A server with much to do asks for it. A bot that answers at once need not care.
        """

    def explain(self, view: View, rng: np.random.Generator) -> tuple[Candidate, ...]:
        """Return the turns thought about, the chosen one first; empty if a bot cannot tell.

        The first is what `choose` answers for the same view and generator.
        """
        return ()
