"""A fact about a turn: read off the board, never estimated."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about a turn, and what it weighs in points."""

    kind: str
    weight: float  # positive: good for its player
    values: tuple[tuple[str, str | int], ...]  # by name; seats are counted from 0


def fact(kind: str, weight: float, **values: str | int) -> Fact:
    """Return a fact."""
    return Fact(kind, weight, tuple(values.items()))
