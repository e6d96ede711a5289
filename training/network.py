"""The network in PyTorch; `patrizier.bots.learned.network` is the same in compiled code.

One network for two to five players. It embeds cities, visible cards and the table, passes messages
between them, and estimates the policy, every seat's share of the victory, place and points, and who
takes the tokens of each city.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from lanes import NO_OUTPUT
from torch import Tensor, nn

from patrizier.bots.learned.inputs import (
    AT_DRAW,
    AT_MESSENGER,
    AT_MOVE,
    BUILDS,
    CITY,
    FACE,
    INPUTS,
    LOGITS,
    SEAT,
    SHOWN,
    TABLE,
)
from patrizier.bots.learned.network import HIDDEN, POINTS, SEATS, TABLE_WIDTH, WIDTH
from patrizier.rules.board import HAND, MAX_CITIES, MAX_PLAYERS

__all__ = [
    "POINTS",
    "Network",
    "Outputs",
    "arrays_of",
    "load",
    "log_policy",
    "network_of",
    "save",
]


class Outputs(NamedTuple):
    """What the network estimates, for the seats counted from the one to move."""

    logits: Tensor  # of decisions
    share: Tensor  # of victory: logits by seat
    points: Tensor  # still to come, by seat, in units of `POINTS`
    places: Tensor  # logits by seat and place
    tokens: Tensor  # logits of who takes them, by city, token and seat


class Network(nn.Module):
    """All layers; the arrays in a file of weights have their names."""

    def __init__(self) -> None:
        super().__init__()
        w, t = WIDTH, TABLE_WIDTH
        self.city = nn.Linear(CITY, w)
        self.card = nn.Linear(FACE, 2 * w)  # in hand, on display
        self.goal = nn.Linear(w, w)  # from a city to the cards that name it
        self.place = nn.Linear(w, w, bias=False)  # from a city to the card that lies there
        self.table = nn.Linear(SEATS, t)
        self.gather = nn.Linear(3 * w, t, bias=False)  # cities, hand, display
        self.keep = nn.Linear(w, w)
        self.lying = nn.Linear(w, w, bias=False)  # from the card that lies in a city
        self.named = nn.Linear(w, w, bias=False)  # from the cards that name a city
        self.tell = nn.Linear(t, w, bias=False)  # from the table to the cities
        self.sum = nn.Linear(w, t)
        self.think = nn.Linear(t, t, bias=False)
        self.judge = nn.Linear(t, 2 * MAX_PLAYERS)  # share, points
        self.rank = nn.Linear(t, MAX_PLAYERS * MAX_PLAYERS)
        self.play_card = nn.Linear(w, HIDDEN)
        self.play_city = nn.Linear(w, HIDDEN, bias=False)
        self.play_table = nn.Linear(t, HIDDEN, bias=False)
        self.play = nn.Linear(HIDDEN, BUILDS)
        self.act = nn.Linear(w, 4)  # move from the higher tower, the lower; draw; messenger
        self.pass_by = nn.Linear(t, 2)  # no move, no messenger
        self.take = nn.Linear(w, 2 * MAX_PLAYERS)
        for last in (self.judge, self.rank, self.play, self.act, self.pass_by, self.take):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)
        self.register_buffer("scale", _scale())

    def forward(self, rows: Tensor) -> Outputs:
        """Return the estimates for some positions, given as bytes of `INPUTS`."""
        kind = self.city.weight.dtype
        part = {name: _field(rows, name) for name in ("cities", "cards", "goals", "seats", "table")}
        cities = torch.relu(self.city(part["cities"].to(kind)))
        faces = part["cards"].to(kind)
        goals = part["goals"].long()
        known = (goals >= 0).unsqueeze(-1).to(kind)
        goals = goals.clamp(min=0)
        named = _one_hot(goals, known)  # card by city
        to_goal = named @ self.goal(cities)
        here = self.place(cities)
        hand = faces[:, :HAND] @ self.card.weight[:WIDTH].T + self.card.bias[:WIDTH]
        shown = faces[:, HAND:] @ self.card.weight[WIDTH:].T + self.card.bias[WIDTH:] + here
        cards = torch.relu(torch.cat([hand, shown], 1) + to_goal) * known
        hand, shown = cards[:, :HAND], cards[:, HAND:]
        seats = torch.cat([part["seats"].flatten(1), part["table"]], 1).to(kind) * self.scale.to(
            kind
        )
        sums = torch.cat([cities.sum(1), hand.sum(1), shown.sum(1)], 1)
        table = torch.relu(self.table(seats) + self.gather(sums))
        cities = torch.relu(
            self.keep(cities)
            + self.lying(shown)
            + self.named(named.transpose(1, 2) @ cards)
            + self.tell(table).unsqueeze(1)
        )
        table = torch.relu(self.think(table) + self.sum(cities.sum(1)))
        judged = self.judge(table).float()
        at_goal = named[:, :HAND] @ self.play_city(cities)
        play = torch.relu(self.play_card(hand) + at_goal + self.play_table(table).unsqueeze(1))
        act = self.act(cities)
        none = self.pass_by(table)
        logits = torch.cat(
            [
                self.play(play).flatten(1), none[:, :1], act[:, :, :2].flatten(1), act[:, :, 2],
                none[:, 1:], act[:, :, 3],
            ],
            1,
        )  # fmt: skip
        return Outputs(
            logits.float(),
            judged[:, :MAX_PLAYERS],
            judged[:, MAX_PLAYERS:],
            self.rank(table).float().unflatten(1, (MAX_PLAYERS, MAX_PLAYERS)),
            self.take(cities).float().unflatten(2, (2, MAX_PLAYERS)),
        )


def _scale() -> Tensor:
    """Return factors that bring the numbers of seats and table near one."""
    seat = np.ones(SEAT, np.float32)
    seat[1], seat[2], seat[3] = 0.05, 0.05, 0.5  # points, supply, unknown cards
    table = np.ones(TABLE, np.float32)
    table[8] = table[9] = 0.05  # turns left, cards in the pile
    table[-FACE - 1 :] = 0.2
    return torch.from_numpy(np.concatenate([np.tile(seat, MAX_PLAYERS), table]))


def _field(rows: Tensor, name: str) -> Tensor:
    """Return a field of the inputs as a tensor."""
    assert INPUTS.fields is not None
    kind, start = INPUTS.fields[name][:2]
    flat = rows[:, start : start + kind.itemsize]
    return flat.unflatten(1, kind.shape) if len(kind.shape) > 1 else flat


def _one_hot(goals: Tensor, known: Tensor) -> Tensor:
    places = torch.arange(MAX_CITIES, device=goals.device)
    return (goals.unsqueeze(-1) == places).to(known.dtype) * known


def log_policy(logits: Tensor, one: Tensor, two: Tensor) -> Tensor:
    """Return the log-probability of each decision, given its outputs; 0 if it is not legal."""
    wide = torch.cat([logits, torch.zeros_like(logits[:, :1])], 1)  # for ONE_OUTPUT
    legal = one != NO_OUTPUT
    sums = wide.gather(1, one.long().clamp(max=LOGITS)) + wide.gather(1, two.long())
    return sums.masked_fill(~legal, -1e9).log_softmax(1).masked_fill(~legal, 0.0)


def arrays_of(network: Network) -> dict[str, np.ndarray[Any, Any]]:
    """Return the weights as plain arrays, the factors of the inputs included."""
    found = {name: tensor.float().cpu().numpy() for name, tensor in network.state_dict().items()}
    found["table.weight"] = found["table.weight"] * found.pop("scale")
    return found


def network_of(arrays: dict[str, np.ndarray[Any, Any]]) -> Network:
    """Return the network with these weights."""
    network = Network()
    found = {name: torch.from_numpy(array).float() for name, array in arrays.items()}
    found["table.weight"] = found["table.weight"] / network.scale
    network.load_state_dict({**found, "scale": network.scale})
    return network


def save(network: Network, path: Path) -> None:
    """Write the weights as plain arrays."""
    np.savez_compressed(path, **arrays_of(network))  # type: ignore[arg-type,unused-ignore]


def load(path: Path) -> Network:
    """Read what `save` wrote."""
    with np.load(path) as stored:
        return network_of({name: stored[name] for name in stored.files})


assert AT_MOVE == BUILDS * HAND
assert AT_DRAW - AT_MOVE == 1 + 2 * MAX_CITIES
assert LOGITS - AT_MESSENGER == 1 + MAX_CITIES
assert SHOWN == HAND + MAX_CITIES
