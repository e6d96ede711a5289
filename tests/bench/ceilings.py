"""Ceilings: how much of a result is luck, and how much a better player could still win.

    python tests/bench/ceilings.py luck --players 2 3 4 5 --deals 200 --replays 6
    python tests/bench/ceilings.py omniscient --players 2 4 --deals 200 --iterations 400
    python tests/bench/ceilings.py effort --players 2 4 --deals 100 --iterations 400 --times 10 100

- ``luck``: equal players play the same deal again and again with other random numbers. What varies
  between deals, but not within one, is the luck of the cards: of hands, display and starting seat
  (piles shuffled anew in every game), and of the order of the pile as well (the same pile).
- ``omniscient``: one player sees the pile and all hands; a search that cheats, only to be had here.
- ``effort``: one player has so many times the iterations.

All players are the search of `mcts`, with fixed iterations and without exact endgames. In
``omniscient`` and ``effort`` one seat among equals is different, in every seat in turn; the games
of a deal are one observation. With ``--journal`` finished deals are kept, and a run that was
stopped goes on.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.arena.intervals import Clustered
from patrizier.bots.learned.value import load_weights, new_features
from patrizier.bots.search.puct import new_tree, reset_tree, search_puct
from patrizier.bots.search.tree import children_of
from patrizier.deal import Deal
from patrizier.options import Options
from patrizier.outcome import Outcome
from patrizier.rules import boundary
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import OVER, Cells, new_cells
from patrizier.state import State, count_scores

Shares = npt.NDArray[np.float64]
RESAMPLES = 1000  # of the bootstrap


@dataclass(frozen=True)
class Player:
    """A search with a fixed effort."""

    iterations: int
    sees_all: bool = False


class Table:
    """Plays games of searches."""

    def __init__(self, options: Options, most: int) -> None:
        self.options = options
        self._weights, self._features = load_weights(options.players), new_features()
        self._tree, self._cells = new_tree(14 * most + 200), new_cells(2)

    def play(self, deal: Deal, players: Sequence[Player], seed: int) -> Shares:
        """Play a game; return every seat's share of the victory."""
        cells = State.start(self.options, deal)._cells
        buffer, event = new_scratch(seed), boundary.new_event()
        while cells["phase"][0] != OVER:
            boundary.decide(cells, buffer, self._choose(cells, buffer, players), event)
        winners = Outcome(count_scores(cells)).winners
        return np.bincount(winners, minlength=len(players)) / len(winners)

    def _choose(self, cells: Cells, buffer: npt.NDArray[np.void], players: Sequence[Player]) -> int:
        codes = buffer["codes"][0][: boundary.list_legal(cells, buffer)].tolist()
        if len(codes) == 1:
            return int(codes[0])
        seat = int(cells["seat"][0])
        self._cells[0] = cells[0]
        if not players[seat].sees_all:
            boundary.hide_from(self._cells[:1], seat)
        search = self._tree.search
        reset_tree(search)
        effort = players[seat].iterations
        search_puct(self._cells, buffer, search, self._features, self._weights, effort)
        root = int(search["root"][0])
        return max(children_of(self._tree.nodes, root), key=lambda child: child.visits).code


def shuffled(deal: Deal, seed: int) -> Deal:
    """Return the deal with another order of the pile."""
    order = np.random.default_rng(seed).permutation(len(deal.pile))
    return replace(deal, pile=tuple(deal.pile[i] for i in order))


def play_luck(table: Table, player: Player, number: int, replays: int) -> dict[str, Any]:
    """Return everybody's shares in games of one deal, with one pile and with many."""
    deal = Deal.random(table.options, number)
    everyone = [player] * table.options.players
    seeds = range(1000 * number, 1000 * number + replays)
    one = [table.play(deal, everyone, seed).tolist() for seed in seeds]
    many = [table.play(shuffled(deal, seed), everyone, seed + 500).tolist() for seed in seeds]
    return {"one": one, "many": many}


def play_among(table: Table, player: Player, others: Player, number: int) -> list[float]:
    """Return the shares of one player among others in one deal, in every seat in turn."""
    deal, count = Deal.random(table.options, number), table.options.players
    found = []
    for seat in range(count):
        players = [player if seat == i else others for i in range(count)]
        found.append(float(table.play(deal, players, 1000 * number + seat)[seat]))
    return found


