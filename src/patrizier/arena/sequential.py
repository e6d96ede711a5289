"""A sequential test: whether one bot is stronger than another, in as few games as possible.

A generalised sequential probability ratio test (GSPRT). One observation is a deal: the new bot's
mean share of the victory over all rotations, so that the luck of the cards cancels. With two
players that is the pentanomial model (0, ¼, ½, ¾, 1); with more, every share that occurs is a
category. After each deal the log-likelihood ratio compares the best-fitting distribution whose mean
is that of ``elo1`` with the best-fitting one whose mean is that of ``elo0``; outside its bounds the
test ends.

Shares may be luck-adjusted. They vary less then, so that a test ends sooner, and may lie outside 0
to 1; each is a category of its own, as far as it differs from others by a thousandth.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.arena.intervals import Clustered, Estimate
from patrizier.arena.match import MatchResult

Floats = npt.NDArray[np.float64]
LuckOf = Callable[[MatchResult], Sequence[float]]  # what the cards gave every seat

_UNSEEN = 1e-3  # deals counted for the extreme shares, so that a distribution with any mean exists
_HALVINGS = 60  # of the bracket; then the root is exact to rounding


class Verdict(StrEnum):
    """How a test ends."""

    STRONGER = "stronger"  # elo1 is accepted
    NOT_STRONGER = "not stronger"  # elo0 is accepted


def expected_share(elo: float, players: int) -> float:
    """Return the expected share of victories of a bot rated this much above equal opponents.

    By Luce's choice rule; for two players that is Elo's formula.

    >>> expected_share(0, 4), round(expected_share(100, 2), 3), round(expected_share(100, 4), 3)
    (0.25, 0.64, 0.372)
    """
    strength = 10 ** (elo / 400)
    return float(strength / (strength + players - 1))


def log_likelihood_ratio(shares: Floats, deals: Floats, share0: float, share1: float) -> Floats:
    """Return the log-likelihood ratio of mean ``share1`` to mean ``share0``.

    ``shares`` are the categories; ``deals`` counts how often each was seen, in any number of rows,
    one test each. Of those seen, the smallest lies below and the largest above both means.
    """
    return _log_likelihood(shares - share1, deals) - _log_likelihood(shares - share0, deals)


def _log_likelihood(offsets: Floats, deals: Floats) -> Floats:
    """Return the log-likelihood of the best-fitting distribution in which the offsets' mean is 0.

    Its probabilities are ``f / (1 + θ · offset)`` for the frequencies ``f``; the constant part, the
    same for every mean, is left out. The condition falls monotonically in θ between its poles.
    """
    offsets = np.where(deals > 0, offsets, 0.0)  # a share not seen has no pole
    low, high = -1 / offsets.max(axis=-1), -1 / offsets.min(axis=-1)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        mean = (deals * offsets / (1 + middle[..., None] * offsets)).sum(axis=-1)
        low, high = np.where(mean > 0, middle, low), np.where(mean > 0, high, middle)
    theta = (low + high) / 2
    result: Floats = -(deals * np.log1p(theta[..., None] * offsets)).sum(axis=-1)
    return result


@dataclass(frozen=True)
class Hypotheses:
    """What is tested: a difference of ``elo0`` or less against one of ``elo1`` or more."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05  # probability of a false positive
    beta: float = 0.05  # probability of a false negative

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError("elo0 must be less than elo1")
        if not abs(self.elo0) <= 1000 >= abs(self.elo1):
            raise ValueError("differences of more than 1000 points cannot be tested")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta must lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log-likelihood ratio."""
        lower = math.log(self.beta / (1 - self.alpha))
        return lower, math.log((1 - self.beta) / self.alpha)


class SequentialTest:
    """A running test, updated deal by deal.

    >>> test = SequentialTest(players=2, hypotheses=Hypotheses(0, 50))
    >>> for _ in range(100):
    ...     for share in (0.5, 1.0, 0.5, 0.25):
    ...         test.add(share)
    >>> test.verdict, round(test.share().value, 3)
    (<Verdict.STRONGER: 'stronger'>, 0.567)
    """

    def __init__(
        self, players: int, hypotheses: Hypotheses, *, luck_adjusted: bool = False
    ) -> None:
        self.hypotheses = hypotheses
        self.players = players
        self.luck_adjusted = luck_adjusted
        self.deals = 0
        self.verdict: Verdict | None = None
        self._means = [expected_share(elo, players) for elo in (hypotheses.elo0, hypotheses.elo1)]
        self._counts = {0.0: _UNSEEN, 1.0: _UNSEEN}
        self._observed = Clustered()
        self._ratio: float | None = 0.0

    def add(self, share: float) -> None:
        """Count a deal by the new bot's mean share of the victory; ignored after the verdict."""
        if self.verdict is not None:
            return
        if not (self.luck_adjusted or 0 <= share <= 1):
            raise ValueError(f"{share} is not a share")
        # Thirds add up differently in different orders.
        share = round(share, 3 if self.luck_adjusted else 9)
        self._counts[share] = self._counts.get(share, 0.0) + 1
        self._observed.add(self.deals, share)
        self.deals += 1
        self._ratio = None
        lower, upper = self.hypotheses.bounds
        if self.ratio >= upper:
            self.verdict = Verdict.STRONGER
        elif self.ratio <= lower:
            self.verdict = Verdict.NOT_STRONGER

    @property
    def ratio(self) -> float:
        """The log-likelihood ratio so far."""
        if self._ratio is None:
            shares, deals = (
                np.array(list(each), float) for each in zip(*self._counts.items(), strict=True)
            )
            self._ratio = float(log_likelihood_ratio(shares, deals, *self._means))
        return self._ratio

    def share(self) -> Estimate:
        """Return the share of victories so far; biased, because the test stops early."""
        return self._observed.mean() if self.luck_adjusted else self._observed.share()

    def to_json(self) -> dict[str, Any]:
        """Return the state of the test as JSON."""
        lower, upper = self.hypotheses.bounds
        return {
            "verdict": self.verdict,
            "deals": self.deals,
            "players": self.players,
            "luck_adjusted": self.luck_adjusted,
            "elo0": self.hypotheses.elo0,
            "elo1": self.hypotheses.elo1,
            "alpha": self.hypotheses.alpha,
            "beta": self.hypotheses.beta,
            "llr": self.ratio,
            "lower": lower,
            "upper": upper,
            "share": self.share().to_json() if self.deals else None,
        }


class DealShares:
    """Collects the games of a deal; gives the deal's share once it is complete."""

    def __init__(self, name: str, games_per_deal: int, luck: LuckOf | None = None) -> None:
        self._name = name
        self._luck = luck
        self._games_per_deal = games_per_deal
        self._deal: int | None = None
        self._shares: list[float] = []

    def add(self, result: MatchResult) -> float | None:
        """Count the next game; return the deal's share with its last one.

        A deal that is not complete when the next one begins does not count.
        """
        if result.deal != self._deal:
            self._deal, self._shares = result.deal, []
        shares = result.shares
        if self._luck:
            shares = tuple(s - lucky for s, lucky in zip(shares, self._luck(result), strict=True))
        self._shares.append(_share_of(self._name, result.names, shares))
        if len(self._shares) < self._games_per_deal:
            return None
        return sum(self._shares) / len(self._shares)


def _share_of(name: str, names: Sequence[str], shares: Sequence[float]) -> float:
    return sum(share for each, share in zip(names, shares, strict=True) if each == name)
