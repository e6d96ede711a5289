"""Train MaskablePPO of sb3-contrib against one of our bots, then measure its strength.

    pip install "patrizier[rl]" sb3-contrib
    python examples/learning/maskable_ppo.py --minutes 30 --out policy.zip

The network's input includes the heuristic value of every action. First it imitates a stronger bot,
the quickest way to reasonable play. Then it plays against the opponent. The reward is +1 for a
victory and -1 for a defeat, plus the change of the expected lead in points (reward shaping), so
that feedback comes sooner.

Minutes are processor time, summed over all processes: thirty on two cores are sixty.
"""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch
from features import ACTIONS, actions, features, final_lead
from foresight import Foresight
from gymnasium.spaces import Box, Discrete
from network import Policy
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from patrizier.batch import Batch
from patrizier.bridges.bots import Decider
from patrizier.bridges.gymnasium import BatchEnv

CORES = 2
POINTS = 15  # worth half a victory


class Seats(VecEnv):  # type: ignore[misc]
    """Our `BatchEnv` in the form that Stable-Baselines3 expects, with features and a shaped reward.

    `greedy` plays the action with the best foresight. If ``quick``, the opponent `greedy` is
    computed from it for all games at once, instead of by asking the bot.
    """

    def __init__(self, games: int, opponent: str, quick: bool, seed: int) -> None:
        self.foresight = Foresight(games)
        self._rng = np.random.default_rng(seed)
        playing = self._greedy if quick and opponent == "greedy" else opponent
        self.env = BatchEnv(games, opponents=playing, threads=1)
        self.env.reset(seed=seed)
        length = self.reset().shape[1]
        super().__init__(games, Box(-99, 99, (length,), np.float32), Discrete(ACTIONS))

    def _greedy(self, batch: Batch) -> Any:
        """Return the codes that `greedy` would choose."""
        self.foresight.look(batch.cells(), batch.seats != self.env.own)
        values = self.foresight.values
        return (values + 1e-7 * self._rng.random(values.shape)).argmax(1)

    def reset(self) -> Any:
        """Deal all games anew."""
        rows, info = self.env.reset()
        return self._seen(rows, info)

    def _seen(self, rows: Any, info: dict[str, Any]) -> Any:
        self.foresight.look(self.env.batch.cells())
        self.codes, self.masks = actions(rows, info["action_mask"])
        return shown(rows, self.codes, self.masks, self.foresight)

    def step_async(self, actions: Any) -> None:
        """Remember the actions."""
        self.chosen = self.codes[np.arange(self.num_envs), actions]

    def step_wait(self) -> Any:
        """Decide in all games."""
        before = self.foresight.leads.copy()
        rows, results, over, _, info = self.env.step(self.chosen)
        seen = self._seen(rows, info)
        reached = self.foresight.leads.copy()
        infos: list[dict[str, Any]] = [{} for _ in over]
        for game in np.flatnonzero(over):
            reached[game] = final_lead(info["final_obs"][game])
            infos[game]["episode"] = {"r": results[game], "l": 0, "t": 0}
        rewards = results + (reached - before) / POINTS
        return seen, rewards.astype(np.float32), over, infos

    def env_method(self, method_name: str, *_: Any, **__: Any) -> Any:
        """Return the masks, the only thing that PPO asks for."""
        assert method_name == "action_masks"
        return self.masks

    def has_attr(self, attr_name: str) -> bool:
        """Say that there are masks."""
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return nothing: the environments have no attributes to read."""
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set nothing."""

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Say no."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Do nothing."""


def shown(rows: Any, codes: Any, legal: Any, foresight: Foresight) -> Any:
    """Return the network's input: the table, and the heuristic value of each action, in points."""
    values = np.where(legal, np.take_along_axis(foresight.values, codes, 1), 0)
    mean = values.sum(1, keepdims=True) / legal.sum(1, keepdims=True)
    judged = np.where(legal, values - mean, 0)
    return np.concatenate([features(rows), foresight.leads[:, None] / POINTS, judged], 1).astype(
        np.float32
    )


