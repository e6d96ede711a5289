"""How much a bot may think: some time, or some iterations."""

import re
from dataclasses import dataclass

_BUDGET = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?)(?P<unit>ms|s)?")
_LONGEST = 3600.0  # seconds
_MOST = 10**9  # iterations


@dataclass(frozen=True, slots=True)
class Budget:
    """What a bot may spend on one answer: seconds or iterations, one of them.

    >>> Budget.parse("100ms"), Budget.parse("2000").iterations
    (Budget(seconds=0.1, iterations=None), 2000)
    """

    seconds: float | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        if (self.seconds is None) == (self.iterations is None):
            raise ValueError("a budget is a time or a number of iterations")
        if self.seconds is not None and not 0 < self.seconds <= _LONGEST:
            raise ValueError(f"a budget of {self.seconds:g} s: more than 0, at most {_LONGEST:g}")
        if self.iterations is not None and not 1 <= self.iterations <= _MOST:
            raise ValueError(f"a budget of {self.iterations} iterations: from 1 to {_MOST}")

    @classmethod
    def parse(cls, text: str) -> "Budget":
        """Read ``100ms``, ``1.5s`` or ``2000`` (iterations)."""
        match = _BUDGET.fullmatch(text)
        if match is None or (match["unit"] is None and "." in text):
            raise ValueError(f"{text!r} is no budget: write 100ms, 1.5s, or 2000 for iterations")
        if match["unit"] is None:
            return cls(iterations=int(match["number"]))
        return cls(seconds=float(match["number"]) / (1000 if match["unit"] == "ms" else 1))

    def __str__(self) -> str:
        if self.seconds is None:
            return str(self.iterations)
        return f"{self.seconds * 1000:g}ms" if self.seconds < 1 else f"{self.seconds:g}s"
