"""Train MaskablePPO of sb3-contrib against one of our bots, then play it for a figure.

    pip install "patrizier[rl]" sb3-contrib
    python examples/learning/maskable_ppo.py --minutes 30 --out policy.zip

The network sees what a simple evaluation thinks of each action, and learns when to know better. It
begins by imitating the bot: watching games is the quickest way to play them at all. Then it plays
against the bot. The reward is +1 for a victory, -1 for a defeat, and the change
of the lead in points, as a simple evaluation expects it until the end tells it: so the network
learns much sooner what was good.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from features import ACTIONS, actions, features, final_lead, outlooks
from gymnasium.spaces import Box, Discrete
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from patrizier.batch import Batch
from patrizier.bots.evaluation import worth
from patrizier.bridges.bots import Decider
from patrizier.bridges.gymnasium import BatchEnv, SeatEnv
from patrizier.rules.state import new_cells

POINTS = 15  # that count as much as half a victory


class Seats(VecEnv):  # type: ignore[misc]
    """Our `BatchEnv` as Stable-Baselines3 takes it, with features and a shaped reward."""

    def __init__(self, games: int, opponent: str) -> None:
        self.env = BatchEnv(games, opponents=opponent, threads=1)
        length = self._seen(*self.env.reset(seed=1)).shape[1]
        super().__init__(games, Box(-9, 9, (length,), np.float32), Discrete(ACTIONS))

    def reset(self) -> Any:
        """Deal all games anew."""
        rows, info = self.env.reset()
        self.leads = leads_of(self.env.batch)
        return self._seen(rows, info)

    def _seen(self, rows: Any, info: dict[str, Any]) -> Any:
        self.codes, self.masks = actions(rows, info["action_mask"])
        return shown_of(self.env.batch, self.codes, self.masks)

    def step_async(self, actions: Any) -> None:
        """Remember the actions."""
        self.chosen = self.codes[np.arange(self.num_envs), actions]

    def step_wait(self) -> Any:
        """Decide in all games."""
        rows, results, over, _, info = self.env.step(self.chosen)
        leads = leads_of(self.env.batch)
        reached = leads.copy()
        infos: list[dict[str, Any]] = [{} for _ in over]
        for game in np.flatnonzero(over):
            reached[game] = final_lead(info["final_obs"][game])
            infos[game]["episode"] = {"r": results[game], "l": 0, "t": 0}
        rewards = results + (reached - self.leads) / POINTS
        self.leads = leads
        return self._seen(rows, info), rewards.astype(np.float32), over, infos

    def env_method(self, method_name: str, *_: Any, **__: Any) -> Any:
        """Return the masks: PPO asks for nothing else."""
        assert method_name == "action_masks"
        return self.masks

    def has_attr(self, attr_name: str) -> bool:
        """Say that there are masks."""
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return nothing: there is nothing to look at."""
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set nothing."""

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Say no."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Do nothing."""


def shown_of(batch: Batch, codes: Any, legal: Any) -> Any:
    """Return what the network sees of every game."""
    judged = [outlooks(batch.state(g), codes[g], legal[g]) for g in range(batch.games)]
    return np.concatenate([features(batch.observations), judged], 1)


def leads_of(batch: Batch) -> Any:
    """Return the lead that the seat to move may expect in each game, in points."""
    cells, found = new_cells(), np.zeros(batch.games)
    for game in range(batch.games):
        cells[0] = batch.state(game).record
        found[game] = worth(cells, int(batch.seats[game]))
    return found


def watch(bot: str, decisions: int) -> tuple[Any, Any, Any, Any]:
    """Let a bot play itself; return features, masks, actions, and the rewards still to come."""
    batch = Batch(64, 2, threads=1, seed=2)
    deciders = [Decider(bot, game) for game in range(batch.games)]
    running: list[list[Any]] = [[] for _ in deciders]
    seen: list[Any] = []
    while len(seen) < decisions:
        codes, legal = actions(batch.observations, batch.mask)
        shown, leads = shown_of(batch, codes, legal), leads_of(batch)
        seats = batch.seats.copy()
        chosen = np.array([d.code(batch.view(game)) for game, d in enumerate(deciders)])
        taken = ((codes == chosen[:, None]) & legal).argmax(1)
        batch.step(chosen)
        for game, moments in enumerate(running):
            moments.append((shown[game], legal[game], taken[game], seats[game], leads[game]))
            if batch.done[game]:
                points, shares = batch.points[game], batch.shares[game]
                for *moment, seat, lead in moments:
                    final = points[seat] - points[1 - seat]
                    seen.append((*moment, 2 * shares[seat] - 1 + (final - lead) / POINTS))
                moments.clear()
    shown, legal, taken, rewards = (np.array(column) for column in zip(*seen, strict=True))
    return shown, legal, taken, rewards.astype(np.float32)


