"""Self-play of `mcts`: stores decisions and visit counts.

Most games use the classic deck, some one with shuffled card faces; with and without messengers.
Openings are randomised. In every other game one decision is random, so that unusual positions
occur; positions before it are not used for the value, because the result does not follow from them.

A game is stored as its decisions; `examples` replays them. Kernels here are compiled for CPU and
GPU (`gpu`), so they allocate no memory.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from variety import blank_games

from patrizier.arena.executors import Executor, InProcess, Job, Worker, choose_executor
from patrizier.bots.learned.value import (
    FeatureBuffer,
    Weights,
    load_weights,
    new_features,
    read_weights,
)
from patrizier.bots.search.puct import (
    NO_SEED,
    NOTHING,
    UNNUMBERED,
    new_tree,
    reset_tree,
    search_worlds,
)
from patrizier.bots.search.tree import NONE, Search
from patrizier.rules.apply import apply
from patrizier.rules.chance import below, deal_order, seed_game, sort_stars
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.jit import kernel
from patrizier.rules.legal import legal
from patrizier.rules.playout import playout
from patrizier.rules.score import TOTAL, totals, winners
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import OVER, Cells, in_play, new_cells, set_up
from patrizier.rules.view import fill_in, hide

MOST_ASKED = 160  # maximum number of decisions with a choice in a game
ALL = 250  # visits are stored as shares of this
NOT_TRIED = 255  # a mirrored decision, which the search skips
_VARY = 300  # of a thousand opening decisions: sampled by visits instead of the most visited
_STRETCH = 64  # games of one unit


class Games(NamedTuple):
    """Games of one series. Decisions without a choice are left out."""

    players: int
    seed: int
    iterations: int  # of the search, per decision
    first: int  # the number of the first game in the series
    lengths: npt.NDArray[np.int32]  # decisions, by game
    strays: npt.NDArray[np.int32]  # the random decision, or NONE, by game
    codes: npt.NDArray[np.uint8]  # decisions taken, by game and decision
    visits: npt.NDArray[np.uint8]  # visits of each legal decision; none if not stored

    def save(self, path: Path) -> None:
        """Write the games to a file."""
        np.savez_compressed(path, **self._asdict())

    @classmethod
    def load(cls, path: Path) -> "Games":
        """Read what `save` wrote."""
        with np.load(path) as stored:
            numbers = [int(stored[name]) for name in cls._fields[:4]]
            return cls(*numbers, *(stored[name] for name in cls._fields[4:]))  # type: ignore[arg-type]


@kernel
def deal(cells: Cells, buffer: ScratchBuffer, seed: np.uint64, number: int) -> None:
    """Deal one game of a series into a blank state."""
    sort_stars(buffer[0], cells[0])
    seed_game(buffer[0], seed, number)
    players = int(cells[0].players)
    deal_order(buffer[0], players)
    set_up(cells[0], buffer[0], below(buffer[0], players))


@kernel
def search_by_playouts(cells: Cells, buffer: ScratchBuffer, tree: Search, count: int) -> None:
    """Try the legal decisions in turn by playouts, and count victories as visits."""
    here = tree[0]
    scratch = buffer[0]
    seat = int(cells[0].seat)
    players = int(cells[0].players)
    for i in range(count):
        cells[1] = cells[0]
        fill_in(cells[1], scratch)
        n = legal(cells[1], scratch)
        code = int(scratch.codes[i % n])
        apply(cells[1], code)
        playout(cells[1], scratch)
        totals(cells[1], here.table)
        won = False
        for k in range(winners(players, here.table, here.winners)):
            won |= here.winners[k] == seat
        child = int(here.nodes[here.root].child)
        while child != NONE:
            if won and here.nodes[child].code == code:
                here.nodes[child].visits += 1
            child = int(here.nodes[child].sibling)


@kernel
def play_game(
    cells: Cells,
    buffer: ScratchBuffer,
    tree: Search,
    features: FeatureBuffer,
    weights: Weights,
    iterations: npt.NDArray[np.int64],
    guest: int,
    vary: bool,
    codes: npt.NDArray[np.uint8],
    visits: npt.NDArray[np.uint8],
) -> tuple[int, int]:
    """Play one dealt game; return the number of decisions, and the index of the random one.

    The guest, if there is one, uses the second weights and iterations. Without iterations it
    evaluates its decisions in turn by random playouts, as many as the others have iterations.
    """
    state = cells[0]
    scratch = buffer[0]
    stray = NONE
    turn = 10000  # of the random decision, if there is one
    if vary:
        turn = below(scratch, 2 * in_play(int(state.players)))
    n = 0
    while state.phase != OVER:
        count = legal(state, scratch)
        if count == 1:
            apply(state, int(scratch.codes[0]))
            continue
        cells[1] = state
        hide(cells[1], int(state.seat))
        reset_tree(tree)
        who = 1 if state.seat == guest else 0
        effort = int(iterations[who])
        own = weights[who : who + 1]
        search_worlds(
            cells[1:],
            buffer,
            tree,
            features,
            own,
            NOTHING,
            NO_SEED,
            UNNUMBERED,
            max(1, effort),
        )
        if effort == 0:
            search_by_playouts(cells[1:], buffer, tree, int(iterations[1 - who]))
        count = legal(state, scratch)
        if n < len(visits):
            _write_visits(tree, buffer, count, visits[n])
        if stray == NONE and state.turn >= turn:
            stray = n
            code = int(scratch.codes[below(scratch, count)])
        else:
            code = choose(cells, buffer, tree, vary)
        if n < len(codes):
            codes[n] = code
        apply(state, code)
        n += 1
    return n, stray


@kernel
def write_result(
    cells: Cells, tree: Search, share: npt.NDArray[np.float32], points: npt.NDArray[np.float32]
) -> None:
    """Write every seat's share of victory and points."""
    here = tree[0]
    players = int(cells[0].players)
    totals(cells[0], here.table)
    count = winners(players, here.table, here.winners)
    for seat in range(players):
        points[seat] = here.table[seat, TOTAL]
        share[seat] = 0.0
    for i in range(count):
        share[here.winners[i]] = 1.0 / count


