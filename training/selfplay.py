"""Let `mcts` play itself, and write what it saw, tried and got as examples."""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import numpy.typing as npt

from patrizier.bots.mcts_search import new_tree, plant, search_wisely
from patrizier.bots.pictures import count_crests
from patrizier.bots.prior import MOST_PARTS, PRIORS, parts_of
from patrizier.bots.tree import NONE, Nodes, Search
from patrizier.bots.value import (
    MOST_ROWS,
    NUMBERS,
    POINTS,
    ROWS,
    Sight,
    Weights,
    load_weights,
    look,
    new_sight,
    read_weights,
)
from patrizier.options import Options
from patrizier.rules.apply import apply
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.chance import below, deal_order, seed_game, sort_stars
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.legal import legal
from patrizier.rules.playout import playout
from patrizier.rules.score import TOTAL, totals, winners
from patrizier.rules.scratch import Desk, new_desk
from patrizier.rules.state import OVER, Cells, new_cells, set_up
from patrizier.rules.view import fill_in, hide

VARIANTS: tuple[tuple[str, ...], ...] = (
    *((), (), ()),
    *(("messengers",), ("messengers",)),
    ("messengers", "messenger-at-built-city"),
)
kernel = numba.njit(nogil=True, error_model="numpy")  # not kept: it would miss edits in the bots

MOST_EXAMPLES = 250  # of one game
_STRAY, _VARY = 30, 300  # of a thousand decisions: at random; in the opening, by visits


def example_type(players: int) -> np.dtype[np.void]:
    """Return what is written down of a decision. The seat to move comes first."""
    return np.dtype(
        (
            np.record,
            [
                ("rows", "u2", (players, MOST_ROWS)),  # filled up with ROWS
                ("numbers", "f4", NUMBERS),
                ("parts", "u2", (MOST_DECISIONS, MOST_PARTS)),  # filled up with PRIORS
                ("visits", "i4", MOST_DECISIONS),  # -1 where there is no decision
                ("seat", "i1"),
                ("points", "f4", players),  # at this moment, then those won later
                ("share", "f4", players),
            ],
        )
    )


@kernel
def search_by_playouts(cells: Cells, desk: Desk, nodes: Nodes, search: Search, count: int) -> None:
    """Try the decisions at hand in turn, and count victories as visits: for the first round."""
    scratch = desk[0]
    table = np.zeros((MAX_PLAYERS, 6), np.int64)
    best = np.zeros(MAX_PLAYERS, np.int64)
    seat = int(cells[0].seat)
    players = int(cells[0].players)
    for i in range(count):
        cells[1] = cells[0]
        fill_in(cells[1], scratch)
        n = legal(cells[1], scratch)
        code = int(scratch.codes[i % n])
        apply(cells[1], code)
        playout(cells[1], scratch)
        totals(cells[1], table)
        child = int(nodes[search[0].root].child)
        while child != NONE:
            if nodes[child].code == code:
                for winner in best[: winners(players, table, best)]:
                    if winner == seat:
                        nodes[child].visits += 1
            child = int(nodes[child].sibling)


@kernel
def play_game(
    cells: Cells,
    desk: Desk,
    nodes: Nodes,
    search: Search,
    sight: Sight,
    weights: Weights,
    iterations: int,
    playouts: bool,
    seed: np.uint64,
    number: int,
    examples: npt.NDArray[np.void],
) -> int:
    """Play one game; return the number of examples."""
    state = cells[0]
    scratch = desk[0]
    players = int(state.players)
    sort_stars(scratch, state)
    seed_game(scratch, seed, number)
    deal_order(scratch, players)
    set_up(state, scratch, below(scratch, players))
    n = 0
    while state.phase != OVER:
        if legal(state, scratch) == 1:
            apply(state, int(scratch.codes[0]))
            continue
        cells[1] = state
        hide(cells[1], int(state.seat))
        plant(nodes, search)
        search_wisely(cells[1:], desk, nodes, search, sight, weights, 1 if playouts else iterations)
        if playouts:
            search_by_playouts(cells[1:], desk, nodes, search, iterations)
        write_down(cells, sight, nodes, search, examples[n])
        n += 1
        apply(state, choose(cells, desk, nodes, search))
    table = np.zeros((MAX_PLAYERS, 6), np.int64)
    best = np.zeros(MAX_PLAYERS, np.int64)
    totals(state, table)
    count = winners(players, table, best)
    for i in range(n):
        for distance in range(players):
            seat = (int(examples[i].seat) + distance) % players
            examples[i].points[distance] = table[seat, TOTAL] - examples[i].points[distance]
            examples[i].share[distance] = 0.0
            for k in range(count):
                if best[k] == seat:
                    examples[i].share[distance] = 1.0 / count
    return n


