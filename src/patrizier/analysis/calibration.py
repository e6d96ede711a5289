"""The calibration of estimated shares: when they say 30 %, 30 % win.

The value network is sharpened or flattened by an exponent that depends on how far the game has
come, fitted by ``scripts/calibrate_analysis.py`` to games of bots.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from patrizier.options import Options
from patrizier.rules.board import cards_in_play

Numbers = npt.NDArray[np.float64]
_LEAST = 1e-9  # shares below count as this


@dataclass(frozen=True)
class Calibration:
    """Exponents at evenly spaced moments of the game, from its start to its end."""

    turns: int
    exponents: tuple[float, ...] = (1.0,)

    def exponent(self, turn: int) -> float:
        """Return the exponent after so many turns."""
        places = np.linspace(0.0, self.turns, len(self.exponents))
        return float(np.interp(turn, places, self.exponents))

    def apply(self, shares: Numbers, turn: int) -> Numbers:
        """Return calibrated shares; the last axis is the seat, and adds up to one."""
        return sharpen(shares, self.exponent(turn))


def sharpen(shares: Numbers, exponent: float | Numbers) -> Numbers:
    """Return shares to the power of an exponent, adding up to one again.

    >>> sharpen(np.array([0.8, 0.2]), 2.0).round(3).tolist()
    [0.941, 0.059]
    """
    logs = exponent * np.log(np.maximum(shares, _LEAST))
    odds = np.exp(logs - logs.max(axis=-1, keepdims=True))
    result: Numbers = odds / odds.sum(axis=-1, keepdims=True)
    return result


def calibration_for(options: Options) -> Calibration:
    """Return the fitted calibration of games with these options."""
    messengers = "messengers" in options.rules
    key = f"{options.players}{'m' if messengers else ''}"
    return Calibration(len(cards_in_play(options.players)), tuple(_fitted().get(key, (1.0,))))


@cache
def _fitted() -> dict[str, list[float]]:
    text = files(__package__).joinpath("calibration.json").read_text("utf-8")
    fitted: dict[str, list[float]] = json.loads(text)["exponents"]
    return fitted
