"""Shares of the victory in whole millionths, so that accounts add up to the last digit."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

WHOLE = 1_000_000

Parts: TypeAlias = tuple[int, ...]  # by seat, in millionths


def in_parts(shares: npt.NDArray[np.float64]) -> Parts:
    """Return shares that add up to one as millionths that add up to a million.

    >>> in_parts(np.array([1 / 3, 1 / 3, 1 / 3]))
    (333334, 333333, 333333)
    """
    exact = np.asarray(shares, float) / np.sum(shares) * WHOLE
    down = np.floor(exact)
    lacking = round(WHOLE - float(down.sum()))
    order = np.argsort(down - exact, kind="stable")  # largest rest first
    down[order[:lacking]] += 1
    return tuple(int(part) for part in down)


def difference(one: Parts, two: Parts) -> Parts:
    """Return one less two, seat by seat."""
    return tuple(a - b for a, b in zip(one, two, strict=True))


def total(*parts: Parts) -> Parts:
    """Return the sum, seat by seat."""
    return tuple(map(sum, zip(*parts, strict=True)))


def swing(parts: Parts) -> int:
    """Return how much of the victory changed hands."""
    return sum(part for part in parts if part > 0)
