"""Decisions per second of Patrizier and of games in the libraries that researchers use.

Random play on one core, in processor time, rounds alternating between all of them: only ratios of
one run mean anything. What is not installed is left out.
"""

import contextlib
import io
import os
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from patrizier.batch import Batch

SECONDS = 1.0  # of a round
ROUNDS = 3
GAMES = 1000  # of a batch
ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

Work = Callable[[], int]  # plays on, and returns how many decisions that took


@dataclass(frozen=True)
class Peer:
    """Something to measure."""

    library: str
    game: str
    make: Callable[[], Work]


def batch(observation: str) -> Work:
    """Step a batch of ours, with masks."""
    games = Batch(GAMES, 4, observation=observation, mask=observation != "none", threads=1)

    def work() -> int:
        games.step(games.random_codes())
        return GAMES

    return work


def pgx(name: str) -> Work:
    """Step a batch of pgx's, compiled for the processor; its states have observation and mask."""
    os.environ.setdefault("XLA_FLAGS", ONE_THREAD)  # read when JAX is imported
    jax = import_module("jax")
    env = import_module("pgx").make(name)
    auto = import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init)

    def step(state: Any, key: Any) -> Any:
        chosen, dealt = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        action = jax.random.categorical(chosen, logits, axis=-1)
        return jax.vmap(auto)(state, action, jax.random.split(dealt, GAMES))

    quick = jax.jit(step)
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES))

    def work() -> int:
        nonlocal state, key
        key, now = jax.random.split(key)
        state = jax.block_until_ready(quick(state, now))
        return GAMES

    return work


def open_spiel(name: str) -> Work:
    """Play a game in OpenSpiel's loop."""
    if "patrizier" in name:
        import_module("patrizier.bridges.open_spiel")
    if "python" in name:
        import_module("open_spiel.python.games")
    game, rng = import_module("pyspiel").load_game(name), Random(1)

    def work() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(legal[int(rng.random() * len(legal))])
        return decisions

    return work


def pettingzoo(module: str, **settings: Any) -> Work:
    """Play a game in PettingZoo's loop."""
    env, rng = import_module(module).env(**settings), Random(1)

    def work() -> int:
        env.reset()
        decisions = 0
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            legal = seen["action_mask"].nonzero()[0]
            env.step(int(legal[int(rng.random() * len(legal))]))
            decisions += 1
        return decisions

    return work


def rlcard(name: str) -> Work:
    """Play a game in RLCard's loop, with its own random agents."""
    library = import_module("rlcard")
    agent = import_module("rlcard.agents").RandomAgent
    env = library.make(name, config={"seed": 1})
    env.set_agents([agent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def work() -> int:
        before = env.timestep
        env.run(is_training=False)
        return int(env.timestep - before)

    return work


PEERS = (
    Peer("patrizier.batch", "Patrizier, observation and mask", partial(batch, "bytes")),
    Peer("patrizier.batch", "Patrizier, neither", partial(batch, "none")),
    Peer("pgx", "Kuhn poker", partial(pgx, "kuhn_poker")),
    Peer("pgx", "Leduc hold'em", partial(pgx, "leduc_holdem")),
    Peer("pgx", "Connect Four", partial(pgx, "connect_four")),
    Peer("pgx", "backgammon", partial(pgx, "backgammon")),
    Peer("OpenSpiel", "Patrizier", partial(open_spiel, "patrizier(players=4)")),
    Peer("OpenSpiel", "backgammon (C++)", partial(open_spiel, "backgammon")),
    Peer("OpenSpiel", "Connect Four (C++)", partial(open_spiel, "connect_four")),
    Peer("OpenSpiel", "gin rummy (C++)", partial(open_spiel, "gin_rummy")),
    Peer("OpenSpiel", "tic-tac-toe (Python)", partial(open_spiel, "python_tic_tac_toe")),
    Peer("OpenSpiel", "liar's poker (Python)", partial(open_spiel, "python_liars_poker")),
    Peer("PettingZoo", "Patrizier", partial(pettingzoo, "patrizier.bridges.pettingzoo", players=4)),
    Peer("PettingZoo", "Connect Four", partial(pettingzoo, "pettingzoo.classic.connect_four_v3")),
    Peer("PettingZoo", "tic-tac-toe", partial(pettingzoo, "pettingzoo.classic.tictactoe_v3")),
    Peer("PettingZoo", "chess", partial(pettingzoo, "pettingzoo.classic.chess_v6")),
    Peer("RLCard", "Leduc hold'em", partial(rlcard, "leduc-holdem")),
    Peer("RLCard", "UNO", partial(rlcard, "uno")),
    Peer("RLCard", "gin rummy", partial(rlcard, "gin-rummy")),
)


def rate(work: Work) -> float:
    """Return decisions per second of processor time."""
    done, begin = 0, time.process_time()
    while (took := time.process_time() - begin) < SECONDS:
        done += work()
    return done / took


def main() -> None:
    """Measure and print."""
    warnings.simplefilter("ignore")
    found: dict[Peer, Work] = {}
    left_out: list[str] = []
    for peer in PEERS:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                found[peer] = peer.make()
                found[peer]()  # compiled or loaded now, not while measuring
        except Exception as error:  # whatever keeps a peer from running, the others still do
            left_out.append(f"{peer.library}, {peer.game}: {type(error).__name__}: {error}"[:120])
    rates: dict[Peer, list[float]] = {peer: [] for peer in found}
    for _ in range(ROUNDS):
        for peer, work in found.items():
            rates[peer].append(rate(work))
    table = Table(title="Random play on one core", box=None)
    for column, side in (("library", "left"), ("game", "left"), ("decisions / s", "right")):
        table.add_column(column, justify=side)  # type: ignore[arg-type]
    for peer, several in rates.items():
        table.add_row(peer.library, peer.game, f"{np.median(several):,.0f}")
    console = Console()
    console.print(table)
    for line in left_out:
        console.print(f"left out: {line}")


if __name__ == "__main__":
    main()