def explained(games: Shares) -> float:
    """Return the share of the variance between deals; games by deal, replay and seat."""
    within = games.var(axis=1, ddof=1).mean()
    return float(1 - within / ((games - 1 / games.shape[2]) ** 2).mean())


def with_interval(figure: Callable[[Shares], float], games: Shares) -> str:
    """Return a figure with its bootstrap interval over deals, in percent."""
    rng = np.random.default_rng(1)
    tries = [figure(games[rng.integers(0, len(games), len(games))]) for _ in range(RESAMPLES)]
    low, high = np.percentile(tries, [2.5, 97.5])
    return f"{100 * figure(games):.0f} % ({100 * low:.0f} to {100 * high:.0f})"


class Journal:
    """Finished deals of one question, kept in a file."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self._file = folder / f"{name}.jsonl" if folder else None
        if folder:
            folder.mkdir(parents=True, exist_ok=True)

    def deals(self, count: int, play: Callable[[int], Any]) -> list[Any]:
        """Return what the first deals gave; those not in the file are played."""
        lines = self._file.read_text().splitlines() if self._file and self._file.exists() else []
        found = [json.loads(line) for line in lines[:count]]
        for number in range(len(found), count):
            found.append(play(number))
            if self._file:
                with self._file.open("a") as file:
                    file.write(json.dumps(found[-1]) + "\n")
        return found


class Ceilings:
    """Measures and prints, for one kind of game."""

    def __init__(self, given: argparse.Namespace, options: Options) -> None:
        self._given, self._options = given, options
        self._kind = "-".join([str(options.players), *options.rules, str(given.iterations)])

    def luck(self) -> None:
        """Print how much of the variance the cards explain."""
        effort, replays = self._given.iterations, self._given.replays
        table, player = Table(self._options, effort), Player(effort)
        journal = Journal(self._given.journal, f"luck-{self._kind}-{replays}")
        deals = journal.deals(
            self._given.deals, lambda number: play_luck(table, player, number, replays)
        )
        for kind, what in (("many", "hands, display, start"), ("one", "these and the pile")):
            found = with_interval(explained, np.array([deal[kind] for deal in deals]))
            print(f"{self._options.players} players: {what} explain {found}", flush=True)

    def omniscient(self) -> None:
        """Print what who sees all cards wins."""
        self._share(
            Player(self._given.iterations, sees_all=True), "who sees all cards", "omniscient"
        )

    def effort(self) -> None:
        """Print what more iterations win."""
        for times in self._given.times:
            player = Player(times * self._given.iterations)
            self._share(player, f"{times} times the iterations", f"effort-{times}")

    def _share(self, player: Player, what: str, name: str) -> None:
        table, others = Table(self._options, player.iterations), Player(self._given.iterations)
        deals = Journal(self._given.journal, f"{name}-{self._kind}").deals(
            self._given.deals, lambda number: play_among(table, player, others, number)
        )
        games = ((number, share) for number, shares in enumerate(deals) for share in shares)
        won, players = Clustered(games).share(), self._options.players
        print(
            f"{players} players, {self._given.iterations} iterations: {what} wins "
            f"{100 * won.value:.1f} % ({100 * won.low:.1f} to {100 * won.high:.1f}) "
            f"of {won.count} games, fair share {100 / players:.0f} %",
            flush=True,
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["luck", "omniscient", "effort"], help="what to measure")
    parser.add_argument(
        "--players", type=int, nargs="+", default=[2, 3, 4, 5], help="numbers of players"
    )
    parser.add_argument("--rules", nargs="*", default=[], help="variants, such as messengers")
    parser.add_argument("--deals", type=int, default=100, help="number of deals to play")
    parser.add_argument(
        "--replays", type=int, default=6, help="how often to replay each deal, to measure luck"
    )
    parser.add_argument("--iterations", type=int, default=100, help="search iterations per turn")
    parser.add_argument(
        "--times", type=int, nargs="+", default=[10, 100], help="how many times the iterations"
    )
    parser.add_argument("--journal", type=Path, help="folder to keep finished deals in")
    given = parser.parse_args()
    for players in given.players:
        getattr(Ceilings(given, Options(players, given.rules)), given.what)()


if __name__ == "__main__":
    main()
