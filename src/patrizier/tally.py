"""Whose floors make up a tower, counted: the one that leads first."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

Tally: TypeAlias = tuple[tuple[int, int], ...]  # seats with their floors


def tally(floors: Sequence[int], leader: int | None) -> Tally:
    """Return the owners of a tower's floors, from bottom to top, with how many each has.

    The leader comes first, then who has more; of equals, who owns the higher floor.

    >>> tally((2, 0, 0, 2, 1), leader=2)
    ((2, 2), (0, 2), (1, 1))
    """
    counts = Counter(reversed(floors))  # in the order of their highest floors
    ranked = sorted(counts.items(), key=lambda entry: (entry[0] != leader, -entry[1]))
    return tuple(ranked)
