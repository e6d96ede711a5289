"""Error rates of the sequential test, by simulation: `python tests/bench/sequential.py`."""

from argparse import ArgumentParser
from itertools import product

import numpy as np

from patrizier.arena.sequential import (
    Floats,
    Hypotheses,
    Verdict,
    expected_share,
    log_likelihood_ratio,
)

# Shares of a deal and how often they occur between equals, roughly as in the arena.
PAIRS = {0.0: 0.13, 0.25: 0.02, 0.5: 0.70, 0.75: 0.02, 1.0: 0.13}
QUARTERS = {0.0: 0.36, 0.125: 0.02, 0.25: 0.36, 0.375: 0.02, 0.5: 0.18, 0.75: 0.05, 1.0: 0.01}
DEALS = {2: PAIRS, 4: QUARTERS}


def bell(middle: float, spread: float) -> dict[float, float]:
    """Return luck-adjusted shares, which may lie outside 0 to 1, and how often they occur."""
    shares = [number / 20 for number in range(-20, 41)]
    odds = np.exp([-(((share - middle) / spread) ** 2) / 2 for share in shares])
    return dict(zip(shares, (odds / odds.sum()).tolist(), strict=True))


ADJUSTED = {players: bell(1 / players, 0.2) for players in DEALS}


def tilted(players: int, elo: float, *, adjusted: bool = False) -> tuple[Floats, Floats]:
    """Return shares and their probabilities for a bot rated this much higher."""
    deals = (ADJUSTED if adjusted else DEALS)[players]
    shares, base = (np.array(list(each)) for each in zip(*deals.items(), strict=True))
    low, high = -20.0, 20.0
    for _ in range(80):
        middle = (low + high) / 2
        odds = base * np.exp(middle * shares)
        odds /= odds.sum()
        low, high = (
            (middle, high) if odds @ shares < expected_share(elo, players) else (low, middle)
        )
    return shares, odds


def simulate(
    players: int,
    hypotheses: Hypotheses,
    elo: float,
    tests: int,
    seed: int,
    *,
    adjusted: bool = False,
) -> tuple[dict[Verdict, float], float]:
    """Return the frequency of each verdict, and the mean number of deals."""
    rng = np.random.default_rng(seed)
    shares, odds = tilted(players, elo, adjusted=adjusted)
    means = [expected_share(each, players) for each in (hypotheses.elo0, hypotheses.elo1)]
    lower, upper = hypotheses.bounds
    counts = np.zeros((tests, len(shares)))
    counts[:, (shares == 0) | (shares == 1)] = 1e-3
    ended = {Verdict.STRONGER: 0, Verdict.NOT_STRONGER: 0}
    deals = played = 0
    while len(counts):
        deals += 1
        counts[np.arange(len(counts)), rng.choice(len(shares), len(counts), p=odds)] += 1
        ratio = log_likelihood_ratio(shares, counts, *means)
        ended[Verdict.STRONGER] += int((ratio >= upper).sum())
        ended[Verdict.NOT_STRONGER] += int((ratio <= lower).sum())
        goes_on = (ratio > lower) & (ratio < upper)
        played += deals * int((~goes_on).sum())
        counts = counts[goes_on]
    return {verdict: count / tests for verdict, count in ended.items()}, played / tests


def main() -> None:
    """Print error rates."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=10_000)
    parser.add_argument("--elo1", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    hypotheses = Hypotheses(0.0, chosen.elo1)
    print("players  luck-adjusted  true Elo  called stronger  deals on average")
    for players, adjusted in product(DEALS, (False, True)):
        for elo in (0.0, chosen.elo1 / 2, chosen.elo1):
            rates, deals = simulate(
                players, hypotheses, elo, chosen.tests, chosen.seed, adjusted=adjusted
            )
            called = f"{elo:8g}  {rates[Verdict.STRONGER]:15.2%}  {deals:16.0f}"
            print(f"{players:7}  {'yes' if adjusted else 'no':>13}  {called}")


if __name__ == "__main__":
    main()
