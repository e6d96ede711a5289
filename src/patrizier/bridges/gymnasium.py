"""Patrizier for Gymnasium: one seat against bots, and many games at once.

>>> import gymnasium
>>> import patrizier.bridges.gymnasium
>>> env = gymnasium.make("patrizier/Seat-v1", opponents="greedy")
>>> observation, info = env.reset(seed=7)
>>> observation.shape, int(info["action_mask"].sum()) == int(env.unwrapped.action_masks().sum())
((506,), True)
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import Env
from gymnasium.envs.registration import register, registry
from gymnasium.spaces import Box, Discrete, Space
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from patrizier.batch import Batch
from patrizier.batch.episode import HOLD
from patrizier.batch.layout import FLOATS, OBSERVATION
from patrizier.batch.store import check_codes
from patrizier.bots.base import Bot
from patrizier.bots.registry import make_bot
from patrizier.bridges.bots import Decider
from patrizier.bridges.opponents import Policy, opponents_of
from patrizier.bridges.table import (
    NO_MASK,
    Table,
    board_text,
    check_kind,
    code_of,
    observation_of,
)
from patrizier.errors import IllegalMove
from patrizier.options import Options
from patrizier.rules.board import cards_in_play
from patrizier.rules.codes import DECISIONS
from patrizier.rules.deck import Deck

Opponents = str | Bot | Sequence[str | Bot]
Observation = npt.NDArray[Any]

ILLEGAL = ("lose", "raise")  # what an illegal action does


def observation_space(kind: str) -> Space[Observation]:
    """Return the space of observations as bytes or floats."""
    if kind == "floats":
        return Box(0.0, 8.0, (FLOATS,), np.float32)
    return Box(0, 255, (OBSERVATION.itemsize,), np.uint8)


class SeatEnv(Env):  # type: ignore[misc]
    """One seat of a game; bots play the others.

    An action is a decision code, of which ``action_masks()`` and ``info["action_mask"]`` tell the
    legal ones. The reward of the last step is players * share of the victory - 1. An illegal action
    loses the game (reward -1, the code in ``info["illegal"]``), or raises `IllegalMove` with
    ``illegal="raise"``. An error of an opponent ends the game: `reset` deals another one.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        players: int = 2,
        rules: Iterable[str] = (),
        deck: Deck | None = None,
        opponents: Opponents = "random",
        seat: int | None = None,
        observation: str = "bytes",
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        """Set up.

        ``opponents``: a bot or its name for all other seats, or one for each of them, clockwise
        from the learner's. ``seat``: the learner's; None: another one in every game.
        """
        self.options = Options(players, rules, deck)
        self._seat = _checked_seat(seat, players)
        self._opponents = _listed(opponents, players)
        self._kind = check_kind(observation)
        if illegal not in ILLEGAL:
            raise ValueError(f"unknown illegal {illegal!r}: there are {', '.join(ILLEGAL)}")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"unknown render_mode {render_mode!r}: there is ansi")
        self._illegal = illegal
        self.render_mode = render_mode
        self.action_space = Discrete(DECISIONS)
        self.observation_space = observation_space(observation)
        self._table: Table | None = None
        self._over = True
        self.seat = 0  # the learner's in this game

    @property
    def table(self) -> Table:
        """The running game."""
        if self._table is None:
            raise RuntimeError("reset() comes first")
        return self._table

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game and play until it is the learner's turn."""
        super().reset(seed=seed)
        rng = self.np_random
        players = self.options.players
        self.seat = int(rng.integers(players)) if self._seat is None else self._seat
        self._table = Table(self.options, rng, self._kind)
        self._deciders = {
            (self.seat + 1 + number) % players: Decider(bot, int(rng.integers(2**63)))
            for number, bot in enumerate(self._opponents)
        }
        self._over = False
        self._let_others_play()
        return self._seen()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Decide, and let the others play until it is the learner's turn again."""
        if self._over:
            raise RuntimeError("the game is over: reset() starts a new one")
        code = code_of(action)
        try:
            self.table.game.decide(code)
        except IllegalMove:
            if self._illegal == "raise":
                raise
            self._over = True
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "illegal": code}
        self._let_others_play()
        self._over = self.table.game.is_over
        reward = self.table.rewards()[self.seat] if self._over else 0.0
        observation, info = self._seen()
        return observation, reward, self._over, False, info

    def _let_others_play(self) -> None:
        game = self.table.game
        going_on, self._over = self._over, True  # after a bot's error the game is given up
        while game.seat not in (None, self.seat):
            assert game.seat is not None
            game.decide(self._deciders[game.seat].code(game.view(game.seat)))
        self._over = going_on

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        return self.table.observation(self.seat), {"action_mask": self.table.mask()}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which codes are legal, in the form that sb3-contrib's MaskablePPO expects."""
        return self.table.mask().astype(np.bool_)

    def render(self) -> str | None:
        """Return the board as text."""
        return board_text(self.table.game) if self.render_mode == "ansi" else None


