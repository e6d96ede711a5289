"""Patrizier for PettingZoo: an AEC environment, where seats act in turn.

>>> from pettingzoo import make
>>> import patrizier.bridges.pettingzoo
>>> env = make("aec", "patrizier_v1", players=3)
>>> env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.last()
>>> observation["action_mask"].sum() == info["action_mask"].sum()
np.True_
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv, aec_registry, register
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from patrizier.batch.layout import FLOATS, OBSERVATION
from patrizier.bridges.table import NO_MASK, Table, board_text, check_kind, code_of
from patrizier.errors import IllegalMove
from patrizier.options import Options
from patrizier.rules.codes import DECISIONS
from patrizier.rules.deck import Deck

ID = "patrizier_v1"


def env(**settings: Any) -> AECEnv:
    """Return the environment, in a wrapper that reports calls in the wrong order."""
    return Ordered(raw_env(**settings))


class Ordered(OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's wrapper, with direct access to what every step reads."""

    @property
    def agents(self) -> list[str]:
        """Who is still in the game."""
        return self.env.agents if self._has_reset else self.__getattr__("agents")  # type: ignore[no-any-return]

    @property
    def agent_selection(self) -> str:
        """Who is to act."""
        reset = self._has_reset
        return self.env.agent_selection if reset else self.__getattr__("agent_selection")  # type: ignore[no-any-return]

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward and so on of the agent to act."""
        return self.env.last(observe) if self._has_reset else super().last(observe)  # type: ignore[no-any-return]


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 (PettingZoo's name for it)
    """A game for two to five players; agents are ``player_0`` to ``player_4``, by seat.

    An action is a decision code; a turn may take several. Observations are dicts of
    ``observation`` and ``action_mask``; the mask is in the info, too. The rewards of the last
    step are players * share of the victory - 1, so they add up to zero.
    """

    metadata = {  # noqa: RUF012 (as PettingZoo has it)
        "name": ID,
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        players: int = 2,
        rules: Iterable[str] = (),
        deck: Deck | None = None,
        observation: str = "bytes",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"unknown render_mode {render_mode!r}: there is ansi")
        self.options = Options(players, rules, deck)
        self.render_mode = render_mode
        self._kind = check_kind(observation)
        self._rng = np.random.default_rng()
        self._table: Table | None = None
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._actions = {agent: Discrete(DECISIONS) for agent in self.possible_agents}
        seen: Space[Any] = Box(0, 255, (OBSERVATION.itemsize,), np.uint8)
        if observation == "floats":
            seen = Box(0.0, 8.0, (FLOATS,), np.float32)
        mask = Box(0, 1, (DECISIONS,), np.int8)
        self._spaces = {
            agent: Dict({"observation": seen, "action_mask": mask})
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Space[dict[str, Any]]:
        """Return the space of an agent's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Space[int]:
        """Return the space of decision codes."""
        return self._actions[agent]

    @property
    def table(self) -> Table:
        """The running game."""
        if self._table is None:
            raise RuntimeError("reset() comes first")
        return self._table

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; a seed determines it and all later ones."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._table = Table(self.options, self._rng, self._kind)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._pass_on()

    def _pass_on(self) -> None:
        """Point to the agent to decide and show it its mask."""
        table = self.table
        self._mask = table.mask()
        seat = table.game.seat
        if seat is not None:
            self.agent_selection = agent = self.possible_agents[seat]
            self.infos[agent] = {"action_mask": self._mask}

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent may know, with a mask that is empty unless it is to act."""
        table = self.table
        acts = agent == self.agent_selection and not table.game.is_over
        return {
            "observation": table.observation(self._seat_of[agent]),
            "action_mask": self._mask if acts else NO_MASK,
        }

    def step(self, action: int | None) -> None:
        """Take a decision for the agent to act; None once it is terminated."""
        game = self.table.game
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalMove(f"{agent} has to act: its game is not over")
        game.decide(code_of(action))
        if self._cumulative_rewards[agent]:
            self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        self._pass_on()
        if game.is_over:
            for name, reward in zip(self.possible_agents, self.table.rewards(), strict=True):
                self.rewards[name] = reward
                self.terminations[name] = True
            self._accumulate_rewards()
            self._deads_step_first()

    def render(self) -> str | None:
        """Return the board as text."""
        return board_text(self.table.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


if "patrizier-v1" not in aec_registry:
    register("aec", ID, entry_point="patrizier.bridges.pettingzoo:env")
