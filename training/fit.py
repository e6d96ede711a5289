"""Fits the value and the priors to examples, and writes weights in the package's format."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from examples import COUNTS, GAME, LEFT, SEAT, Examples
from torch import nn
from torch.nn import functional

from patrizier.bots.learned.features import EXACT_LEADS, FEW, LEADS, MISSING, SLOPES, STEPS
from patrizier.bots.learned.priors import DRAWN_FOR, MOST_PARTS, MOVED, PLAYED, PRIORS, TOWERS
from patrizier.bots.learned.value import (
    DEEP,
    INPUTS,
    NUMBERS,
    OUTPUTS,
    POINT_OUTPUTS,
    POINTS,
    POSTS_FROM,
    ROWS,
    UNITS,
    WIDTH,
    Weights,
)
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.state import MOST_TURNS

SETTINGS = ("exploration", "caution", "margin", "trust", "later_trust", "first")
_HELD_OUT = 0.03  # of the games
_BINS = 10


def _number(shape: tuple[int, ...], *places: npt.NDArray[np.intp]) -> torch.Tensor:
    return torch.from_numpy(np.ravel_multi_index(places, shape))


def towers_of_cities() -> tuple[torch.Tensor, ...]:
    """Return, for every city feature, the features of its towers, and a coarse one of both."""
    middle = EXACT_LEADS // 2 - 1  # an empty tower
    exact = np.arange(EXACT_LEADS) - middle
    coarse = np.where(exact > 0, np.minimum(exact, 3), np.maximum(exact, -3)) + LEADS // 2
    shape = 2 * MISSING, STEPS, EXACT_LEADS, EXACT_LEADS, FEW * FEW
    missing, step, taller, lower, crests = np.unravel_index(np.arange(POSTS_FROM), shape)
    slope, few_steps = np.minimum(step, SLOPES // 2), SLOPES // 2 + 1
    of_tower = 2 * MISSING, SLOPES, LEADS, FEW * FEW
    of_pair = 2 * MISSING, few_steps, LEADS, LEADS, FEW * FEW
    return (
        _number(of_tower, missing, SLOPES // 2 + slope, coarse[taller], crests),
        _number(of_tower, missing, SLOPES // 2 - slope, coarse[lower], crests),
        _number(of_pair, missing, slope, coarse[taller], coarse[lower], crests),
    )


def coarse_priors() -> torch.Tensor:
    """Return, for every entry of the priors, the coarse one it shares with similar entries."""
    shared = np.full(PRIORS + 1, PRIORS)
    shape = MISSING * SLOPES, LEADS, LEADS, FEW * FEW * 3
    where, lead, _, rest = np.unravel_index(np.arange(PLAYED - TOWERS), shape)
    shared[TOWERS:PLAYED] = _number((shape[0], LEADS, shape[3]), where, lead, rest)
    start = shared[TOWERS:PLAYED].max() + 1
    missing, lead, _, _, two = np.unravel_index(
        np.arange(MOVED - DRAWN_FOR), (MISSING, LEADS, LEADS, FEW, 2)
    )
    shared[DRAWN_FOR:MOVED] = start + _number((MISSING, LEADS, 2), missing, lead, two).numpy()
    return torch.from_numpy(shared)


class Net(nn.Module):
    """The same sums as in `patrizier.bots.learned.value`.

    A city's row is a sum of one row for each tower, one for a coarse feature of both, and one for
    the exact feature, so rare features learn from similar ones. Rows start at zero, and those of
    features that never occur stay there.
    """

    def __init__(
        self, players: int, width: int = WIDTH, units: int = UNITS, deep: int = DEEP
    ) -> None:
        super().__init__()
        self.players, self.width = players, width
        for name, index in zip(("taller", "lower", "both"), towers_of_cities(), strict=True):
            self.register_buffer(name, index, persistent=False)
        self.rows = nn.Parameter(torch.zeros(ROWS + 1, width))
        self.towers = nn.Parameter(torch.zeros(int(self.taller.max()) + 1, width))
        self.pairs = nn.Parameter(torch.zeros(int(self.both.max()) + 1, width))
        self.bias = nn.Parameter(torch.rand(width) * 0.5 + 0.1)
        self.weigh = nn.Linear(NUMBERS + players * width, units)
        self.deepen = nn.Linear(units, deep)
        self.tell = nn.Linear(deep, 2 * players)
        self.own = nn.Parameter(torch.randn(2, width) * 0.2)
        self.clear = nn.Parameter(torch.zeros(MOST_TURNS + 1))  # its logarithm

    @classmethod
    def of(cls, players: int, weights: Weights) -> "Net":
        """Return the network with these weights."""
        net, given = cls(players), weights[0]

        def put(name: str, array: npt.NDArray[np.generic]) -> None:
            net.get_parameter(name).copy_(torch.from_numpy(np.array(array, np.float32)))

        used = NUMBERS + players * WIDTH
        told = [*range(players), *range(POINT_OUTPUTS, POINT_OUTPUTS + players)]
        with torch.no_grad():
            net.rows[:ROWS] = torch.from_numpy(given["rows"] * given["scale"])
            put("bias", given["bias"])
            put("weigh.weight", given["weigh"][:used].T)
            put("weigh.bias", given["weigh_bias"])
            put("deepen.weight", given["deepen"].T)
            put("deepen.bias", given["deepen_bias"])
            put("tell.weight", given["tell"][:, told].T)
            put("tell.bias", given["tell_bias"][told])
            put("own", given["own"])
            put("clear", np.log(np.maximum(given["clear"], 1e-6)))
        return net

    def table(self) -> torch.Tensor:
        """Return all rows."""
        cities = self.towers.index_select(0, self.taller) + self.pairs.index_select(0, self.both)
        cities = cities + self.towers.index_select(0, self.lower)
        return torch.cat([self.rows[:POSTS_FROM] + cities, self.rows[POSTS_FROM:]])

    def forward(
        self, rows: torch.Tensor, numbers: torch.Tensor, now: torch.Tensor, left: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits of victory and the points still to be won, by distance."""
        seen = functional.embedding_bag(
            rows.flatten(0, 1), self.table(), mode="sum", padding_idx=ROWS
        )
        seats = functional.relu(seen + self.bias)
        seats = seats.reshape(len(rows), self.players, self.width)
        units = functional.relu(self.weigh(torch.cat([numbers, seats.flatten(1)], 1)))
        told = self.tell(functional.relu(self.deepen(units))).reshape(-1, 2, self.players)
        told = told + (seats @ self.own.T).transpose(1, 2)
        points = told[:, 1]
        final = (now + points).detach()  # victory does not influence the estimate of points
        return told[:, 0] + self.clear.exp()[left][:, None] * final, points