class BatchEnv(VectorEnv):  # type: ignore[misc]
    """Many games at once: the learner has one seat in each, a policy plays the others.

    A finished game is dealt anew in the same step (`AutoresetMode.SAME_STEP`); the learner's last
    observation of it is in ``final_obs`` and ``final_info`` of the info. With every deal of a game
    the learner moves to the next seat; ``own`` has its seat in each game. ``opponents`` is
    ``"random"``, the name of a bot, or a function that returns a code for each game of a `Batch`;
    codes for the learner's own decisions are ignored. If that function or bot fails, the
    environment returns to its state before the step.
    """

    metadata = {  # noqa: RUF012 (as Gymnasium has it)
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1024,
        players: int = 2,
        rules: Iterable[str] = (),
        deck: Deck | None = None,
        opponents: str | Policy = "random",
        observation: str = "bytes",
        threads: int | None = None,
    ) -> None:
        check_kind(observation)
        self.num_envs = num_envs
        self.batch = Batch(num_envs, players, rules, deck, observation=observation, threads=threads)
        self._opponents = opponents_of(opponents)
        self._dealt = False
        self._floats = observation == "floats"
        self.single_action_space = Discrete(DECISIONS)
        self.single_observation_space = observation_space(observation)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.own = np.arange(num_envs, dtype=np.int8) % players
        self._turns = len(cards_in_play(players))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal all games anew and play until each waits for the learner."""
        super().reset(seed=seed)
        self._dealt = False
        self.batch.reset(self.np_random)
        self._opponents.begin(self.np_random)
        self.own = np.arange(self.num_envs, dtype=np.int8) % self.batch.options.players
        done = np.zeros(self.num_envs, np.bool_)
        self._let_others_play(np.zeros(self.num_envs), done, {})
        assert not done.any()
        self._dealt = True
        return self._seen()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Decide in every game, and let the others play until it is the learner's turn again."""
        if not self._dealt:
            raise RuntimeError("reset() comes first")
        rewards = np.zeros(self.num_envs)
        done = np.zeros(self.num_envs, np.bool_)
        ends: dict[int, Observation] = {}
        codes = self.batch._checked(actions)
        if (codes == HOLD).any():
            raise self.batch._why(int((codes == HOLD).argmax()), HOLD)
        with self._all_or_nothing():
            self._step(codes, rewards, done, ends)
            self._let_others_play(rewards, done, ends)
        observation, info = self._seen()
        for game, seen in ends.items():
            last = {"final_obs": seen, "final_info": {"action_mask": NO_MASK}}
            info = self._add_info(info, last, game)
        return observation, rewards, done, np.zeros(self.num_envs, np.bool_), info

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Return to where the environment was if the opponents fail."""
        if not self._opponents.can_fail:
            yield
            return
        moment, own = self.batch.moment(), self.own.copy()
        try:
            yield
        except BaseException:
            self.batch.go_back(moment)
            self.own[:] = own
            raise

    def _step(
        self,
        codes: npt.NDArray[np.int64],
        rewards: npt.NDArray[Any],
        done: npt.NDArray[np.bool_],
        ends: dict[int, Observation],
    ) -> None:
        """Step the batch; keep rewards and last observations of games that end."""
        batch = self.batch
        turns = batch.observations.view(OBSERVATION)["turn"][:, 0]
        last_turn = np.flatnonzero(turns == self._turns - 1)
        before = {game: batch.state(game) for game in last_turn.tolist()}
        batch.step(codes)
        ended = np.flatnonzero(batch.done)
        players = batch.options.players
        rewards[ended] = players * batch.shares[ended, self.own[ended]] - 1
        done[ended] = True
        for game in ended.tolist():
            end = before[game].apply(int(codes[game]))
            ends[game] = observation_of(end._cells, int(self.own[game]), self._floats)
        self.own[ended] = (self.own[ended] + 1) % players  # the next one gives another seat
        self._opponents.forget(ended.tolist())

    def _let_others_play(
        self,
        rewards: npt.NDArray[Any],
        done: npt.NDArray[np.bool_],
        ends: dict[int, Observation],
    ) -> None:
        batch = self.batch
        while (others := batch.seats != self.own).any():
            codes = self._theirs(others)
            self._step(np.where(others, codes, HOLD), rewards, done, ends)

    def _theirs(self, others: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Return the opponents' codes, legal where they are asked."""
        batch = self.batch
        codes = np.asarray(self._opponents.codes(batch, np.flatnonzero(others)))
        if codes.shape != others.shape:
            raise ValueError(
                f"the opponents' policy gave codes of shape {codes.shape}, not {others.shape}"
            )
        try:
            check_codes(codes.dtype)
        except TypeError as error:
            raise TypeError(f"the opponents' policy: {error}") from None
        known = (codes >= 0) & (codes < DECISIONS)
        legal = known & batch.mask[np.arange(len(codes)), np.where(known, codes, 0)]
        if (wrong := others & ~legal).any():
            game = int(wrong.argmax())
            raise IllegalMove(f"the opponents' policy: {batch._why(game, int(codes[game]))}")
        return codes

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        shown = self.batch.floats if self._floats else self.batch.observations
        return shown.copy(), {"action_mask": self.batch.mask.astype(np.int8)}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which codes are legal in each game."""
        masks: npt.NDArray[np.bool_] = self.batch.mask.copy()
        return masks


def _checked_seat(seat: int | None, players: int) -> int | None:
    if seat is not None and (type(seat) is not int or not 0 <= seat < players):
        raise ValueError(f"there is no seat {seat!r} in a game of {players}")
    return seat


def _listed(opponents: Opponents, players: int) -> list[str | Bot]:
    """Return a bot for each other seat; names are checked."""
    listed = [opponents] * (players - 1) if isinstance(opponents, str | Bot) else list(opponents)
    for bot in listed:
        if not isinstance(bot, str | Bot):
            raise TypeError(f"an opponent is a bot or its name, not {bot!r}")
    if len(listed) != players - 1:
        raise ValueError(f"{players - 1} opponents play in a game of {players}, not {len(listed)}")
    for bot in listed:
        if isinstance(bot, str):
            make_bot(bot)
    return listed


if "patrizier/Seat-v1" not in registry:
    register("patrizier/Seat-v1", entry_point=f"{__name__}:SeatEnv")
    register("patrizier/Batch-v1", vector_entry_point=f"{__name__}:BatchEnv")
