"""Who plays the other seats of a batch: random play, one of our bots, or a function."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.batch import Batch
from patrizier.bots.registry import make_bot
from patrizier.bridges.bots import Decider

Policy = Callable[[Batch], npt.ArrayLike]  # a code for every game of a batch


class Opponents(ABC):
    """Decides in those games of a batch where it is not the learner's turn."""

    can_fail = True  # code from elsewhere may raise, or answer nonsense

    def begin(self, rng: np.random.Generator) -> None:  # noqa: B027 (optional)
        """Prepare for games that were all dealt anew."""

    @abstractmethod
    def codes(self, batch: Batch, asked: npt.NDArray[Any]) -> Any:
        """Return a code for every game; only those asked for are used."""

    def forget(self, games: list[int]) -> None:  # noqa: B027 (optional)
        """Take note that these games ended and were dealt anew."""


class RandomPlay(Opponents):
    """Draws from the legal codes, uniformly."""

    can_fail = False

    def codes(self, batch: Batch, asked: npt.NDArray[Any]) -> Any:
        """Return a random code for every game."""
        return batch.random_codes()


class Function(Opponents):
    """Asks a function of the learner's own."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def codes(self, batch: Batch, asked: npt.NDArray[Any]) -> Any:
        """Return what the function says."""
        return self._policy(batch)


class Bots(Opponents):
    """Asks one of our bots: a new one for every seat of every game, so that it may keep state."""

    def __init__(self, name: str) -> None:
        make_bot(name)  # an unknown one is reported now
        self._name = name
        self.begin(np.random.default_rng())

    def begin(self, rng: np.random.Generator) -> None:
        """Prepare for new games: their bots are seeded from here on."""
        self._rng = np.random.default_rng(int(rng.integers(2**63)))
        self._deciders: dict[int, dict[int, Decider]] = {}  # by game and seat

    def codes(self, batch: Batch, asked: npt.NDArray[Any]) -> Any:
        """Return the bots' codes."""
        codes = np.zeros(len(batch), np.int64)
        for game in asked.tolist():
            seats, seat = self._deciders.setdefault(game, {}), int(batch.seats[game])
            if seat not in seats:
                seats[seat] = Decider(self._name, int(self._rng.integers(2**63)))
            codes[game] = seats[seat].code(batch.view(game))
        return codes

    def forget(self, games: list[int]) -> None:
        """Drop the bots of these games."""
        for game in games:
            self._deciders.pop(game, None)


def opponents_of(opponents: str | Policy) -> Opponents:
    """Return the opponents for the name of a bot, or for a function."""
    if callable(opponents):
        return Function(opponents)
    if not isinstance(opponents, str):
        raise TypeError(f"opponents are the name of a bot or a function, not {opponents!r}")
    return RandomPlay() if opponents == "random" else Bots(opponents)
