"""Compares the speed of two commits: engine, bots and server, in turn, as ratios in one run.

`python tests/bench/commits.py OLD [NEW]`. Both run with the libraries installed here, from a
temporary checkout each; the ratio of the medians counts.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[2]
COMMAND = "from patrizier.cli.main import app; app()"
LOAD = ("loadtest", "--tables", "50", "--rate", "50", "--seconds", "8", "--idle", "0", "--json")

# Run in a checkout, so it uses only names that all versions share.
ENGINE = """
import contextlib, io, json, time
import numpy as np
from patrizier import Game, Options
from patrizier.bots.registry import make_bot
from patrizier.cli.main import app

def seconds(work):
    work()  # compiles
    begin = time.process_time()  # other programs do not count
    work()
    return time.process_time() - begin

def playouts():
    with contextlib.redirect_stdout(io.StringIO()):
        app(["simulate", "--games", "200000"], standalone_mode=False)

def turns():
    for seed in range(20):
        game = Game(Options(3, ["messengers"]), seed=seed)
        while not game.is_over:
            game.view(game.seat)
            game.play(game.legal_moves[0])

def search():
    for players in (2, 4):
        game = Game(Options(players), seed=1)
        make_bot("mcts:20000").choose(game.view(game.seat), np.random.default_rng(1))

rows = {"random games": playouts, "turns by the Python API": turns, "searches by mcts": search}
print(json.dumps({name: seconds(work) for name, work in rows.items()}))
"""


def measured(checkout: Path) -> dict[str, float]:
    """Return the cost of everything measured: less is better."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}

    def answer(*arguments: str) -> dict[str, object]:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=checkout,
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
        )
        found: dict[str, object] = json.loads(done.stdout)
        return found

    costs = {name: float(str(value)) for name, value in answer("-c", ENGINE).items()}
    load = answer("-c", COMMAND, *LOAD)
    waits = load["wait_ms"]
    assert isinstance(waits, dict)
    costs["server: processor time per turn"] = float(str(load["processor_ms_per_turn"]))
    costs["server: median latency"] = float(waits["p50"])
    costs["server: 95th percentile of latency"] = float(waits["p95"])
    return costs


def main() -> None:
    """Measure both commits in turn and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old")
    parser.add_argument("new", nargs="?", default="HEAD")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    commits = (chosen.old, chosen.new)
    rounds: list[tuple[dict[str, float], ...]] = []
    with tempfile.TemporaryDirectory(prefix="patrizier-commits-") as folder:
        checkouts = [Path(folder, name) for name in ("old", "new")]
        for checkout, commit in zip(checkouts, commits, strict=True):
            checkout.mkdir()
            archive = subprocess.run(
                ["git", "archive", commit, "src"], cwd=ROOT, check=True, stdout=subprocess.PIPE
            )
            subprocess.run(["tar", "-x"], cwd=checkout, input=archive.stdout, check=True)
        for _ in range(chosen.rounds):
            rounds.append(tuple(measured(checkout) for checkout in checkouts))
    table = Table("cost of", commits[0], commits[1], "ratio", box=None)
    for name in rounds[0][0]:
        old, new = (statistics.median(row[side][name] for row in rounds) for side in (0, 1))
        table.add_row(name, f"{old:.3g}", f"{new:.3g}", f"{new / old:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
