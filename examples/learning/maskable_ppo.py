"""Train MaskablePPO of sb3-contrib against one of our bots, then play it for a figure.

pip install "patrizier[rl]" sb3-contrib
python examples/learning/maskable_ppo.py --minutes 30 --out policy.zip
"""

import argparse
import time
from pathlib import Path

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

from patrizier.bridges.gymnasium import SeatEnv


class Until(BaseCallback):  # type: ignore[misc]
    """Stops the training when its time is over."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.end = time.monotonic() + seconds

    def _on_step(self) -> bool:
        return time.monotonic() < self.end


def play(model: MaskablePPO, opponent: str, games: int) -> float:
    """Return the share of victories in games from alternating seats."""
    won = 0.0
    for number in range(games):
        env = SeatEnv(opponents=opponent, seat=number % 2, observation="floats")
        seen, info = env.reset(seed=10**6 + number // 2)  # both seats play the same deal
        over = False
        while not over:
            action, _ = model.predict(seen, action_masks=info["action_mask"], deterministic=True)
            seen, reward, over, _, info = env.step(int(action))
        won += (reward + 1) / 2
    return won / games


def main() -> None:
    """Train, save, play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--opponent", default="greedy", help="one of our bots")
    parser.add_argument("--envs", type=int, default=8)
    parser.add_argument("--processes", action="store_true", help="one process for each env")
    parser.add_argument("--games", type=int, default=1000, help="to play afterwards")
    parser.add_argument("--out", type=Path, help="where to save the policy")
    chosen = parser.parse_args()

    def make() -> SeatEnv:
        return SeatEnv(opponents=chosen.opponent, observation="floats")

    kind = SubprocVecEnv if chosen.processes else DummyVecEnv
    model = MaskablePPO(
        "MlpPolicy",
        kind([make] * chosen.envs),
        learning_rate=5e-4,
        n_steps=256,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=1,
    )
    begin = time.monotonic()
    model.learn(10**9, callback=Until(60 * chosen.minutes))
    took = (time.monotonic() - begin) / 60
    print(f"{model.num_timesteps:,} decisions in {took:.1f} minutes")
    if chosen.out:
        model.save(chosen.out)
    share = play(model, chosen.opponent, chosen.games)
    error = 1.96 * np.sqrt(share * (1 - share) / chosen.games)
    print(f"{share:.1%} ± {error:.1%} of {chosen.games} games against {chosen.opponent}")


if __name__ == "__main__":
    main()
