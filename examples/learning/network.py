"""A network for MaskablePPO with shared weights: for all slots, cities, and cards on display."""

from typing import Any

import torch
from features import ACTIONS, BUILDS, CITY, LYING, SLOT, blocks
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn

from patrizier.rules.codes import DRAW, MOVE, NO_MESSENGER, NO_MOVE, WAYS

MOVES = slice(BUILDS + MOVE - NO_MOVE, BUILDS + DRAW - NO_MOVE)  # two towers a city
DRAWS = slice(MOVES.stop, BUILDS + NO_MESSENGER - NO_MOVE)
TRUST = 2.0  # in the foresight, at the beginning: logits per point


def _layers(length: int, width: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(length, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())


class Layers(nn.Module):  # type: ignore[misc]
    """Computes the logits of all actions, and the inputs of the value head.

    A layer for each kind of action sees the features of the action, and the table as a whole. The
    heuristic value of an action (the last floats) is added to its logit.
    """

    def __init__(self, length: int, width: int) -> None:
        super().__init__()
        self.table, self.value = _layers(length, width), _layers(length, width)
        self.share = nn.Linear(width, 3 * width)
        self.slot, self.city, self.lying = (nn.Linear(n, width) for n in (SLOT, CITY, LYING))
        self.build, self.move, self.draw = (nn.Linear(width, n) for n in (WAYS, 2, 1))
        self.rest = nn.Linear(width, ACTIONS)
        self.trust = nn.Parameter(torch.full((ACTIONS,), TRUST))
        self.latent_dim_pi, self.latent_dim_vf = ACTIONS, width

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Return both."""
        return self.forward_actor(seen), self.forward_critic(seen)

    def forward_actor(self, seen: Tensor) -> Tensor:
        """Return the logits."""
        table = self.table(seen)
        slots, cities, lying = blocks(seen)
        to_build, to_move, to_draw = self.share(table)[:, None].chunk(3, 2)
        logits = self.rest(table) + self.trust * seen[:, -ACTIONS:]
        logits[:, :BUILDS] += self.build((self.slot(slots) + to_build).relu()).flatten(1)
        logits[:, MOVES] += self.move((self.city(cities) + to_move).relu()).flatten(1)
        logits[:, DRAWS] += self.draw((self.lying(lying) + to_draw).relu()).flatten(1)
        return logits

    def forward_critic(self, seen: Tensor) -> Tensor:
        """Return the inputs of the value head."""
        return self.value(seen)


class Policy(MaskableActorCriticPolicy):  # type: ignore[misc]
    """A policy with these layers, whose width is that of ``net_arch``."""

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = Layers(self.features_dim, self.net_arch[0])

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        with torch.no_grad():  # the layers return logits
            self.action_net.weight.copy_(torch.eye(ACTIONS))
