"""A bot's budget per answer: time or iterations."""

import re
from dataclasses import dataclass
from decimal import Decimal

_BUDGET = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?)(?P<unit>ms|s)?(?:\*(?P<cores>[0-9]{1,3}))?")
_LONGEST = 3600.0  # seconds
_MOST = 10**9  # iterations
_MOST_CORES = 256


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget for one answer: seconds or iterations, and the number of cores.

    >>> Budget.parse("100ms").seconds, Budget.parse("2000").iterations, Budget.parse("1s*4").cores
    (0.1, 2000, 4)
    """

    seconds: float | None = None
    iterations: int | None = None
    cores: int = 1

    def __post_init__(self) -> None:
        if (self.seconds is None) == (self.iterations is None):
            raise ValueError("a budget is a time or a number of iterations")
        if self.seconds is not None and not 0 < self.seconds <= _LONGEST:
            raise ValueError(f"a budget of {self.seconds:g} s: more than 0, at most {_LONGEST:g}")
        if self.iterations is not None and not 1 <= self.iterations <= _MOST:
            raise ValueError(f"a budget of {self.iterations} iterations: from 1 to {_MOST}")
        if not 1 <= self.cores <= _MOST_CORES:
            raise ValueError(f"a budget on {self.cores} cores: from 1 to {_MOST_CORES}")

    @classmethod
    def parse(cls, text: str) -> "Budget":
        """Read ``100ms``, ``1.5s`` or ``2000`` (iterations), with ``*2`` for two cores."""
        match = _BUDGET.fullmatch(text)
        if match is None or (match["unit"] is None and "." in text):
            raise ValueError(f"{text!r} is not a budget: write 100ms, 1.5s, or 2000 for iterations")
        cores = int(match["cores"] or 1)
        if match["unit"] is None:
            return cls(iterations=int(match["number"]), cores=cores)
        seconds = Decimal(match["number"]) / (1000 if match["unit"] == "ms" else 1)
        return cls(seconds=float(seconds), cores=cores)

    def scaled(self, factor: float) -> "Budget":
        """Return a budget with its time multiplied; iterations stay as they are.

        >>> Budget.parse("100ms").scaled(1.5).seconds, Budget.parse("2000").scaled(1.5).iterations
        (0.15, 2000)
        """
        if self.seconds is None:
            return self
        seconds = min(round(self.seconds * factor, 6), _LONGEST)
        return Budget(seconds=max(seconds, 1e-6), cores=self.cores)

    def __str__(self) -> str:
        """Return the text that `parse` reads as exactly this budget."""
        cores = "" if self.cores == 1 else f"*{self.cores}"
        if self.seconds is None:
            return f"{self.iterations}{cores}"
        exact = Decimal(repr(float(self.seconds)))
        if exact < 1:
            return f"{_plain(exact * 1000)}ms{cores}"
        return f"{_plain(exact)}s{cores}"


def _plain(number: Decimal) -> str:
    """Return a number without exponent and trailing zeros."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