def imitate(model: MaskablePPO, bot: str, decisions: int, epochs: int = 6) -> None:
    """Fit the policy to a bot's decisions, and the value to what came of them."""
    shown, legal, taken, rewards = watch(bot, decisions)
    optimizer = torch.optim.Adam(model.policy.parameters(), 1e-3)
    for epoch in range(epochs):
        order, same = np.random.default_rng(epoch).permutation(len(taken)), 0.0
        for part in np.array_split(order, len(order) // 512 + 1):
            values, likely, _ = model.policy.evaluate_actions(
                torch.as_tensor(shown[part]), torch.as_tensor(taken[part]), legal[part]
            )
            wrong = (values[:, 0] - torch.as_tensor(rewards[part])) ** 2
            optimizer.zero_grad()
            (0.5 * wrong.mean() - likely.mean()).backward()
            optimizer.step()
            same += float(likely.detach().exp().sum())
        print(f"imitating, round {epoch + 1}: {same / len(taken):.0%} alike", flush=True)


class Until(BaseCallback):  # type: ignore[misc]
    """Stops the training when its time is over, and tells how far it is."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds, self.begin, self.told = seconds, time.monotonic(), time.monotonic()

    def left(self) -> float:
        """Return the share of the time that is left."""
        return max(0.0, 1 - (time.monotonic() - self.begin) / self.seconds)

    def _on_step(self) -> bool:
        results = [episode["r"] for episode in self.model.ep_info_buffer]
        if results and time.monotonic() - self.told > 60:
            self.told = time.monotonic()
            share = (np.mean(results) + 1) / 2
            print(f"{self.num_timesteps:,} decisions, lately {share:.0%} won", flush=True)
        return self.left() > 0


def play(model: MaskablePPO, opponent: str, games: int) -> float:
    """Return the share of victories in games from alternating seats."""
    won = 0.0
    for number in range(games):
        env = SeatEnv(opponents=opponent, seat=number % 2)
        seen, info = env.reset(seed=10**6 + number // 2)  # both seats play the same deal
        over = False
        while not over:
            codes, legal = actions(seen[None], info["action_mask"][None])
            judged = outlooks(env.table.game.state, codes[0], legal[0])
            shown = np.concatenate([features(seen[None]), judged[None]], 1)
            action, _ = model.predict(shown, action_masks=legal, deterministic=True)
            seen, reward, over, _, info = env.step(int(codes[0, action[0]]))
        won += (reward + 1) / 2
    return won / games


def main() -> None:
    """Train, save, play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--opponent", default="greedy", help="one of our bots")
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--watch", type=int, default=60_000, help="decisions to imitate first")
    parser.add_argument("--games", type=int, default=1000, help="to play afterwards")
    parser.add_argument("--out", type=Path, help="where to save the policy")
    chosen = parser.parse_args()

    torch.set_num_threads(1)  # the network is small: a second thread would only wait
    until = Until(60 * chosen.minutes)
    model = MaskablePPO(
        "MlpPolicy",
        Seats(chosen.envs, chosen.opponent),
        learning_rate=lambda _: 1e-5 + 3e-4 * until.left(),
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        gae_lambda=0.9,
        ent_coef=0.002,
        policy_kwargs={"net_arch": [128, 128]},
        stats_window_size=1000,
        seed=1,
    )
    if chosen.watch:
        imitate(model, chosen.opponent, chosen.watch)
    model.learn(10**9, callback=until)
    took, used = (time.monotonic() - until.begin) / 60, time.process_time() / 60
    print(f"{model.num_timesteps:,} decisions in {took:.1f} minutes, {used:.1f} of processor time")
    if chosen.out:
        model.save(chosen.out)
    share = play(model, chosen.opponent, chosen.games)
    error = 1.96 * np.sqrt(share * (1 - share) / chosen.games)
    print(f"{share:.1%} ± {error:.1%} of {chosen.games} games against {chosen.opponent}")


if __name__ == "__main__":
    main()