class Batch(NamedTuple):
    """A batch of examples."""

    rows: torch.Tensor
    numbers: torch.Tensor
    now: torch.Tensor  # points so far
    left: torch.Tensor
    counts: torch.Tensor
    share: torch.Tensor
    points: torch.Tensor  # won later


def batch_of(examples: Examples, index: torch.Tensor) -> Batch:
    """Return a batch of examples."""
    about = examples.about[index].long()
    players = examples.rows.shape[1]
    seats = (about[:, SEAT, None] + torch.arange(players, device=index.device)) % players
    now = examples.now[index] * POINTS
    points = examples.points[about[:, GAME]].gather(1, seats) * POINTS
    return Batch(
        examples.rows[index],
        examples.numbers[index],
        now,
        about[:, LEFT],
        about[:, COUNTS].float(),
        examples.share[about[:, GAME]].gather(1, seats),
        points - now,
    )


def _losses(net: nn.Module, batch: Batch) -> torch.Tensor:
    """Return the losses of victory and points."""
    logits, points = net(batch.rows, batch.numbers, batch.now, batch.left)
    share = -(batch.share * functional.log_softmax(logits, 1)).sum(1)
    error = ((points - batch.points) ** 2).mean(1)
    counts = batch.counts / batch.counts.mean().clamp(min=0.01)
    return torch.stack([(share * counts).mean(), (error * counts).mean()])


