"""Random games in the compiled rules against the same games in hand-written C.

Both run in turn, several times, on one core. What counts is the ratio of the best rounds in
processor time, which other work on the machine disturbs least. Needs a C compiler.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from patrizier import Options
from patrizier.rules.playout import play_games
from patrizier.rules.scratch import new_scratch

GAMES = 10_000
ROUNDS = 25


def ours(players: int, messengers: bool) -> float:
    """Return our games per second."""
    cells = Options(players, ["messengers"] if messengers else []).blank_cells()
    tables, shares = np.zeros((GAMES, 5, 6), np.int64), np.zeros((GAMES, 5))
    starts = np.zeros(GAMES, np.int64)
    begin = time.process_time()
    play_games(cells, new_scratch(), np.uint64(1), 0, tables, shares, starts)
    return GAMES / (time.process_time() - begin)


def theirs(program: str, players: int, messengers: bool) -> float:
    """Return the games per second of the C program."""
    call = [program, str(players), str(int(messengers)), str(GAMES), "1"]
    answer = json.loads(subprocess.run(call, check=True, capture_output=True).stdout)
    return float(answer["games_per_second"])


def main() -> None:
    """Compile the C program, measure both, print the table."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        sys.exit("There is no C compiler here to measure against.")
    table = Table(title="Random games a second on one core", title_justify="left", box=None)
    for name in ("players", "messengers", "Patrizier", "C", "C is faster by"):
        table.add_column(name, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/yardstick"
        source = Path(__file__).with_name("yardstick.c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        for players in (2, 3, 4, 5):
            for messengers in (False, True):
                ours(players, messengers)  # compile before measuring
                rounds = [
                    (ours(players, messengers), theirs(program, players, messengers))
                    for _ in range(ROUNDS)
                ]
                mine, c = (max(column) for column in zip(*rounds, strict=True))
                table.add_row(
                    str(players),
                    "yes" if messengers else "no",
                    f"{mine:,.0f}",
                    f"{c:,.0f}",
                    f"{c / mine:.2f} ×",
                )
    Console().print(table)


if __name__ == "__main__":
    main()