@kernel
def choose(cells: Cells, desk: Desk, nodes: Nodes, search: Search) -> int:
    """Return the most tried decision; now and then another one, so that games differ."""
    state = cells[0]
    scratch = desk[0]
    n = legal(state, scratch)
    if below(scratch, 1000) < _STRAY:
        return int(scratch.codes[below(scratch, n)])
    opening = state.turn < 5 * int(state.players)
    by_chance = opening and below(scratch, 1000) < _VARY
    total = 0
    child = int(nodes[search[0].root].child)
    while child != NONE:
        total += int(nodes[child].visits)
        child = int(nodes[child].sibling)
    mark = below(scratch, max(1, total))
    most = -1
    chosen = int(scratch.codes[0])
    child = int(nodes[search[0].root].child)
    while child != NONE:
        visits = int(nodes[child].visits)
        if by_chance and mark < visits:
            return int(nodes[child].code)
        mark -= visits
        if visits > most:
            most = visits
            chosen = int(nodes[child].code)
        child = int(nodes[child].sibling)
    return chosen


@kernel
def write_down(
    cells: Cells, sight: Sight, nodes: Nodes, search: Search, example: np.record
) -> None:
    """Write what is seen here, and what the search tried."""
    state = cells[0]
    here = sight[0]
    look(state, here)
    example.seat = state.seat
    for distance in range(int(state.players)):
        example.points[distance] = here.points[distance]
        for i in range(MOST_ROWS):
            known = i < here.seen[distance]
            example.rows[distance, i] = here.rows[distance, i] if known else ROWS
    for i in range(NUMBERS):
        example.numbers[i] = here.inputs[i]
    count_crests(state, here)
    for i in range(MOST_DECISIONS):
        example.visits[i] = -1
        for part in range(MOST_PARTS):
            example.parts[i, part] = PRIORS
    n = 0
    child = int(nodes[search[0].root].child)
    while child != NONE and n < MOST_DECISIONS:
        example.visits[n] = nodes[child].visits
        for part in range(parts_of(state, int(nodes[child].code), here, search[0].parts)):
            example.parts[n, part] = search[0].parts[part]
        n += 1
        child = int(nodes[child].sibling)


def main() -> None:
    """Play until the time is up, and save the examples."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="instead of those in the package")
    parser.add_argument("--playouts", action="store_true", help="random playouts, no weights")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    weights = read_weights(given.weights) if given.weights else load_weights(given.players)

    def work(job: int, end: float) -> npt.NDArray[np.void]:
        nodes, search = new_tree(12 * given.iterations + 100)
        sight, desk, cells = new_sight(), new_desk(job), new_cells(3)
        room = np.zeros(MOST_EXAMPLES, example_type(given.players))
        games, number = [], job
        while not games or time.monotonic() < end:
            options = Options(given.players, VARIANTS[number % len(VARIANTS)])
            cells[0] = options.blank_cells()[0]
            n = play_game(
                *(cells, desk, nodes, search, sight, weights, given.iterations),
                *(given.playouts, np.uint64(given.seed), number, room),
            )
            games.append(room[:n].copy())
            number += given.jobs
        return np.concatenate(games)

    work(0, 0.0)  # compiles everything once
    end = time.monotonic() + given.seconds
    with ThreadPoolExecutor(given.jobs) as pool:
        examples = np.concatenate(list(pool.map(lambda job: work(job, end), range(given.jobs))))
    examples["points"] *= POINTS
    np.savez_compressed(given.out, examples=examples)
    print(f"{len(examples)} examples in {given.out}")


if __name__ == "__main__":
    main()
