"""Adapters: our bots decide code by code, and a policy over codes becomes a bot."""

from abc import abstractmethod

import numpy as np

from patrizier.bots.base import Bot
from patrizier.bots.registry import make_bot
from patrizier.errors import IllegalMove
from patrizier.move import Move
from patrizier.view import View


class Decider:
    """One of our bots, asked for one decision at a time.

    A bot plans a whole turn. It is asked when the turn begins and again when a messenger may be
    laid; in between its plan is carried out.

    >>> from patrizier import Game, Options
    >>> game, decider = Game(Options(players=2), seed=7), Decider("greedy", seed=1)
    >>> game.decide(decider.code(game.view(game.seat)))
    True
    """

    def __init__(self, bot: Bot | str, seed: int | np.random.Generator | None = None) -> None:
        self._made_from = bot
        self.bot = make_bot(bot) if isinstance(bot, str) else bot
        self._rng = np.random.default_rng(seed)
        self._plan: Move | None = None

    def restart(self) -> None:
        """Forget the plan, because another game begins. A bot that was named is made anew."""
        self._plan = None
        if isinstance(self._made_from, str):
            self.bot = make_bot(self._made_from)

    def code(self, view: View) -> int:
        """Return the bot's decision for the seat to move, whose view this is."""
        if not view.legal:
            raise ValueError("it is not this seat's turn: its view has no legal moves")
        if self._plan not in view.legal or view.phase in ("build", "messenger"):
            self._plan = self.bot.choose(view, self._rng)
        if self._plan not in view.legal:
            raise ValueError(f"{self.bot.name} wants to play {self._plan}, which is not legal")
        return self._plan.decision(view.phase)


class DecisionBot(Bot):
    """A bot that decides code by code, like the policies of other libraries.

    Write `decide`, and it plays wherever bots do.
    """

    @abstractmethod
    def decide(self, view: View, rng: np.random.Generator) -> int:
        """Return a legal code for the viewer: one of ``legal_codes(view)``."""

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return the turn made of the decisions of `decide`.

        The card that a draw turns up is not known yet: the rest of the turn is decided in a sampled
        position, and a bot that may lay a messenger is asked again afterwards.
        """
        assert view.viewer is not None
        state, seen, codes = view.sample(rng), view, list[int]()
        fitting = view.legal
        while len(fitting) > 1:
            code = self.decide(seen, rng)
            legal = legal_codes(seen)
            if code not in legal:
                raise IllegalMove(
                    f"{self.name} decides {code!r}, which is not legal here: {legal} are"
                )
            fitting = tuple(move for move in fitting if move.decision(seen.phase) == code)
            codes.append(code)
            state = state.apply(code)
            if state.turn != view.turn:
                break
            seen = state.view(view.viewer)
        if not fitting:
            raise IllegalMove(f"{self.name} decides {codes}, which is not a legal turn")
        return fitting[0]


def legal_codes(view: View) -> list[int]:
    """Return the codes that are legal for the viewer now, ascending.

    >>> from patrizier import Game, Options
    >>> game = Game(Options(players=2), seed=7)
    >>> legal_codes(game.view(game.seat)) == game.legal_decisions()
    True
    """
    return sorted({move.decision(view.phase) for move in view.legal})
