"""Trials of a network: it plays `zero` with fixed iterations, until a sequential test decides.

    python training/trial.py out/network.npz --players 2 4 --iterations 1000 --against mcts:2600

One seat has the network, all others the opponent: ``zero:1000`` is the network in the package, and
iterations in the proportion of their processor time make a comparison with `mcts` fair however
busy the machine is. Every deal is played from every seat; its games are one observation. Deals are
kept in a journal, so that a trial that was stopped goes on. No GPU is needed.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count as count_up
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from patrizier.arena.executors import Executor, Job, Worker, choose_executor
from patrizier.arena.sequential import Hypotheses, SequentialTest
from patrizier.bots.base import Bot
from patrizier.bots.budget import Budget
from patrizier.bots.guard import take_turn
from patrizier.bots.learned.network import Network, read_network
from patrizier.bots.registry import make_bot
from patrizier.bots.search.zero import ZeroBot
from patrizier.game import Game
from patrizier.options import Options


class Trial(NamedTuple):
    """One match of the network."""

    players: int
    against: str  # a bot with its budget
    iterations: int  # of the network's search, per turn
    rules: tuple[str, ...] = ()
    elo0: float = 0.0
    elo1: float = 20.0
    deals: int = 500  # then it ends without a verdict

    @property
    def name(self) -> str:
        """What is played, as the journal knows it."""
        return " ".join(
            [f"{self.players}", *self.rules, f"zero:{self.iterations}", f"{self.against}"]
        )

    def test(self) -> SequentialTest:
        """Return the test, before any deal."""
        return SequentialTest(self.players, Hypotheses(self.elo0, self.elo1))


@dataclass(frozen=True)
class Deals(Job[int, float]):
    """Plays one deal from every seat; the result is the network's mean share of the victory."""

    trial: Trial
    network: Network
    seed: int

    def modules(self) -> Sequence[str]:
        """Return this module, which is not in the package."""
        return ("trial",)

    def prepare(self, worker: Worker) -> None:
        """Compile what both play with."""
        name, _, budget = self.trial.against.partition(":")
        quick = self.trial._replace(iterations=2, against=f"{name}:2" if budget else name)
        for _ in Deals(quick, self.network, self.seed).run(0, worker):
            pass

    def run(self, unit: int, worker: Worker) -> Iterator[float]:
        """Play a deal."""
        players, shares = self.trial.players, []
        for seat in range(players):
            game = Game(Options(players, self.trial.rules), seed=1_000_000 * self.seed + unit)
            rng = np.random.default_rng([self.seed, unit, seat])
            bots: list[Bot] = [make_bot(self.trial.against) for _ in range(players)]
            bots[seat] = ZeroBot(Budget(iterations=self.trial.iterations), network=self.network)
            while not game.is_over:
                assert game.seat is not None
                if incidents := take_turn(game, bots[game.seat], rng):
                    raise RuntimeError(str(incidents[0]))
            outcome = game.outcome()
            assert outcome is not None
            shares.append((seat in outcome.winners) / len(outcome.winners))
        yield sum(shares) / players


def carry_out(
    trial: Trial,
    network: Network,
    journal: Path,
    *,
    seed: int,
    executor: Executor,
    end: float = float("inf"),  # by the monotonic clock
) -> SequentialTest:
    """Play deals until the test ends, or the deals, or the time does; return the test."""
    test, done = trial.test(), 0
    for line in journal.read_text().splitlines() if journal.exists() else ():
        told = json.loads(line)
        if told["trial"] == trial.name:
            test.add(told["share"])
            done += 1
    if test.verdict is not None or done >= trial.deals or time.monotonic() >= end:
        return test
    units = islice(count_up(done), trial.deals - done)
    with (
        journal.open("a") as file,
        closing(executor.run(Deals(trial, network, seed), units)) as parts,
    ):
        for unit, shares in parts:
            for share in shares:
                test.add(share)
                line = json.dumps({"trial": trial.name, "deal": unit, "share": round(share, 6)})
                file.write(f"{line}\n")
                file.flush()
            if test.verdict is not None or time.monotonic() >= end:
                break
    return test


def in_words(trial: Trial, test: SequentialTest) -> str:
    """Return how a trial stands."""
    if not test.deals:
        return f"{trial.name}: not played"
    share = test.share()
    low, high = 100 * share.low, 100 * share.high
    return (
        f"{trial.name}: {100 * share.value:.1f} % ({low:.1f} to {high:.1f}) "
        f"of {test.deals * trial.players} games, fair share {100 / trial.players:.0f} %, "
        f"{test.verdict or 'undecided'} ({trial.elo0:g} against {trial.elo1:g} Elo)"
    )


def main() -> None:
    """Carry out trials, and print how they end."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("network", type=Path)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--rules", nargs="*", default=[])
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--against", default="zero:1000")
    parser.add_argument("--elo", type=float, nargs=2, default=(0.0, 20.0))
    parser.add_argument("--deals", type=int, default=500, help="at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--journal", type=Path, help="else beside the network: trials.jsonl")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    given = parser.parse_args()
    network = read_network(given.network)
    for players in given.players:
        trial = Trial(
            players, given.against, given.iterations, tuple(given.rules), *given.elo, given.deals
        )
        test = carry_out(
            trial, network, given.journal or given.network.with_name("trials.jsonl"),
            seed=given.seed, executor=choose_executor("here", given.jobs),
        )  # fmt: skip
        print(in_words(trial, test), flush=True)


if __name__ == "__main__":
    main()