class Sampler:
    """Draws examples from several series; the last games of each are held out."""

    def __init__(self, series: Sequence[Examples]) -> None:
        self.series = series
        self.counts = []
        for examples in series:
            games = len(examples.share)
            first_held_out = games - max(1, int(games * _HELD_OUT))
            inside = examples.about[:, GAME] < first_held_out
            self.counts.append(int(inside.sum()))
        self._odds = np.array(self.counts) / sum(self.counts)
        self._rng = np.random.default_rng(1)

    def draw(self, size: int) -> tuple[Examples, torch.Tensor]:
        """Return a series and the indices of a training batch."""
        k = int(self._rng.choice(len(self.series), p=self._odds))
        device = self.series[k].about.device
        return self.series[k], torch.randint(self.counts[k], (size,), device=device)

    def held_out(self) -> list[tuple[Examples, torch.Tensor]]:
        """Return the held-out examples, in batches."""
        return [
            (examples, index)
            for examples, count in zip(self.series, self.counts, strict=True)
            for index in torch.arange(
                count, len(examples.about), device=examples.about.device
            ).split(65536)
        ]


class Quality(NamedTuple):
    """How well a value predicts held-out games."""

    victory: float  # log loss
    points: float  # standard deviation of the error
    calibration: float  # mean gap between predicted and actual share, over bins
    table: list[tuple[float, float, int]]  # by bin: predicted share, actual share, examples


def quality(net: Net, sampler: Sampler) -> Quality:
    """Evaluate a value on held-out games."""
    losses, told, won = [], [], []
    with torch.no_grad():
        for examples, index in sampler.held_out():
            batch = batch_of(examples, index)
            losses.append(_losses(net, batch))
            logits, _ = net(batch.rows, batch.numbers, batch.now, batch.left)
            fair = batch.counts > 0
            told.append(torch.softmax(logits, 1)[fair].flatten())
            won.append(batch.share[fair].flatten())
    victory, error = torch.stack(losses).mean(0).tolist()
    shares, wins = torch.cat(told), torch.cat(won)
    bins = (shares * _BINS).long().clamp(max=_BINS - 1)
    table = []
    for number in range(_BINS):
        here = bins == number
        if count := int(here.sum()):
            table.append((float(shares[here].mean()), float(wins[here].mean()), count))
    gap = sum(abs(a - b) * count for a, b, count in table) / len(shares)
    return Quality(victory, error**0.5 / POINTS, gap, table)


def fit_value(
    players: int,
    series: Sequence[Examples],
    steps: int,
    *,
    size: int = 16384,
    rate: float = 3e-3,
    seconds: float = 1e9,
    sizes: tuple[int, int, int] = (WIDTH, UNITS, DEEP),
    warm_up: int = 40,
) -> tuple[Net, Quality]:
    """Fit a value; return it and its quality on held-out games.

    If time does not suffice for all steps, there are fewer, and the learning rate decays faster.
    The steps of the warm-up tell how long one takes.
    """
    sampler = Sampler(series)
    device = series[0].rows.device
    torch.manual_seed(1)
    net = Net(players, *sizes).to(device)
    optimizer = torch.optim.AdamW(
        net.parameters(), lr=rate / 25, weight_decay=1e-4, fused=device.type == "cuda"
    )
    weight = torch.tensor([1.0, 2.0], device=device)

    def step() -> None:
        loss = (_losses(net, batch_of(*sampler.draw(size))) * weight).sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

    begin = time.monotonic()
    for done in range(warm_up):
        step()
        if done == warm_up // 2:
            loss_now = next(net.parameters()).sum().item()  # waits for the device
            assert loss_now == loss_now, "the fit diverged"
            begin = time.monotonic()
    next(net.parameters()).sum().item()
    pace_seconds = (time.monotonic() - begin) / (warm_up - warm_up // 2 - 1)
    steps = max(1, min(steps, int(seconds / pace_seconds)))
    pace = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.1)
    for _ in range(steps):
        step()
        pace.step()
    return net, quality(net, sampler)


