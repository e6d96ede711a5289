"""What every bot is: somebody who chooses a move from a view."""

from abc import ABC, abstractmethod

import numpy as np

from patrizier.move import Move
from patrizier.view import View


class Bot(ABC):
    """An opponent. It gets what its seat may know, and a random generator of its own."""

    name: str  # as on the command line
    about: str  # one sentence for people

    @abstractmethod
    def choose(self, view: View, rng: np.random.Generator) -> Move:
        """Return one of ``view.legal``."""
