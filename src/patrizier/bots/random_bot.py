"""A bot that plays uniformly at random."""

import numpy as np

from patrizier.bots.base import Bot
from patrizier.move import Move
from patrizier.view import View


class RandomBot(Bot):
    """Plays any legal turn, all equally likely."""

    name = "random"
    about = "Plays any legal turn."

    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return a legal turn at random."""
        return view.legal[rng.integers(len(view.legal))]