def watch(bot: str, opponent: str, envs: int, decisions: int, seed: int) -> tuple[Any, ...]:
    """Let a bot play; return inputs, masks, its actions, and the discounted rewards."""
    seats = Seats(envs, opponent, quick=True, seed=seed)
    deciders = [Decider(bot, game) for game in range(seats.num_envs)]
    now, told = seats.reset(), []
    for _ in range(max(2, decisions // seats.num_envs)):
        batch, masks = seats.env.batch, seats.masks
        codes = np.array([d.code(batch.view(game)) for game, d in enumerate(deciders)])
        taken = ((seats.codes == codes[:, None]) & masks).argmax(1)
        then, rewards, over, _ = seats.step(taken)
        told.append([now, masks, taken, rewards, over])
        now = then
    to_come, known = np.zeros(seats.num_envs, np.float32), np.zeros(seats.num_envs, np.bool_)
    for moment in reversed(told):
        rewards, over = moment[3:]
        to_come = rewards + np.where(over, 0, to_come)
        known = known | over  # the last games were not played to their end
        moment[3:] = to_come, known
    return tuple(np.concatenate(column) for column in zip(*told, strict=True))


def imitate(model: MaskablePPO, told: list[Any], epochs: int = 8) -> None:
    """Fit the policy to the bot's decisions, and the value to their results."""
    shown, masks, taken, to_come, known = told
    optimizer = torch.optim.Adam(model.policy.parameters())
    parts = len(taken) // 512 + 1
    slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, epochs * parts)
    for epoch in range(epochs):
        order, same = np.random.default_rng(epoch).permutation(len(taken)), 0.0
        for part in np.array_split(order, parts):
            values, likely, _ = model.policy.evaluate_actions(
                torch.as_tensor(shown[part]), torch.as_tensor(taken[part]), masks[part]
            )
            wrong = (
                torch.as_tensor(known[part]) * (values[:, 0] - torch.as_tensor(to_come[part])) ** 2
            )
            optimizer.zero_grad()
            (0.5 * wrong.mean() - likely.mean()).backward()
            optimizer.step()
            slower.step()
            same += float(likely.detach().exp().sum())
        print(
            f"imitating, round {epoch + 1}: {same / len(taken):.0%} alike, {minutes():.1f} min",
            flush=True,
        )


def minutes() -> float:
    """Return the processor time so far, also that of processes which have ended."""
    return sum(os.times()[:4]) / 60


class Until(BaseCallback):  # type: ignore[misc]
    """Stops the training when its processor time is over, and reports progress."""

    def __init__(self, end: float) -> None:
        super().__init__()
        self.begin, self.end, self.told = minutes(), end, minutes()

    def _on_training_start(self) -> None:
        self.begin = minutes()

    def left(self) -> float:
        """Return the share of the time that is left."""
        return max(0.0, self.end - minutes()) / max(1e-9, self.end - self.begin)

    def _on_step(self) -> bool:
        results = [episode["r"] for episode in self.model.ep_info_buffer]
        if results and minutes() - self.told > 1:
            self.told = minutes()
            share = (np.mean(results) + 1) / 2
            print(
                f"{minutes():.0f} min: {self.num_timesteps:,} decisions, lately {share:.1%} won",
                flush=True,
            )
        return self.left() > 0


def play(model: MaskablePPO, opponent: str, games: int) -> float:
    """Return the share of victories, without exploring, against the bot itself."""
    seats = Seats(games, opponent, quick=False, seed=10**6)
    seen, results = seats.reset(), np.full(games, np.nan)
    while np.isnan(results).any():
        chosen, _ = model.predict(seen, action_masks=seats.masks, deterministic=True)
        seen, _, _, infos = seats.step(chosen)
        for game, info in enumerate(infos):
            if "episode" in info and np.isnan(results[game]):
                results[game] = info["episode"]["r"]
    return float(results.mean() + 1) / 2


def main() -> None:
    """Train, save, play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0, help="of processor time")
    parser.add_argument("--opponent", default="greedy", help="one of our bots")
    parser.add_argument("--teacher", default="mcts:100", help="the bot to imitate first")
    parser.add_argument("--watch", type=int, default=600_000, help="how many of its decisions")
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--games", type=int, default=1000, help="to play afterwards")
    parser.add_argument("--out", type=Path, help="where to save the policy")
    chosen = parser.parse_args()

    torch.set_num_threads(1)  # the network is small: a second thread would only wait
    begin, until = time.monotonic(), Until(chosen.minutes)
    model = MaskablePPO(
        Policy,
        Seats(chosen.envs, chosen.opponent, quick=True, seed=1),
        learning_rate=lambda _: 1e-5 + 2e-4 * until.left(),
        n_steps=64,
        batch_size=2048,
        n_epochs=3,
        gamma=1.0,
        gae_lambda=0.95,
        clip_range=0.1,
        ent_coef=0.0,
        policy_kwargs={"net_arch": [192]},
        stats_window_size=4000,
        seed=1,
    )
    if chosen.watch:
        settings = (chosen.teacher, chosen.opponent, chosen.envs, chosen.watch // CORES)
        with ProcessPoolExecutor(CORES) as pool:
            watched = [pool.submit(watch, *settings, seed) for seed in range(2, 2 + CORES)]
            parts = [each.result() for each in watched]
        imitate(model, [np.concatenate(column) for column in zip(*parts, strict=True)])
    model.learn(10**9, callback=until)
    took = (time.monotonic() - begin) / 60
    print(
        f"{model.num_timesteps:,} decisions, {took:.1f} minutes, {minutes():.1f} of processor time"
    )
    if chosen.out:
        model.save(chosen.out)
    share = play(model, chosen.opponent, chosen.games)
    error = 1.96 * np.sqrt(share * (1 - share) / chosen.games)
    print(f"{share:.1%} ± {error:.1%} of {chosen.games} games against {chosen.opponent}")


if __name__ == "__main__":
    main()
