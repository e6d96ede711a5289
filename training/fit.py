"""Fit the value and the priors to games, and write weights as the package reads them."""

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from examples import examples_of
from selfplay import Games
from torch import nn
from torch.nn import functional

from patrizier.bots.learned.features import EXACT_LEADS, FEW, LEADS, MISSING, SLOPES, STEPS
from patrizier.bots.learned.priors import MOST_PARTS, PRIORS
from patrizier.bots.learned.value import (
    INPUTS,
    MAX_PLAYERS,
    NUMBERS,
    POSTS_FROM,
    ROWS,
    TOLD,
    TOLD_POINTS,
    UNITS,
    WIDTH,
)
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.state import MOST_TURNS

EVERY = 2  # decisions of a game become one example: there are too few games, not too few examples
_RATE = 3e-3


def towers_of_cities() -> tuple[torch.Tensor, ...]:
    """Return, for every picture of a city, those of its towers, and a coarse one of both."""
    middle = EXACT_LEADS // 2 - 1  # an empty tower
    exact = np.arange(EXACT_LEADS) - middle
    coarse = np.where(exact > 0, np.minimum(exact, 3), np.maximum(exact, -3)) + LEADS // 2
    shape = 2 * MISSING, STEPS, EXACT_LEADS, EXACT_LEADS, FEW * FEW
    missing, step, taller, lower, crests = np.unravel_index(np.arange(POSTS_FROM), shape)
    slope, few_steps = np.minimum(step, SLOPES // 2), SLOPES // 2 + 1

    def number(of_shape: tuple[int, ...], *places: npt.NDArray[np.intp]) -> torch.Tensor:
        return torch.from_numpy(np.ravel_multi_index(places, of_shape))

    of_tower = 2 * MISSING, SLOPES, LEADS, FEW * FEW
    of_pair = 2 * MISSING, few_steps, LEADS, LEADS, FEW * FEW
    return (
        number(of_tower, missing, SLOPES // 2 + slope, coarse[taller], crests),
        number(of_tower, missing, SLOPES // 2 - slope, coarse[lower], crests),
        number(of_pair, missing, slope, coarse[taller], coarse[lower], crests),
    )


class Net(nn.Module):
    """The same sums as in `patrizier.bots.learned.value` and `prior`.

    A city's row is what its two towers say each by itself, what they say together as seen from
    afar, and what only this very picture says: rare pictures learn from those like them. Rows and
    tables begin with zeros: what is never seen says nothing.
    """

    def __init__(self, players: int) -> None:
        super().__init__()
        self.players = players
        self.cities = towers_of_cities()
        self.rows = nn.Parameter(torch.zeros(ROWS + 1, WIDTH))
        self.towers = nn.Parameter(torch.zeros(int(self.cities[0].max()) + 1, WIDTH))
        self.pairs = nn.Parameter(torch.zeros(int(self.cities[2].max()) + 1, WIDTH))
        self.priors = nn.EmbeddingBag(PRIORS + 1, 1, mode="sum", padding_idx=PRIORS)
        nn.init.zeros_(self.priors.weight)
        self.bias = nn.Parameter(torch.rand(WIDTH) * 0.5 + 0.1)
        self.weigh = nn.Linear(NUMBERS + players * WIDTH, UNITS)
        self.tell = nn.Linear(UNITS, 2 * players)
        self.own = nn.Parameter(torch.randn(2, WIDTH) * 0.2)
        self.clear = nn.Parameter(torch.zeros(MOST_TURNS + 1))  # its logarithm

    def table(self) -> torch.Tensor:
        """Return all rows."""
        taller, lower, both = (index.to(self.rows.device) for index in self.cities)
        cities = self.towers[taller] + self.towers[lower] + self.pairs[both]
        return torch.cat([self.rows[:POSTS_FROM] + cities, self.rows[POSTS_FROM:]])

    def value(
        self, rows: torch.Tensor, numbers: torch.Tensor, now: torch.Tensor, left: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits of victory and the points to come, by distance."""
        seen = functional.embedding_bag(
            rows.flatten(0, 1), self.table(), mode="sum", padding_idx=ROWS
        )
        seats = functional.relu(seen + self.bias)
        seats = seats.reshape(len(rows), self.players, WIDTH)
        inputs = torch.cat([numbers, seats.flatten(1)], 1)
        told = self.tell(functional.relu(self.weigh(inputs))).reshape(-1, 2, self.players)
        told = told + (seats @ self.own.T).transpose(1, 2)
        points = told[:, 1]
        final = (now + points).detach()  # points stay what they are, whoever wins
        return told[:, 0] + self.clear.exp()[left][:, None] * final, points

    def promise(self, parts: torch.Tensor) -> torch.Tensor:
        """Return the logits of the decisions."""
        return self.priors(parts.reshape(-1, MOST_PARTS)).reshape(-1, MOST_DECISIONS)


class Examples:
    """Examples on the device where they are needed."""

    def __init__(self, players: int, examples: npt.NDArray[np.void], device: str) -> None:
        def put(name: str, kind: type) -> torch.Tensor:
            field = examples[name]
            if field.shape[1:2] == (MAX_PLAYERS,):
                field = field[:, :players]
            return torch.from_numpy(np.ascontiguousarray(field).astype(kind)).to(device)

        self.count = len(examples)
        self.rows, self.parts = put("rows", np.int32), put("parts", np.int32)
        self.numbers, self.left = put("numbers", np.float32), put("left", np.int64)
        self.visits, self.counts = put("visits", np.int16), put("counts", np.float32)
        self.now, self.points = put("now", np.float32), put("points", np.float32)
        self.share = put("share", np.float32)

    def losses(self, net: Net, index: torch.Tensor) -> torch.Tensor:
        """Return the losses of victory, points and decisions."""
        logits, points = net.value(
            self.rows[index], self.numbers[index], self.now[index], self.left[index]
        )
        counts = self.counts[index] / self.counts[index].mean().clamp(min=0.01)
        share = -(self.share[index] * functional.log_softmax(logits, 1)).sum(1)
        error = ((points - self.points[index]) ** 2).mean(1)
        visits = self.visits[index].float()
        promise = net.promise(self.parts[index]).masked_fill(visits < 0, -1e9)
        tried = visits.clamp(min=0)
        tried = tried / tried.sum(1, keepdim=True).clamp(min=1)
        prior = -(tried * functional.log_softmax(promise, 1).clamp(min=-50)).sum(1)
        return torch.stack([(share * counts).mean(), (error * counts).mean(), prior.mean()])


def fit(players: int, examples: npt.NDArray[np.void], epochs: float, device: str) -> Net:
    """Fit a network; prints the loss on the last examples, which are held out."""
    data = Examples(players, examples, device)
    batch, net = 8192, Net(players).to(device)
    count = data.count - data.count // 20
    steps = max(100, int(epochs * count / batch))
    optimizer = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=1e-4)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps, pct_start=0.1)
    weight = torch.tensor([1.0, 2.0, 1.0], device=device)
    for _ in range(steps):
        loss = data.losses(net, torch.randint(count, (batch,), device=device)) * weight
        optimizer.zero_grad()
        loss.sum().backward()
        optimizer.step()
        pace.step()
    with torch.no_grad():
        index = torch.arange(count, data.count, device=device)
        found = torch.stack([data.losses(net, part) for part in index.split(65536)])
    share, points, prior = found.mean(0).tolist()
    print(
        f"{players} players, {data.count} examples, {steps} steps; held out: victory {share:.4f}, "
        f"points ± {10 * points**0.5:.2f}, decisions {prior:.4f}",
        flush=True,
    )
    return net


def save(net: Net, path: Path, priors: npt.NDArray[np.float16] | None = None) -> None:
    """Write weights small: rows as bytes with a scale for every column. Priors may be given."""
    players = net.players
    arrays = {name: value.detach().cpu().numpy() for name, value in net.state_dict().items()}
    rows = net.table().detach().cpu().numpy()[:ROWS]
    if priors is None:
        priors = arrays["priors.weight"][:PRIORS, 0].astype(np.float16)
    scale = np.maximum(np.abs(rows).max(0), 1e-6) / 127
    weigh = np.zeros((INPUTS, UNITS), np.float16)
    weigh[: NUMBERS + players * WIDTH] = arrays["weigh.weight"].T
    tell, tell_bias = np.zeros((UNITS, TOLD), np.float16), np.zeros(TOLD, np.float16)
    for part, start in enumerate((0, TOLD_POINTS)):
        here, there = slice(part * players, (part + 1) * players), slice(start, start + players)
        tell[:, there] = arrays["tell.weight"][here].T
        tell_bias[there] = arrays["tell.bias"][here]
    np.savez_compressed(
        path,
        rows=np.rint(rows / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        bias=arrays["bias"].astype(np.float16),
        weigh=weigh,
        weigh_bias=arrays["weigh.bias"].astype(np.float16),
        tell=tell,
        tell_bias=tell_bias,
        own=arrays["own"].astype(np.float16),
        clear=np.exp(arrays["clear"]).astype(np.float16),
        priors=priors,
    )


def main() -> None:
    """Fit to the games of some rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=float, default=12)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--priors", type=Path, help="take these weights' priors, fit only the value"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("games", type=Path, nargs="+")
    given = parser.parse_args()
    games = [Games.load(path) for path in given.games]
    examples = np.concatenate([examples_of(g, every=EVERY, jobs=given.jobs) for g in games])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    priors = np.load(given.priors)["priors"] if given.priors else None
    save(fit(games[0].players, examples, given.epochs, device), given.out, priors)


if __name__ == "__main__":
    main()
