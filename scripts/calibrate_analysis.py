"""Fits and checks the calibration of the analyser: when it says 30 %, 30 % should win.

    python scripts/calibrate_analysis.py --games 3000 --keep positions --write
    python scripts/calibrate_analysis.py --games 2000 --seed 2 --check

Plays games of `mcts` with few iterations for two to five players, with and without messengers.
Half of them fit the exponents (with ``--write`` into the package); the others, never used for
fitting, give the reliability table. The chances are those of the curve, with all hands open. Stored
positions are not played again, so a run can be interrupted, and several runs can share the work.
With ``--check`` nothing is fitted, and all games check the present exponents.
"""

import argparse
import json
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from patrizier.analysis.calibration import Calibration, calibration_for, sharpen
from patrizier.analysis.outlook import Appraiser
from patrizier.bots.learned.value import load_weights, new_features
from patrizier.bots.search.puct import new_tree, reset_tree, search_puct
from patrizier.bots.search.tree import children_of
from patrizier.deal import Deal
from patrizier.options import Options
from patrizier.outcome import Outcome
from patrizier.rules import boundary
from patrizier.rules.board import cards_in_play
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import OVER, Cells, copy_cells, new_cells
from patrizier.state import State, count_scores

FILE = Path(__file__).parents[1] / "src" / "patrizier" / "analysis" / "calibration.json"
KNOTS = 4  # exponents from the start to the end of a game
PORTION = 250  # games per stored file
EVERY = 4  # turns between the positions that are used
BINS = np.linspace(0, 1, 11)

Numbers = npt.NDArray[np.float64]


@dataclass
class Sample:
    """Positions of games of one kind: chances before calibration, and who won."""

    turns: npt.NDArray[np.int64]
    shares: Numbers  # by position and seat
    won: Numbers

    games: npt.NDArray[np.int64]  # of each position

    def part(self, places: npt.NDArray[np.bool_]) -> "Sample":
        """Return some of the positions."""
        return Sample(*(values[places] for values in vars(self).values()))


class Players:
    """Plays games of a search with few iterations."""

    def __init__(self, options: Options, iterations: int) -> None:
        self.options, self.iterations = options, iterations
        self.weights, self.features = load_weights(options.players), new_features()
        self.tree, self.cells = new_tree(14 * iterations + 200), new_cells(2)

    def positions(self, seed: int) -> list[Cells]:
        """Return the positions of one game: before every turn, and the end."""
        cells = State.start(self.options, Deal.random(self.options, seed))._cells
        buffer, found, event = new_scratch(seed), [copy_cells(cells)], boundary.new_event()
        while cells["phase"][0] != OVER:
            if boundary.decide(cells, buffer, self._choose(cells, buffer), event) == boundary.ENDED:
                found.append(copy_cells(cells))
        return found

    def _choose(self, cells: Cells, buffer: npt.NDArray[np.void]) -> int:
        codes = buffer["codes"][0][: boundary.list_legal(cells, buffer)].tolist()
        if len(codes) == 1:
            return int(codes[0])
        self.cells[0] = cells[0]
        boundary.hide_from(self.cells[:1], int(cells["seat"][0]))
        reset_tree(self.tree.search)
        search_puct(
            self.cells, buffer, self.tree.search, self.features, self.weights, self.iterations
        )
        root = int(self.tree.search["root"][0])
        return max(children_of(self.tree.nodes, root), key=lambda child: child.visits).code


def play(options: Options, games: range, iterations: int, seed: int) -> Sample:
    """Play games; return their positions."""
    flat = Calibration(len(cards_in_play(options.players)))
    players, appraiser = Players(options, iterations), Appraiser(options, flat)
    turns, shares, won, of = [], [], [], []
    for game in games:
        positions = players.positions(seed + game)
        winners = Outcome(count_scores(positions[-1])).winners
        result = np.bincount(winners, minlength=options.players) / len(winners)
        for cells in positions[game % EVERY : -1 : EVERY]:
            turns.append(int(cells["turn"][0]))
            shares.append(appraiser.outlook(cells).shares)
            won.append(result)
            of.append(game)
    return Sample(np.array(turns), np.array(shares), np.array(won), np.array(of))


