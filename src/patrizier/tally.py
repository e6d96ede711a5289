"""The floors of a tower, counted by owner, the leader first."""

from collections import Counter
from functools import lru_cache
from typing import TypeAlias

Tally: TypeAlias = tuple[tuple[int, int], ...]  # seats with their floors


@lru_cache(maxsize=16_384)  # a view counts every tower, and most stay as they are for turns
def tally(floors: tuple[int, ...], leader: int | None) -> Tally:
    """Count a tower's floors, given their owners from bottom to top.

    Sorted by number of floors; ties go to the owner of the higher floor. So the leader is first.

    >>> tally((2, 0, 0, 2, 1), leader=2)
    ((2, 2), (0, 2), (1, 1))
    """
    counts = Counter(reversed(floors))  # in the order of their highest floors
    ranked = sorted(counts.items(), key=lambda entry: (entry[0] != leader, -entry[1]))
    return tuple(ranked)
