"""What players of OpenSpiel's game see: observations, information states, and parts of them."""

from typing import Any

import numpy as np
import pyspiel

from patrizier.batch.layout import FLOATS
from patrizier.bridges.table import observation_of
from patrizier.rules.board import CARDS
from patrizier.rules.codes import DECISIONS
from patrizier.rules.turns import MOST_STEPS


class Observer:
    """Writes observations, or information states, which add everything announced so far."""

    def __init__(self, cards: int, perfect_recall: bool) -> None:
        self._recall = perfect_recall
        length = (MOST_STEPS + 1) * cards if perfect_recall else 0
        self.tensor = np.zeros(FLOATS + length, np.float32)
        self.dict = {"observation": self.tensor[:FLOATS]}
        if perfect_recall:
            self.dict["told"] = self.tensor[FLOATS:]

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player may know into the tensor."""
        self.tensor.fill(0)
        at = state._at
        if at.cells is None:
            return
        self.dict["observation"][:] = observation_of(at.state, player, floats=True)
        if self._recall:
            told = np.array(at.told, np.float32)
            self.dict["told"][: len(told)] = (told + 1) / (DECISIONS + len(CARDS))

    def string_from(self, state: Any, player: int) -> str:
        """Return what a player may know as text."""
        if self._recall or state._at.cells is None:
            return str(state.information(player))
        return observation_of(state._at.state, player, floats=False).tobytes().hex()


class PartObserver:
    """Writes public or private information as text, or neither, whichever OpenSpiel requests."""

    tensor = None

    def __init__(self, kind: Any) -> None:
        self._kind = kind
        self.dict: dict[str, Any] = {}

    def set_from(self, state: Any, player: int) -> None:
        """Write nothing: there is no tensor."""

    def string_from(self, state: Any, player: int) -> str:
        """Return the part as text."""
        private = pyspiel.PrivateInfoType
        seen = {private.NONE: [], private.SINGLE_PLAYER: [player]}
        players = seen.get(self._kind.private_info, state._at.setup.seats)
        parts = [f"hand of {seat} {state.hand(seat)}" for seat in players]
        return ", ".join([*([state.information(None)] if self._kind.public_info else []), *parts])
