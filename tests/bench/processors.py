"""Compares code for common processor levels with code for this very machine, as ratios in one run.

`python tests/bench/processors.py`. Wheels carry code for a level that nearly all machines have:
what does that cost?
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from rich.console import Console
from rich.table import Table

NATIVE = "native"
LEVELS = (NATIVE, "x86-64-v3", "x86-64-v2")


def measured(level: str, cache: str) -> dict[str, float]:
    """Return what the engine's rows cost with code for a level: less is better."""
    from commits import ENGINE  # type: ignore[import-not-found]  # beside this script

    environment = {**os.environ, "PATRIZIER_CACHE_DIR": f"{cache}/{level}"}
    if level != NATIVE:
        environment |= {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": ""}
    run = subprocess.run(
        [sys.executable, "-c", ENGINE], env=environment, capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Measure all levels in turn, and print the ratios of the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as cache:
        for level in LEVELS:
            measured(level, cache)  # compiles
        runs = [{level: measured(level, cache) for level in LEVELS} for _ in range(rounds)]
    table = Table("cost of", *LEVELS)
    for row in runs[0][NATIVE]:
        costs = [statistics.median(run[level][row] for run in runs) for level in LEVELS]
        table.add_row(row, *(f"{cost / costs[0]:.3f}" for cost in costs))
    Console().print(table)


if __name__ == "__main__":
    main()