def fit_priors(
    series: Sequence[Examples], steps: int, *, size: int = 8192, rate: float = 1e-2
) -> tuple[npt.NDArray[np.float16], float]:
    """Fit the priors to visits of the search; return them and their loss on held-out games."""
    sampler = Sampler(series)
    device = series[0].rows.device
    shared = coarse_priors().to(device)
    fine = torch.zeros(PRIORS + 1, device=device, requires_grad=True)
    coarse = torch.zeros(PRIORS + 1, device=device, requires_grad=True)
    optimizer = torch.optim.AdamW([fine, coarse], lr=rate, weight_decay=1e-4)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.1)
    nothing = torch.ones(PRIORS + 1, device=device)
    nothing[PRIORS] = 0.0

    def table() -> torch.Tensor:
        return (fine + coarse.index_select(0, shared)) * nothing

    def loss_of(examples: Examples, index: torch.Tensor) -> torch.Tensor:
        visits = examples.visits[index].float()
        parts = examples.parts[index].reshape(-1, MOST_PARTS)
        promise = functional.embedding_bag(
            parts, table()[:, None], mode="sum", padding_idx=PRIORS
        ).reshape(-1, MOST_DECISIONS)
        promise = promise.masked_fill(visits < 0, -1e9)
        tried = visits.clamp(min=0)
        tried = tried / tried.sum(1, keepdim=True).clamp(min=1)
        return -(tried * functional.log_softmax(promise, 1).clamp(min=-50)).sum(1).mean()

    for _ in range(steps):
        loss = loss_of(*sampler.draw(size))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        pace.step()
    with torch.no_grad():
        held_out = torch.stack([loss_of(*part) for part in sampler.held_out()]).mean()
        return table()[:PRIORS].cpu().numpy().astype(np.float16), float(held_out)


def save(
    path: Path,
    net: Net | None,
    priors: npt.NDArray[np.float16] | None,
    base: Weights,
    **settings: float,
) -> None:
    """Write weights in compact form; missing ones are taken from the base."""
    arrays: dict[str, npt.NDArray[np.generic]] = {
        name: base[name][0].astype(np.float16) if base[name].dtype == np.float32 else base[name][0]
        for name in base.dtype.names or ()
        if name not in ("odds", *SETTINGS)
    }
    arrays["scale"] = base["scale"][0]
    arrays |= {name: np.asarray(base[name][0]) for name in SETTINGS}
    arrays |= {name: np.asarray(value) for name, value in settings.items()}
    if priors is not None:
        arrays["priors"] = priors
    if net is not None:
        arrays |= _arrays_of(net)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def _arrays_of(net: Net) -> dict[str, npt.NDArray[np.generic]]:
    """Return a quantised value: rows as bytes, with a scale per column."""
    players = net.players
    fitted = {name: value.detach().cpu().numpy() for name, value in net.state_dict().items()}
    rows = net.table().detach().cpu().numpy()[:ROWS]
    scale = np.maximum(np.abs(rows).max(0), 1e-6) / 127
    weigh = np.zeros((INPUTS, UNITS), np.float16)
    weigh[: NUMBERS + players * WIDTH] = fitted["weigh.weight"].T
    tell, tell_bias = np.zeros((DEEP, OUTPUTS), np.float16), np.zeros(OUTPUTS, np.float16)
    for part, start in enumerate((0, POINT_OUTPUTS)):
        here, there = slice(part * players, (part + 1) * players), slice(start, start + players)
        tell[:, there] = fitted["tell.weight"][here].T
        tell_bias[there] = fitted["tell.bias"][here]
    return {
        "width": np.asarray(WIDTH),
        "units": np.asarray(UNITS),
        "rows": np.rint(rows / scale).astype(np.int8),
        "scale": scale.astype(np.float32),
        "bias": fitted["bias"].astype(np.float16),
        "weigh": weigh,
        "weigh_bias": fitted["weigh.bias"].astype(np.float16),
        "deepen": fitted["deepen.weight"].T.astype(np.float16),
        "deepen_bias": fitted["deepen.bias"].astype(np.float16),
        "tell": tell,
        "tell_bias": tell_bias,
        "own": fitted["own"].astype(np.float16),
        "clear": np.exp(fitted["clear"]).astype(np.float16),
    }
