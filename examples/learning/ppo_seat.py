"""Five minutes with MaskablePPO of sb3-contrib, as it is: train, save, and play as a bot of ours.

pip install "patrizier[rl]" sb3-contrib
python examples/learning/ppo_seat.py
cd examples/learning && patrizier arena ppo_seat.PpoBot random --games 100
"""

import argparse
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO

import patrizier.bridges.gymnasium
from patrizier import View
from patrizier.batch import DECISIONS, observe_floats
from patrizier.bridges.bots import DecisionBot, legal_codes

assert patrizier.bridges.gymnasium  # registers the environments
FILE = Path(__file__).with_name("policy.zip")


@cache
def policy() -> Any:
    """Return what was learnt, loaded once for all bots."""
    return MaskablePPO.load(FILE, device="cpu")


class PpoBot(DecisionBot):
    """Asks the policy for every decision."""

    name = "ppo"
    about = "Plays what MaskablePPO has learnt."

    def decide(self, view: View, rng: np.random.Generator) -> int:
        """Return the likeliest code."""
        mask = np.isin(np.arange(DECISIONS), legal_codes(view))
        code, _ = policy().predict(observe_floats(view), action_masks=mask, deterministic=True)
        return int(code)


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--opponents", default="random", help="one of our bots")
    chosen = parser.parse_args()
    env = gymnasium.make(
        "patrizier/Seat-v1", players=2, opponents=chosen.opponents, observation="floats"
    )
    model = MaskablePPO("MlpPolicy", env, gamma=1.0, verbose=1, device="cpu")
    model.learn(chosen.decisions)
    model.save(FILE)


if __name__ == "__main__":
    main()
