"""Decisions per second of batches and bridges on one core, in processor time.

Every step of a batch checks, applies, and writes mask and observation; the codes are drawn at
random in compiled code, too. Sizes run from a thousand games to a million.
"""

import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

from patrizier.batch import Batch

SECONDS = 2.0
ROUNDS = 3


def rate(work: Callable[[], int]) -> float:
    """Return the best rate of several rounds, per second of processor time."""
    work()  # compiled or loaded now, not while measuring
    best = 0.0
    for _ in range(ROUNDS):
        done, begin = 0, time.process_time()
        while (took := time.process_time() - begin) < SECONDS / ROUNDS:
            done += work()
        best = max(best, done / took)
    return best


def stepping(games: int, observation: str, mask: bool = True) -> Callable[[], int]:
    """Return what steps a batch once."""
    batch = Batch(games, 4, observation=observation, mask=mask, threads=1)
    for _ in range(30):
        batch.step(batch.random_codes())

    def work() -> int:
        batch.step(batch.random_codes())
        return games

    return work


def pettingzoo() -> int:
    """Play a game through PettingZoo."""
    from patrizier.bridges.pettingzoo import env as make

    env, decisions, rng = make(players=4), 0, np.random.default_rng(1)
    env.reset()
    draws = rng.random(512).tolist()
    for _ in env.agent_iter():
        seen, _, over, _, _ = env.last()
        if over:
            env.step(None)
            continue
        legal = seen["action_mask"].nonzero()[0]
        env.step(int(legal[int(draws[decisions] * len(legal))]))
        decisions += 1
    return decisions


def open_spiel() -> int:
    """Play a game through OpenSpiel."""
    import pyspiel

    import patrizier.bridges.open_spiel

    assert patrizier.bridges.open_spiel
    state, decisions, steps = pyspiel.load_game("patrizier(players=4)").new_initial_state(), 0, 0
    draws = np.random.default_rng(1).random(512).tolist()
    while not state.is_terminal():
        legal = state.legal_actions()
        decisions += not state.is_chance_node()
        state.apply_action(legal[int(draws[steps] * len(legal))])
        steps += 1
    return decisions


def main() -> None:
    """Measure and print the table; libraries that are not installed are left out."""
    table = Table(title="Decisions per second on one core, four players", box=None)
    table.add_column("what")
    table.add_column("decisions / s", justify="right")
    for games in (1_000, 10_000, 100_000, 1_000_000):
        table.add_row(f"batch of {games:,}, bytes, mask", f"{rate(stepping(games, 'bytes')):,.0f}")
    table.add_row("batch of 1,000, floats, mask", f"{rate(stepping(1_000, 'floats')):,.0f}")
    bare = rate(stepping(1_000, "none", mask=False))
    table.add_row("batch of 1,000, neither", f"{bare:,.0f}")
    for work in (pettingzoo, open_spiel):
        try:
            table.add_row(work.__name__, f"{rate(work):,.0f}")
        except ImportError:
            table.add_row(work.__name__, "not installed")
    Console().print(table)


if __name__ == "__main__":
    main()
