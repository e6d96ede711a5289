"""The gate: new weights replace old ones only if a sequential test finds them stronger.

Deals are stored in a file, one per line, so that an interrupted gate resumes.
"""

import json
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

from match import Match

from patrizier.arena.executors import Executor, InProcess
from patrizier.arena.sequential import Hypotheses, SequentialTest
from patrizier.bots.learned.value import Weights


class Gate(NamedTuple):
    """What new weights have to show."""

    iterations: int  # per decision, for both
    elo0: float = 0.0
    elo1: float = 10.0
    deals: int = 20_000  # then the old weights stay

    def test(self, players: int) -> SequentialTest:
        """Return the sequential test."""
        return SequentialTest(players, Hypotheses(self.elo0, self.elo1))


def decide(
    gate: Gate,
    players: int,
    new: Weights,
    old: Weights,
    *,
    seed: int,
    journal: Path,
    executor: Executor | None = None,
) -> SequentialTest:
    """Play deals until the test ends, or the deals do; return the test."""
    test = gate.test(players)
    lines = journal.read_text().splitlines() if journal.exists() else []
    for line in lines:
        test.add(json.loads(line))
    job = Match(players, new, old, gate.iterations, gate.iterations, seed)
    units = islice(count(len(lines)), max(0, gate.deals - len(lines)))
    with journal.open("a") as file, closing((executor or InProcess()).run(job, units)) as parts:
        while test.verdict is None and (part := next(parts, None)) is not None:
            for shares in part[1]:
                share = float(shares.mean())
                test.add(share)
                file.write(f"{share}\n")
                file.flush()
    return test
