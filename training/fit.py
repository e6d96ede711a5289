"""Fit the value and the priors to examples, and write weights as the package reads them."""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from patrizier.bots.prior import MOST_PARTS, PRIORS
from patrizier.bots.value import INPUTS, MAX_PLAYERS, NUMBERS, ROWS, UNITS, WIDTH
from patrizier.rules.codes import MOST_DECISIONS


class Net(nn.Module):
    """The same sums as in `patrizier.bots.value` and `prior`."""

    def __init__(self, players: int) -> None:
        super().__init__()
        self.players = players
        self.rows = nn.EmbeddingBag(ROWS + 1, WIDTH, mode="sum", padding_idx=ROWS)
        self.priors = nn.EmbeddingBag(PRIORS + 1, 1, mode="sum", padding_idx=PRIORS)
        nn.init.normal_(self.rows.weight, 0, 0.02)
        nn.init.zeros_(self.priors.weight)
        with torch.no_grad():
            self.rows.weight[ROWS] = 0
        self.bias = nn.Parameter(torch.full((WIDTH,), 0.1))
        self.weigh = nn.Linear(NUMBERS + players * WIDTH, UNITS)
        self.tell = nn.Linear(UNITS, 2 * players)

    def value(self, rows: torch.Tensor, numbers: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return the logits of victory and the points to come, by distance."""
        seats = functional.relu(self.rows(rows.flatten(0, 1)) + self.bias)
        inputs = torch.cat([numbers, seats.reshape(len(rows), -1)], 1)
        told = self.tell(functional.relu(self.weigh(inputs)))
        return told[:, : self.players], told[:, self.players :]

    def promise(self, parts: torch.Tensor) -> torch.Tensor:
        """Return the logits of the decisions."""
        return self.priors(parts.reshape(-1, MOST_PARTS)).reshape(-1, MOST_DECISIONS)


def fit(players: int, examples: np.ndarray, epochs: int, device: str) -> Net:
    """Fit a network; prints the loss on the last examples, which are held out."""
    fields = {
        "rows": examples["rows"].astype(np.int32),
        "numbers": examples["numbers"],
        "parts": examples["parts"].astype(np.int32),
        "visits": examples["visits"].astype(np.float32),
        "points": examples["points"],
        "share": examples["share"],
    }
    data = {name: torch.from_numpy(field.copy()).to(device) for name, field in fields.items()}
    held_out, batch, net = len(examples) // 20, 8192, Net(players).to(device)
    count = len(examples) - held_out
    steps = epochs * max(1, count // batch)
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-4)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps, pct_start=0.1)

    def losses(index: torch.Tensor) -> torch.Tensor:
        logits, points = net.value(data["rows"][index], data["numbers"][index])
        share = -(data["share"][index] * functional.log_softmax(logits, 1)).sum(1).mean()
        visits = data["visits"][index]
        promise = net.promise(data["parts"][index]).masked_fill(visits < 0, -1e9)
        tried = visits.clamp(min=0)
        tried = tried / tried.sum(1, keepdim=True).clamp(min=1)
        prior = -(tried * functional.log_softmax(promise, 1).clamp(min=-50)).sum(1).mean()
        return torch.stack([share, functional.mse_loss(points, data["points"][index]), prior])

    for _ in range(steps):
        loss = losses(torch.randint(count, (batch,), device=device)) * torch.tensor(
            [1.0, 0.5, 1.0], device=device
        )
        optimizer.zero_grad()
        loss.sum().backward()
        optimizer.step()
        pace.step()
    with torch.no_grad():
        share, points, prior = losses(torch.arange(count, len(examples), device=device)).tolist()
    print(f"held out: victory {share:.3f}, points ± {10 * points**0.5:.2f}, decisions {prior:.3f}")
    return net


def save(net: Net, path: Path) -> None:
    """Write weights small: rows as bytes with a scale for every column."""
    players = net.players
    arrays = {name: value.detach().cpu().numpy() for name, value in net.state_dict().items()}
    rows = arrays["rows.weight"][:ROWS]
    scale = np.abs(rows).max(0) / 127
    weigh = np.zeros((UNITS, INPUTS), np.float16)
    weigh[:, : NUMBERS + players * WIDTH] = arrays["weigh.weight"]
    tell = np.zeros((2, MAX_PLAYERS, UNITS), np.float16)
    tell[:, :players] = arrays["tell.weight"].reshape(2, players, UNITS)
    tell_bias = np.zeros((2, MAX_PLAYERS), np.float16)
    tell_bias[:, :players] = arrays["tell.bias"].reshape(2, players)
    np.savez_compressed(
        path,
        rows=np.rint(rows / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        bias=arrays["bias"].astype(np.float16),
        weigh=weigh,
        weigh_bias=arrays["weigh.bias"].astype(np.float16),
        tell=tell.reshape(2 * MAX_PLAYERS, UNITS),
        tell_bias=tell_bias.reshape(2 * MAX_PLAYERS),
        priors=arrays["priors.weight"][:PRIORS, 0].astype(np.float16),
    )


def main() -> None:
    """Fit to the examples of some rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("examples", type=Path, nargs="+")
    given = parser.parse_args()
    examples = np.concatenate([np.load(path)["examples"] for path in given.examples])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    save(fit(given.players, examples, given.epochs, device), given.out)


if __name__ == "__main__":
    main()
