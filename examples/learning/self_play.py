"""Self-play in PyTorch on a batch: one network plays all seats and learns from the results.

    pip install patrizier torch
    python examples/learning/self_play.py --games 4096 --rounds 500

The games run where the network is: on a GPU nothing is copied, because PyTorch reads the buffers of
the batch directly. Every round plays all games to their end; then PPO updates the network. The
reward of a game is its result plus the lead in points, so that a narrow defeat counts less than a
clear one.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from results import results
from torch import Tensor, nn

from patrizier.batch import Batch
from patrizier.batch.layout import FLOATS
from patrizier.bridges.bots import Decider
from patrizier.rules.codes import DECISIONS

HOLD = -1  # the code with which a finished game waits
LAMBDA = 0.8  # of generalised advantage estimation


class Network(nn.Module):  # type: ignore[misc]
    """A policy over codes, and the value for the seat to move."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(FLOATS, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy = nn.Linear(width, DECISIONS)
        self.value = nn.Linear(width, 1)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-probabilities and value."""
        hidden = self.trunk(seen)
        logits = self.policy(hidden).masked_fill(~mask, -1e9)
        return logits.log_softmax(-1), self.value(hidden)[:, 0]


class Table:
    """A batch with its buffers as tensors."""

    def __init__(self, games: int, players: int, device: str) -> None:
        self.batch = Batch(games, players, device=device, observation="floats", restart=False)
        self.seen, self.mask, self.seats, self.shares, self.points = (
            torch.from_dlpack(getattr(self.batch, name))
            for name in ("floats", "mask", "seats", "shares", "points")
        )


def play(table: Table, network: Network, seed: int) -> dict[str, Tensor]:
    """Play all games to their end; return every decision with its advantage."""
    table.batch.reset(seed)
    moments: list[tuple[Tensor, ...]] = []
    games = torch.arange(len(table.seats), device=table.seats.device)
    rewards = torch.zeros_like(table.shares)
    while (running := table.seats >= 0).any():
        seen, mask = table.seen.clone(), table.mask.clone()
        with torch.no_grad():
            log_probs, values = network(seen, mask)
        codes = torch.multinomial(log_probs.exp(), 1)[:, 0]
        log_prob = log_probs[games, codes]
        moments.append((running, games, table.seats.long(), seen, mask, codes, log_prob, values))
        table.batch.step(torch.where(running, codes, HOLD))
        rewards += results(table.shares, table.points)
    names = ("running", "game", "seat", "seen", "mask", "code", "log_prob", "value")
    columns = map(torch.cat, zip(*moments, strict=True))
    rollout = dict(zip(names, columns, strict=True))
    rollout["advantage"] = torch.cat(advantages(moments, rewards))
    return {name: column[rollout["running"]] for name, column in rollout.items()}


def advantages(moments: list[tuple[Tensor, ...]], rewards: Tensor) -> list[Tensor]:
    """Return the advantage of each decision, by generalised advantage estimation.

    It follows from the values at the seat's next decisions and the final reward, so a decision is
    not blamed for everything that came later.
    """
    next_value, advantage, found = rewards.clone(), torch.zeros_like(rewards), []
    for running, games, seats, *_, values in reversed(moments):
        mine = games, seats
        error = next_value[mine] - values
        now = torch.where(running, error + LAMBDA * advantage[mine], advantage[mine])
        advantage[mine] = now
        next_value[mine] = torch.where(running, values, next_value[mine])
        found.append(now)
    return found[::-1]


def fit(network: Network, optimizer: Any, rollout: dict[str, Tensor], epochs: int = 3) -> None:
    """Update the network by PPO's clipped objective."""
    advantage, target = rollout["advantage"], rollout["advantage"] + rollout["value"]
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    size = min(4096, max(256, len(advantage) // 16))
    for _ in range(epochs):
        for part in torch.randperm(len(advantage), device=advantage.device).split(size):
            log_probs, values = network(rollout["seen"][part], rollout["mask"][part])
            current = log_probs.gather(1, rollout["code"][part][:, None])[:, 0]
            ratio = (current - rollout["log_prob"][part]).exp()
            objective = torch.minimum(
                ratio * advantage[part], ratio.clamp(0.8, 1.2) * advantage[part]
            )
            entropy = -(log_probs.exp() * log_probs).sum(1)
            value_loss = (values - target[part]) ** 2
            optimizer.zero_grad()
            (0.25 * value_loss - objective - 0.005 * entropy).mean().backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()


def share_against(table: Table, network: Network, others: Callable[[Tensor], Tensor]) -> float:
    """Return the share of victories against others; the network's seat rotates."""
    table.batch.reset(2**32)  # games that no round plays
    games, players = table.shares.shape
    own = torch.arange(games, device=table.seats.device) % players
    won = torch.zeros(games, device=table.seats.device)
    while (running := table.seats >= 0).any():
        with torch.no_grad():
            log_probs, _ = network(table.seen, table.mask)
        theirs = running & (table.seats.long() != own)
        codes = torch.where(theirs, others(theirs), log_probs.argmax(1))
        table.batch.step(torch.where(running, codes, HOLD))
        won += table.shares.gather(1, own[:, None])[:, 0]
    return float(won.mean())


def bots(table: Table, name: str) -> Callable[[Tensor], Tensor]:
    """Return the decisions of our bots in these games."""
    deciders = [Decider(name, game) for game in range(len(table.batch))]

    def decide(asked: Tensor) -> Tensor:
        codes = np.zeros(len(deciders), np.int64)
        for game in asked.nonzero()[:, 0].tolist():
            codes[game] = deciders[game].code(table.batch.view(game))
        return torch.as_tensor(codes, device=asked.device)

    return decide


def main() -> None:
    """Play and fit, round by round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=256, help="that run side by side")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--every", type=int, default=10, help="rounds between two figures")
    parser.add_argument("--width", type=int, default=256, help="of the network")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    torch.manual_seed(chosen.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    table = Table(chosen.games, chosen.players, device)
    network = Network(chosen.width).to(device)
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    begin, decisions, rivals = time.process_time(), 0, ("random", "greedy")
    for number in range(1, chosen.rounds + 1):
        rollout = play(table, network, seed=number)
        fit(network, optimizer, rollout)
        decisions += len(rollout["code"])
        if number % chosen.every == 0 or number == chosen.rounds:
            took = time.process_time() - begin
            shares = [share_against(table, network, bots(table, rival)) for rival in rivals]
            begin += time.process_time() - begin - took  # measuring does not count as training
            figures = ", ".join(f"{s:.1%} against {r}" for s, r in zip(shares, rivals, strict=True))
            print(f"round {number}: {figures}; {decisions:,} decisions, {took:.0f} s", flush=True)


if __name__ == "__main__":
    main()
