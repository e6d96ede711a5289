"""The examples that need no PyTorch run."""

import re
import subprocess
import sys
from pathlib import Path

LEARNING = Path(__file__).parents[2] / "examples" / "learning"


def test_mcts_of_open_spiel_plays_against_ours() -> None:
    command = [sys.executable, str(LEARNING / "spiel_mcts.py"), "--games=2", "--simulations=2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"MCTS won \d+% of 2 games against greedy\n", done.stdout)
