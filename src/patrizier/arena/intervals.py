"""Means with 95 % confidence intervals, clustered by deal.

Games on the same deal are not independent: the deal may favour a seat, which playing it in all
rotations cancels. So the sampling unit is the deal. With the sums ``y`` of the
observations of a deal and their number ``w``, the mean is ``Σy / Σw`` and its variance the
cluster-robust ``n / (n - 1) * Σ(y - mean * w)² / (Σw)²`` over the n deals; quantiles are those of
Student's t with n - 1 degrees of freedom. Shares get the Wilson interval for the number of
independent games that would have the same variance, which keeps them between 0 and 1.
"""

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]

NORMAL = 1.959963984540054  # 97.5 % quantile
_FEW = 100  # degrees of freedom up to which the t quantile is solved numerically
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)  # precise enough up to there
_STEPS = 50  # of Newton's method, at most; about five are needed


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its 95 % interval."""

    value: float
    low: float  # -inf with a single deal, which has no variance
    high: float
    count: int = 0  # observations

    def to_json(self) -> dict[str, float | int | None]:
        """Return the figures as JSON; None for an infinite bound."""
        low, high = (x if math.isfinite(x) else None for x in (self.low, self.high))
        return {"value": self.value, "low": low, "high": high, "count": self.count}


class Clustered:
    """Observations, summed per deal.

    >>> wins = Clustered()
    >>> for deal, won in enumerate([1, 1, 0, 1]):
    ...     wins.add(deal, won)
    >>> wins.mean().value, wins.count
    (0.75, 4)
    """

    __slots__ = ("_sums", "count")

    def __init__(self, observations: Iterable[tuple[Hashable, float]] = ()) -> None:
        self._sums: dict[Hashable, list[float]] = {}
        self.count = 0
        for cluster, value in observations:
            self.add(cluster, value)

    def add(self, cluster: Hashable, value: float) -> None:
        """Add one observation."""
        sums = self._sums.setdefault(cluster, [0.0, 0.0])
        sums[0] += value
        sums[1] += 1
        self.count += 1

    def mean(self) -> Estimate:
        """Return the mean of all observations."""
        return of_sums(*self._columns())

    def share(self) -> Estimate:
        """Return the mean of observations between 0 and 1, with a Wilson interval."""
        value, error = self._value_and_error()
        deals = len(self._sums)
        if deals < 2:
            return Estimate(value, 0.0, 1.0, self.count)
        spread = value * (1 - value)
        size = spread / error**2 if error > 1e-9 and spread > 1e-9 else float(deals)
        low, high = wilson(value, size, quantile(deals - 1))
        return Estimate(value, low, high, self.count)

    def _value_and_error(self) -> tuple[float, float]:
        return _value_and_error(*self._columns())

    def _columns(self) -> Floats:
        if not self._sums:
            raise ValueError("there are no observations")
        columns: Floats = np.array(list(self._sums.values())).T
        return columns


def of_sums(sums: Floats, counts: Floats) -> Estimate:
    """Return the mean of observations, given as the sum and the number of each deal."""
    value, error = _value_and_error(sums, counts)
    reach = quantile(len(sums) - 1) * error if len(sums) > 1 else math.inf
    return Estimate(value, value - reach, value + reach, round(counts.sum()))


def _value_and_error(sums: Floats, counts: Floats) -> tuple[float, float]:
    value, deals = float(sums.sum() / counts.sum()), len(sums)
    if deals < 2:
        return value, math.inf
    squares = float(((sums - value * counts) ** 2).sum())
    return value, math.sqrt(deals / (deals - 1) * squares) / float(counts.sum())


def quantile(freedom: float) -> float:
    """Return the 97.5 % quantile of Student's t for at least one degree of freedom.

    >>> round(quantile(1), 2), round(quantile(10), 2), round(quantile(1000), 2)
    (12.71, 2.23, 1.96)
    """
    if not freedom >= 1:
        raise ValueError("Student's t needs at least one degree of freedom")
    return _near_normal(freedom) if freedom > _FEW else _of_few(freedom)


def _near_normal(n: float) -> float:
    """Expand the quantile around the normal one: eight correct digits from n = 100 on."""
    z = NORMAL
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


@lru_cache(maxsize=128)
def _of_few(n: float) -> float:
    """Solve for the quantile: with t = √n tan θ, t's density turns into cosⁿ⁻¹ θ.

    The area from 0 to θ is concave, so Newton's method converges from one side.
    """
    half = math.sqrt(math.pi) / 2 * math.exp(math.lgamma(n / 2) - math.lgamma((n + 1) / 2))
    angle = math.atan(_near_normal(n) / math.sqrt(n))
    for _ in range(_STEPS):
        area = angle / 2 * float(_WEIGHTS @ np.cos(angle / 2 * (_NODES + 1)) ** (n - 1))
        step = (0.95 * half - area) / math.cos(angle) ** (n - 1)
        angle += step
        if abs(step) < 1e-14:
            break
    return math.sqrt(n) * math.tan(angle)


def wilson(share: float, size: float, z: float = NORMAL) -> tuple[float, float]:
    """Return the Wilson score interval of a share among this many independent games.

    >>> [round(x, 4) for x in wilson(0.5, 100)]
    [0.4038, 0.5962]
    """
    shrink = 1 + z**2 / size
    middle = (share + z**2 / (2 * size)) / shrink
    reach = z / shrink * math.sqrt(share * (1 - share) / size + z**2 / (4 * size**2))
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    # The bounds at the ends are exact; rounding, which differs between processors, is not.
    return 0.0 if share == 0 else low, 1.0 if share == 1 else high
