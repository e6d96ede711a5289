"""Self-play in PyTorch on a batch: one network plays all seats and learns from the results.

    pip install patrizier torch
    python examples/learning/self_play.py --games 4096 --rounds 500

The games run where the network is: on a GPU nothing is copied, since PyTorch reads the buffers of
the batch as they are. Every round plays all games to their end; then the network is fitted to them
by PPO. The reward of all decisions of a game is its result and the lead in points, which tells a
narrow defeat from a bad one.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from patrizier.batch import Batch
from patrizier.batch.layout import FLOATS
from patrizier.bridges.bots import Decider
from patrizier.rules.codes import DECISIONS

HOLD = -1  # the code with which a finished game waits
POINTS = 20  # that count as much as half a victory
LAMBDA = 0.8  # how far a decision answers for what comes later


class Network(nn.Module):  # type: ignore[misc]
    """Chances of every code, and the result that the seat to move may expect."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(FLOATS, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy = nn.Linear(width, DECISIONS)
        self.value = nn.Linear(width, 1)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logarithms of the chances, and the reward to expect."""
        told = self.trunk(seen)
        logits = self.policy(told).masked_fill(~mask, -1e9)
        return logits.log_softmax(-1), self.value(told)[:, 0]


class Table:
    """A batch with its buffers as tensors."""

    def __init__(self, games: int, players: int, device: str) -> None:
        self.batch = Batch(games, players, device=device, observation="floats", restart=False)
        self.seen, self.mask, self.seats, self.done, self.shares, self.points = (
            torch.from_dlpack(getattr(self.batch, name))
            for name in ("floats", "mask", "seats", "done", "shares", "points")
        )

    def step(self, codes: Tensor) -> None:
        """Decide in every game."""
        self.batch.step(codes if codes.is_cuda else codes.numpy())

    def rewards(self) -> Tensor:
        """Return what each seat gets for the step: 0 until the game ends."""
        players = self.shares.shape[1]
        others = (self.points.sum(1, keepdim=True) - self.points) / (players - 1)
        results = (players * self.shares - 1) + (self.points - others) / POINTS
        return results * self.done[:, None]


def play(table: Table, network: Network, seed: int) -> dict[str, Tensor]:
    """Play all games to their end; return every decision, and how well it went after it."""
    table.batch.reset(seed)
    moments: list[tuple[Tensor, ...]] = []
    games = torch.arange(len(table.seats), device=table.seats.device)
    rewards = torch.zeros_like(table.shares)
    while (running := table.seats >= 0).any():
        seen, mask = table.seen.clone(), table.mask.clone()
        with torch.no_grad():
            chances, values = network(seen, mask)
        codes = torch.multinomial(chances.exp(), 1)[:, 0]
        likely = chances[games, codes]
        moments.append((running, games, table.seats.long(), seen, mask, codes, likely, values))
        table.step(torch.where(running, codes, HOLD))
        rewards += table.rewards()
    names = ("running", "game", "seat", "seen", "mask", "code", "likely", "value")
    columns = map(torch.cat, zip(*moments, strict=True))
    told = dict(zip(names, columns, strict=True))
    told["better"] = torch.cat(advantages(moments, rewards))
    return {name: column[told["running"]] for name, column in told.items()}


def advantages(moments: list[tuple[Tensor, ...]], rewards: Tensor) -> list[Tensor]:
    """Return how much better it went after each decision than its seat expected.

    That is told by what the seat expects at its next decisions, and in the end by the reward: so a
    decision is not blamed for all that came later.
    """
    to_come, better, found = rewards.clone(), torch.zeros_like(rewards), []
    for running, games, seats, *_, values in reversed(moments):
        surprise = to_come[games, seats] - values
        now = torch.where(running, surprise + LAMBDA * better[games, seats], better[games, seats])
        better[games, seats] = now
        to_come[games, seats] = torch.where(running, values, to_come[games, seats])
        found.append(now)
    return found[::-1]


def fit(network: Network, optimizer: Any, told: dict[str, Tensor], epochs: int = 3) -> None:
    """Make decisions that turned out well more likely, and the others less."""
    better, target = told["better"], told["better"] + told["value"]
    better = (better - better.mean()) / (better.std() + 1e-6)
    size = min(4096, max(256, len(better) // 16))
    for _ in range(epochs):
        for part in torch.randperm(len(better), device=better.device).split(size):
            chances, values = network(told["seen"][part], told["mask"][part])
            now = chances.gather(1, told["code"][part][:, None])[:, 0]
            ratio = (now - told["likely"][part]).exp()
            gain = torch.minimum(ratio * better[part], ratio.clamp(0.8, 1.2) * better[part])
            spread = -(chances.exp() * chances).sum(1)
            wrong = (values - target[part]) ** 2
            optimizer.zero_grad()
            (0.25 * wrong - gain - 0.005 * spread).mean().backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()


def share_against(table: Table, network: Network, others: Callable[[Tensor], Tensor]) -> float:
    """Return the share of victories against others; the network's seat goes round."""
    table.batch.reset(2**32)  # games that no round plays
    games, players = table.shares.shape
    own = torch.arange(games, device=table.seats.device) % players
    won = torch.zeros(games, device=table.seats.device)
    while (running := table.seats >= 0).any():
        with torch.no_grad():
            chances, _ = network(table.seen, table.mask)
        theirs = running & (table.seats.long() != own)
        codes = torch.where(theirs, others(theirs), chances.argmax(1))
        table.step(torch.where(running, codes, HOLD))
        won += table.shares.gather(1, own[:, None])[:, 0]
    return float(won.mean())


def bots(table: Table, name: str) -> Callable[[Tensor], Tensor]:
    """Return what bots of ours decide in the games asked for."""
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
        told = play(table, network, seed=number)
        fit(network, optimizer, told)
        decisions += len(told["code"])
        if number % chosen.every == 0 or number == chosen.rounds:
            took = time.process_time() - begin
            shares = [share_against(table, network, bots(table, rival)) for rival in rivals]
            begin += time.process_time() - begin - took  # the figures are no training
            told_of = ", ".join(f"{s:.1%} against {r}" for s, r in zip(shares, rivals, strict=True))
            print(f"round {number}: {told_of}; {decisions:,} decisions, {took:.0f} s", flush=True)


if __name__ == "__main__":
    main()
