"""Self-play in PyTorch on a batch: one network plays all seats and learns from the results.

    pip install patrizier torch
    python examples/learning/self_play.py --games 4096 --rounds 500

The games run where the network is: on a GPU nothing is copied, since PyTorch reads the buffers of
the batch as they are. Every round plays all games to their end; then the network is fitted to them
by PPO, with the result of a game as the reward of all its decisions.
"""

import argparse
import time
from typing import Any

import torch
from torch import Tensor, nn

from patrizier.batch import Batch
from patrizier.batch.layout import FLOATS
from patrizier.rules.codes import DECISIONS

HOLD = -1  # the code with which a finished game waits


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
        """Return the logarithms of the chances, and values from -1 to players - 1."""
        told = self.trunk(seen)
        logits = self.policy(told).masked_fill(~mask, -1e9)
        return logits.log_softmax(-1), self.value(told)[:, 0]


class Table:
    """A batch with its buffers as tensors."""

    def __init__(self, games: int, players: int, device: str) -> None:
        self.batch = Batch(games, players, device=device, observation="floats", restart=False)
        self.seen, self.mask, self.seats, self.shares = (
            torch.from_dlpack(getattr(self.batch, name))
            for name in ("floats", "mask", "seats", "shares")
        )

    def step(self, codes: Tensor) -> None:
        """Decide in every game."""
        self.batch.step(codes if codes.is_cuda else codes.numpy())


def play(table: Table, network: Network, seed: int) -> dict[str, Tensor]:
    """Play all games to their end; return every decision with the result of its seat."""
    table.batch.reset(seed)
    moments: list[tuple[Tensor, ...]] = []
    games = torch.arange(len(table.seats), device=table.seats.device)
    results = torch.zeros_like(table.shares)
    while (running := table.seats >= 0).any():
        seen, mask = table.seen.clone(), table.mask.clone()
        with torch.no_grad():
            chances, values = network(seen, mask)
        codes = torch.multinomial(chances.exp(), 1)[:, 0]
        likely = chances[games, codes]
        moments.append((running, games, table.seats.long(), seen, mask, codes, likely, values))
        table.step(torch.where(running, codes, HOLD))
        results += table.shares
    names = ("running", "game", "seat", "seen", "mask", "code", "likely", "value")
    columns = map(torch.cat, zip(*moments, strict=True))
    told = dict(zip(names, columns, strict=True))
    told = {name: column[told["running"]] for name, column in told.items()}
    told["result"] = results.shape[1] * results[told["game"], told["seat"]] - 1
    return told


def fit(network: Network, optimizer: Any, told: dict[str, Tensor], epochs: int = 2) -> None:
    """Make decisions that turned out well more likely, and the others less."""
    better = told["result"] - told["value"]
    better = (better - better.mean()) / (better.std() + 1e-6)
    for _ in range(epochs):
        for part in torch.randperm(len(better), device=better.device).split(4096):
            chances, values = network(told["seen"][part], told["mask"][part])
            now = chances.gather(1, told["code"][part][:, None])[:, 0]
            ratio = (now - told["likely"][part]).exp()
            gain = torch.minimum(ratio * better[part], ratio.clamp(0.8, 1.2) * better[part])
            spread = -(chances.exp() * chances).sum(1)
            wrong = (values - told["result"][part]) ** 2
            optimizer.zero_grad()
            (0.5 * wrong - gain - 0.01 * spread).mean().backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()


def against_random(table: Table, network: Network, seed: int) -> float:
    """Return the share of victories against random play; the network's seat goes round."""
    table.batch.reset(seed)
    games, players = table.shares.shape
    own = torch.arange(games, device=table.seats.device) % players
    won = torch.zeros(games, device=table.seats.device)
    while (running := table.seats >= 0).any():
        with torch.no_grad():
            chances, _ = network(table.seen, table.mask)
        chosen = chances.argmax(1)
        random = torch.multinomial((table.mask | ~running[:, None]).float(), 1)[:, 0]
        codes = torch.where(table.seats.long() == own, chosen, random)
        table.step(torch.where(running, codes, HOLD))
        won += table.shares.gather(1, own[:, None])[:, 0]
    return float(won.mean())


def main() -> None:
    """Play and fit, round by round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=256, help="that run side by side")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--width", type=int, default=256, help="of the network")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    torch.manual_seed(chosen.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    table = Table(chosen.games, chosen.players, device)
    network = Network(chosen.width).to(device)
    optimizer = torch.optim.Adam(network.parameters(), 5e-4)
    begin, decisions = time.perf_counter(), 0
    for number in range(1, chosen.rounds + 1):
        told = play(table, network, seed=number)
        fit(network, optimizer, told)
        decisions += len(told["result"])
        if number % 10 == 0 or number == chosen.rounds:
            rate = decisions / (time.perf_counter() - begin)
            share = against_random(table, network, seed=2**32)
            print(f"round {number}: {share:.1%} against random play, {rate:,.0f} decisions/s")


if __name__ == "__main__":
    main()