def kept(folder: Path | None, options: Options, games: int, iterations: int, seed: int) -> Sample:
    """Return the positions of games; play those that are not stored."""
    found = []
    for first in range(0, games, PORTION):
        kind = f"{options.players}{'m' if options.rules else ''}-{iterations}-{seed}-{first}"
        file = folder / f"{kind}.npz" if folder else None
        if file and file.exists():
            with np.load(file) as values:
                found.append(Sample(**values))
            continue
        portion = range(first, min(first + PORTION, games))
        found.append(play(options, portion, iterations, seed * 1_000_000))
        if file:
            file.parent.mkdir(parents=True, exist_ok=True)
            np.savez_compressed(file, **vars(found[-1]))
    names = vars(found[0])
    return Sample(*(np.concatenate([getattr(one, name) for one in found]) for name in names))


def calibrated(sample: Sample, calibration: Calibration) -> Numbers:
    """Return the calibrated chances of a sample."""
    places = np.linspace(0.0, calibration.turns, len(calibration.exponents))
    exponents = np.interp(sample.turns, places, calibration.exponents)
    return sharpen(sample.shares, exponents[:, None])


def fit(sample: Sample, turns: int) -> Calibration:
    """Return the exponents with the smallest log loss."""
    from scipy.optimize import minimize

    def loss(exponents: Numbers) -> float:
        chances = calibrated(sample, Calibration(turns, tuple(exponents)))
        stiff = 0.002 * float(np.square(np.diff(exponents)).sum())
        return float(-(sample.won * np.log(np.maximum(chances, 1e-9))).sum(axis=1).mean()) + stiff

    found = minimize(loss, np.ones(KNOTS), method="Nelder-Mead", options={"maxiter": 400})
    return Calibration(turns, tuple(np.round(np.clip(found.x, 0.3, 3.0), 3).tolist()))


def reliability(chances: Numbers, won: Numbers) -> tuple[list[tuple[float, float, int]], float]:
    """Return told, seen and count of every bin, and the mean error weighed by counts."""
    told, seen = chances.ravel(), won.ravel()
    rows, error = [], 0.0
    for low, high in pairwise(BINS):
        here = (told >= low) & ((told < high) | (high == 1.0))
        if here.any():
            rows.append((float(told[here].mean()), float(seen[here].mean()), int(here.sum())))
            error += abs(rows[-1][0] - rows[-1][1]) * rows[-1][2]
    return rows, error / told.size


def main() -> None:
    """Play, fit, check, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3000, help="of each kind")
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4, 5])
    parser.add_argument("--iterations", type=int, default=40, help="of the bots that play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of positions")
    purpose = parser.add_mutually_exclusive_group()
    purpose.add_argument("--write", action="store_true", help="put the exponents into the package")
    purpose.add_argument("--check", action="store_true", help="check the present exponents")
    given = parser.parse_args()
    exponents: dict[str, list[float]] = json.loads(FILE.read_text("utf-8"))["exponents"]
    print("| players | messengers | games | mean error before | mean error | predicted → actual |")
    print("|---|---|---|---|---|---|")
    for players, rules in product(given.players, ((), ("messengers",))):
        options = Options(players, rules)
        sample = kept(given.keep, options, given.games, given.iterations, given.seed)
        calibration, fresh = calibration_for(options), sample
        if not given.check:
            fitting = sample.games // EVERY % 2 == 0
            calibration = fit(sample.part(fitting), len(cards_in_play(players)))
            fresh = sample.part(~fitting)
        exponents[f"{players}{'m' if rules else ''}"] = list(calibration.exponents)
        _, before = reliability(fresh.shares, fresh.won)
        rows, error = reliability(calibrated(fresh, calibration), fresh.won)
        curve = ", ".join(f"{told:.0%} → {seen:.0%}" for told, seen, _ in rows[::2])
        kind = "with" if rules else "without"
        print(
            f"| {players} | {kind} | {len(np.unique(fresh.games))} | {before:.1%} | "
            f"{error:.1%} | {curve} |",
            flush=True,
        )
    if given.write:
        FILE.write_text(json.dumps({"exponents": exponents}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