@kernel
def _write_visits(
    tree: Search, buffer: ScratchBuffer, count: int, visits: npt.NDArray[np.uint8]
) -> None:
    """Write each legal decision's share of visits."""
    here = tree[0]
    for i in range(MOST_DECISIONS):
        visits[i] = NOT_TRIED
    total = max(1, tries(tree))
    child = int(here.nodes[here.root].child)
    while child != NONE:
        for i in range(count):
            if buffer[0].codes[i] == here.nodes[child].code:
                visits[i] = here.nodes[child].visits * ALL // total
        child = int(here.nodes[child].sibling)


@kernel
def tries(tree: Search) -> int:
    """Return the visits of all decisions at the root."""
    here = tree[0]
    total = 0
    child = int(here.nodes[here.root].child)
    while child != NONE:
        total += int(here.nodes[child].visits)
        child = int(here.nodes[child].sibling)
    return total


@kernel
def choose(cells: Cells, buffer: ScratchBuffer, tree: Search, vary: bool) -> int:
    """Return the most visited decision; with ``vary``, sometimes another one in the opening."""
    nodes = tree[0].nodes
    state = cells[0]
    scratch = buffer[0]
    opening = vary and state.turn < 5 * int(state.players)
    by_chance = opening and below(scratch, 1000) < _VARY
    mark = below(scratch, max(1, tries(tree)))
    child = int(nodes[tree[0].root].child)
    while child != NONE:
        visits = int(nodes[child].visits)
        if by_chance and mark < visits:
            return int(nodes[child].code)
        mark -= visits
        child = int(nodes[child].sibling)
    return int(nodes[best_child(tree)].code)


@kernel
def best_child(tree: Search) -> int:
    """Return the node of the most visited decision."""
    nodes = tree[0].nodes
    best = child = int(nodes[tree[0].root].child)
    while child != NONE:
        if nodes[child].visits > nodes[best].visits:
            best = child
        child = int(nodes[child].sibling)
    return best


@dataclass(frozen=True)
class SelfPlay(Job[range, Games]):
    """Plays a stretch of a series: a unit is the numbers of its games, counted from ``first``."""

    players: int
    weights: Weights
    iterations: int
    seed: int
    first: int
    guests: int
    visits: bool

    def modules(self) -> Sequence[str]:
        """Return this module, which is not in the package."""
        return ("selfplay",)

    def prepare(self, worker: Worker) -> None:
        """Compile the kernels."""
        for _ in replace(self, iterations=1).run(range(1), worker):
            pass

    def run(self, unit: range, worker: Worker) -> Iterator[Games]:
        """Play the games one after the other."""
        blanks = blank_games(self.players, self.seed)
        both = np.concatenate([self.weights, self.weights])
        efforts = np.array([self.iterations, 0])
        lengths, strays = np.zeros(len(unit), np.int32), np.zeros(len(unit), np.int32)
        codes = np.zeros((len(unit), MOST_ASKED), np.uint8)
        tried = np.zeros((len(unit), MOST_ASKED if self.visits else 0, MOST_DECISIONS), np.uint8)
        tree = new_tree(12 * self.iterations + 100).search
        features, buffer, cells = new_features(), new_scratch(), new_cells(3)
        for row, i in enumerate(unit):
            cells[0] = blanks[(self.first + i) % len(blanks)]
            deal(cells, buffer, np.uint64(self.seed), self.first + i)
            guest = i % self.players if i < self.guests else NONE
            lengths[row], strays[row] = play_game(
                *(cells, buffer, tree, features, both, efforts, guest, True),
                *(codes[row], tried[row]),
            )
        yield Games(
            *(self.players, self.seed, self.iterations, self.first + unit.start),
            *(lengths, strays, codes, tried),
        )


def play(
    players: int,
    weights: Weights,
    count: int,
    *,
    iterations: int = 150,
    executor: Executor | None = None,
    seed: int = 1,
    first: int = 0,
    guests: int = 0,
    visits: bool = True,
) -> Games:
    """Play some games of a series; in the first ``guests`` one seat uses random playouts."""
    job = SelfPlay(players, weights, iterations, seed, first, guests, visits)
    units = (range(i, min(i + _STRETCH, count)) for i in range(0, count, _STRETCH))
    parts = [games for _, found in (executor or InProcess()).run(job, units) for games in found]
    arrays = zip(*(part[4:] for part in parts), strict=True)
    return Games(players, seed, iterations, first, *(np.concatenate(each) for each in arrays))


def main() -> None:
    """Play, and save the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--iterations", type=int, default=150)
    parser.add_argument("--jobs", type=int, help="processes")
    parser.add_argument("--on", default="here", help="here, or ray")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="instead of those in the package")
    parser.add_argument("--guests", type=int, default=0, help="games with a random-playout guest")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    begin = time.monotonic()
    games = play(
        given.players,
        read_weights(given.weights) if given.weights else load_weights(given.players),
        given.games,
        iterations=given.iterations,
        executor=choose_executor(given.on, given.jobs),
        seed=given.seed,
        guests=given.guests,
    )
    games.save(given.out)
    print(
        f"{len(games.lengths)} games, {int(games.lengths.sum())} decisions in {given.out}, "
        f"{time.monotonic() - begin:.0f} s"
    )


if __name__ == "__main__":
    main()
