"""Verdicts on a turn: thresholds that mean the same for any number of players.

The more players, the less of the victory is at stake for each of them: between equals the result of
one seat has a standard deviation of 0.5 with two players and of 0.4 with five. Costs are measured
in that deviation; the thresholds are written for two players.
"""

import math
from enum import StrEnum


class Verdict(StrEnum):
    """How good a turn was, given what its seat knew."""

    BEST = "best"
    FINE = "fine"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def is_error(self) -> bool:
        """Whether a better turn could have been found."""
        return self in (Verdict.INACCURACY, Verdict.MISTAKE, Verdict.BLUNDER)


# Share of the victory lost, with two players, up to which a verdict holds.
THRESHOLDS = {
    Verdict.BEST: 0.01,
    Verdict.FINE: 0.03,
    Verdict.INACCURACY: 0.07,
    Verdict.MISTAKE: 0.15,
}


_DOUBT = 1.5  # standard errors of a cost


def stake(players: int) -> float:
    """Return the factor that scales a cost to a two-player game.

    >>> stake(2), stake(5)
    (1.0, 0.8)
    """
    return 2.0 * math.sqrt((1 / players) * (1 - 1 / players))


def in_doubt(cost: float, error: float, players: int) -> bool:
    """Whether an estimate one standard error away would change the verdict."""
    around = (verdict_on(cost + by * _DOUBT * error, error, players) for by in (-1, 1))
    return len(set(around)) > 1


def verdict_on(cost: float, error: float, players: int) -> Verdict:
    """Return the verdict on a turn; within its standard error the turn gets the better one."""
    weighed = (cost - error) / stake(players)
    return next((v for v, most in THRESHOLDS.items() if weighed <= most), Verdict.BLUNDER)
