"""Rounds of playing and fitting in one go: what a round has learned plays the next one."""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from examples import examples_of
from fit import EVERY, fit, save
from selfplay import play

from patrizier.bots.learned.value import load_weights, read_weights


def learn(
    players: int, rounds: list[float], out: Path, *, jobs: int, iterations: int, seed: int
) -> None:
    """Play so many seconds in every round; the last three rounds' examples teach the next."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    path = out / f"{players}.npz"
    kept = []
    for number, seconds in enumerate(rounds):
        weights = read_weights(path) if number else load_weights(players)
        begin = time.monotonic()
        games = play(
            players, weights, seconds, iterations=iterations, jobs=jobs, seed=seed + number
        )
        kept.append(examples_of(games, every=EVERY, jobs=jobs))
        print(
            f"{players} players, round {number}: {len(kept[-1])} examples "
            f"in {time.monotonic() - begin:.0f} s",
            flush=True,
        )
        begin = time.monotonic()
        last = number == len(rounds) - 1
        examples = np.concatenate(kept[-3:])
        save(fit(players, examples, 12 if last else 6, device), path)
        print(f"fitted in {time.monotonic() - begin:.0f} s", flush=True)


def main() -> None:
    """Learn for some numbers of players, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--iterations", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("plans", nargs="+", help="players=seconds,seconds: 4=60,120")
    given = parser.parse_args()
    for plan in given.plans:
        players, _, rounds = plan.partition("=")
        seconds = [float(part) for part in rounds.split(",")]
        learn(
            int(players),
            seconds,
            given.out,
            jobs=given.jobs,
            iterations=given.iterations,
            seed=given.seed,
        )


if __name__ == "__main__":
    main()
