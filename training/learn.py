"""Rounds of self-play, fitting and gating: each round plays with the last weights that passed.

    python training/learn.py training/plans/two.toml out/

A plan is one file; it includes the seed and determines the whole run. Results already in the folder
are not computed again, so an interrupted run resumes. With a GPU everything runs there.
"""

import argparse
import json
import time
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from examples import Examples, examples_of
from fit import fit_priors, fit_value, save
from gate import Gate, decide
from selfplay import Games, play

from patrizier.arena.executors import Executor, choose_executor
from patrizier.arena.sequential import Verdict
from patrizier.bots.learned.value import Weights, load_weights, read_weights


class Effort(NamedTuple):
    """Games of a round: how many, and the iterations per decision."""

    games: int
    iterations: int
    priors: bool = False  # whether the priors are fitted to them
    guests: float = 0.0  # share of games with one opponent that uses random playouts
    seconds: float = 1e9  # at most
    chunk: int = 65536  # games played and stored together


class Plan(NamedTuple):
    """One run."""

    players: int
    seed: int
    rounds: list[list[Effort]]
    steps: int  # for fitting the value
    prior_steps: int
    kept_rounds: int  # rounds whose games are used for fitting
    threads: int
    every: int  # one example for this many decisions
    trust: float  # weight of the value against playouts during self-play
    fit_seconds: float  # for fitting the value, at most
    gate: Gate | None = None  # that a round's weights must pass to play the next round; None: none

    @classmethod
    def read(cls, path: Path) -> "Plan":
        """Read a plan; anything unknown in it is an error."""
        told: dict[str, Any] = tomllib.loads(path.read_text())
        rounds = [[Effort(**effort) for effort in one["play"]] for one in told.pop("rounds")]
        gate = Gate(**told.pop("gate")) if "gate" in told else None
        return cls(rounds=rounds, gate=gate, **told)


class Learner:
    """A run in its folder."""

    def __init__(self, plan: Plan, folder: Path, executor: Executor, threads: int = 1) -> None:
        self.plan, self.folder, self.executor, self.threads = plan, folder, executor, threads
        self.gpu: Any = None
        if torch.cuda.is_available():
            from gpu import Gpu

            most = max(effort.iterations for one in plan.rounds for effort in one)
            self.gpu = Gpu(plan.threads, 12 * most + 100)

    def weights_before(self, number: int) -> Weights:
        """Return the weights that a round is played with: the last that passed their gate."""
        for earlier in reversed(range(number)):
            if self.plan.gate is None or self.passed(earlier):
                return read_weights(self.fitted(earlier))
        return load_weights(self.plan.players)

    def passed(self, number: int) -> bool:
        """Whether a round's weights passed their gate; plays the test if necessary."""
        assert self.plan.gate is not None
        known = self.folder / f"gate-{self.plan.players}-{number}.json"
        if not known.exists():
            begin = time.monotonic()
            test = decide(
                self.plan.gate,
                self.plan.players,
                read_weights(self.fitted(number)),
                self.weights_before(number),
                seed=self.plan.seed + 1_000_000 + number,
                journal=known.with_suffix(".jsonl"),
                executor=self.executor,
            )
            known.write_text(json.dumps(test.to_json()))
            self.note(
                round=number,
                verdict=test.verdict or "undecided",
                deals=test.deals,
                share=round(test.share().value, 4),
                seconds=round(time.monotonic() - begin, 1),
            )
        return bool(json.loads(known.read_text())["verdict"] == Verdict.STRONGER)

    def fitted(self, number: int) -> Path:
        """Return the path of a round's weights."""
        return self.folder / f"{self.plan.players}-{number}.npz"

    def note(self, **what: Any) -> None:
        """Write a line of the journal."""
        print(" ".join(f"{name}={value}" for name, value in what.items()), flush=True)
        with (self.folder / "journal.jsonl").open("a") as journal:
            journal.write(json.dumps(what) + "\n")

    def play(self, number: int) -> list[Games]:
        """Play the missing games of a round."""
        weights = self.weights_before(number).copy()
        weights["trust"] = weights["later_trust"] = self.plan.trust
        played, first = [], 0
        for effort in self.plan.rounds[number]:
            begin, end = time.monotonic(), first + effort.games
            while first < end and time.monotonic() - begin < effort.seconds:
                count = min(effort.chunk, end - first)
                path = self.folder / f"games-{self.plan.players}-{number}-{first}.npz"
                if path.exists():
                    played.append(Games.load(path))
                else:
                    played.append(self._play_chunk(number, first, count, effort, weights))
                    _on_cpu(played[-1]).save(path)
                first += count
            self.note(
                round=number,
                games=first,
                iterations=effort.iterations,
                seconds=round(time.monotonic() - begin, 1),
            )
            first = end
        return played

    def _play_chunk(
        self, number: int, first: int, count: int, effort: Effort, weights: Weights
    ) -> Games:
        given = {
            "iterations": effort.iterations,
            "seed": self.plan.seed + number,
            "first": first,
            "guests": int(effort.guests * count),
            "visits": effort.priors,
        }
        if self.gpu:
            return self.gpu.play(self.plan.players, weights, count, **given)  # type: ignore[no-any-return]
        return play(self.plan.players, weights, count, executor=self.executor, **given)  # type: ignore[arg-type]

    def examples(self, games: Games) -> Examples:
        """Return examples as tensors, on the device used for fitting."""
        if self.gpu:
            on_device = [
                part if isinstance(part, int) else torch.as_tensor(part, device="cuda")
                for part in games
            ]
            return self.gpu.examples(Games(*on_device), self.plan.every)  # type: ignore[no-any-return, arg-type]
        found = examples_of(games, every=self.plan.every, jobs=self.threads)
        return Examples(*(torch.from_numpy(array) for array in found))

    def run(self) -> None:
        """Play and fit whatever is missing."""
        kept: list[list[Examples]] = []
        for number in range(len(self.plan.rounds)):
            if self.fitted(number).exists() and number + self.plan.kept_rounds < len(
                self.plan.rounds
            ):
                kept.append([])
                continue
            kept.append([self.examples(games) for games in self.play(number)])
            if self.fitted(number).exists():
                continue
            series = [one for part in kept[-self.plan.kept_rounds :] for one in part]
            begin = time.monotonic()
            net, found = fit_value(
                self.plan.players, series, self.plan.steps, seconds=self.plan.fit_seconds
            )
            tried = [one for one in series if len(one.visits)]
            priors, loss = fit_priors(tried, self.plan.prior_steps) if tried else (None, np.nan)
            save(self.fitted(number), net, priors, self.weights_before(number))
            self.note(
                round=number,
                examples=sum(len(one.about) for one in series),
                victory=round(found.victory, 4),
                points=round(found.points, 2),
                calibration=round(found.calibration, 4),
                decisions=round(loss, 4),
                seconds=round(time.monotonic() - begin, 1),
            )
        if self.plan.gate:
            self.passed(len(self.plan.rounds) - 1)


def _on_cpu(games: Games) -> Games:
    return Games(*(part.cpu().numpy() if torch.is_tensor(part) else part for part in games))  # type: ignore[arg-type]


def main() -> None:
    """Carry out a plan."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plan", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, help="processes")
    parser.add_argument("--on", default="here", help="here, or ray")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    executor = choose_executor(given.on, given.jobs)
    Learner(Plan.read(given.plan), given.folder, executor, given.jobs or 1).run()


if __name__ == "__main__":
    main()
