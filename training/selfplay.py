"""Let `mcts` play itself, and keep what it saw, tried and got as examples.

Most games are played with the classic deck, some with the faces of its cards shuffled, with and
without messengers. Openings are varied by chance. In every other game one decision is taken at
random, so that strange positions are seen as well; what happened before it says nothing about who
ought to win, and does not count for the value.
"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import numpy.typing as npt

from patrizier.bots.mcts_search import MARGINS, new_tree, plant, search_wisely
from patrizier.bots.pictures import count_crests
from patrizier.bots.prior import MOST_PARTS, PRIORS, parts_of
from patrizier.bots.tree import NONE, Search
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
from patrizier.rules.deck import Deck
from patrizier.rules.legal import legal
from patrizier.rules.playout import playout
from patrizier.rules.score import TOTAL, totals, winners
from patrizier.rules.scratch import Desk, new_desk
from patrizier.rules.state import OVER, Cells, in_play, new_cells, set_up
from patrizier.rules.view import fill_in, hide

VARIANTS: tuple[tuple[str, ...], ...] = (
    *((), (), ()),
    *(("messengers",), ("messengers",)),
    ("messengers", "messenger-at-built-city"),
)
kernel = numba.njit(nogil=True, error_model="numpy")  # not kept: it would miss edits in the bots

MOST_EXAMPLES = 250  # of one game
_VARY = 300  # of a thousand decisions in the opening: by visits, not the most tried
_OTHER_DECK = 5  # one game of so many has another deck

EXAMPLE = np.dtype(
    (
        np.record,
        [
            ("rows", "u2", (MAX_PLAYERS, MOST_ROWS)),  # the seat to move first, filled up with ROWS
            ("numbers", "f4", NUMBERS),
            ("parts", "u2", (MOST_DECISIONS, MOST_PARTS)),  # filled up with PRIORS
            ("visits", "i4", MOST_DECISIONS),  # -1 where there is no decision
            ("left", "i4"),  # turns to come
            ("seat", "i1"),
            ("counts", "i1"),  # 0 if what came later was left to chance
            ("now", "f4", MAX_PLAYERS),  # points at this moment
            ("points", "f4", MAX_PLAYERS),  # points won later
            ("share", "f4", MAX_PLAYERS),  # of the victory
            ("hope", "f4", MAX_PLAYERS),  # the share the search expected
        ],
    ),
    align=True,
)
Examples = npt.NDArray[np.void]


def shuffled_deck(rng: np.random.Generator) -> Deck:
    """Return the classic deck with the faces of one crest dealt anew; Pistoia keeps its own."""
    faces = {card: face.text for card, face in Deck.classic().faces}
    cards = [card for card, face in faces.items() if face != "2" and card[:2] != "PI"]
    dealt = [faces[cards[i]] for i in rng.permutation(len(cards))]
    return Deck.of("shuffled", {**faces, **dict(zip(cards, dealt, strict=True))})


@kernel
def search_by_playouts(cells: Cells, desk: Desk, tree: Search, count: int) -> None:
    """Try the decisions at hand in turn, and count victories as visits: for the first round."""
    nodes = tree[0].nodes
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
        child = int(nodes[tree[0].root].child)
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
    tree: Search,
    sight: Sight,
    weights: Weights,
    iterations: int,
    playouts: bool,
    seed: np.uint64,
    number: int,
    examples: Examples,
) -> int:
    """Play one game; return the number of examples."""
    state = cells[0]
    scratch = desk[0]
    players = int(state.players)
    sort_stars(scratch, state)
    seed_game(scratch, seed, number)
    deal_order(scratch, players)
    set_up(state, scratch, below(scratch, players))
    stray = below(scratch, 2 * in_play(players))  # the turn of a random decision, if there is one
    n = 0
    while state.phase != OVER:
        count = legal(state, scratch)
        if count == 1:
            apply(state, int(scratch.codes[0]))
            continue
        cells[1] = state
        hide(cells[1], int(state.seat))
        plant(tree)
        search_wisely(cells[1:], desk, tree, sight, weights, 1 if playouts else iterations)
        if playouts:
            search_by_playouts(cells[1:], desk, tree, iterations)
        write_down(cells, sight, tree, examples[n])
        n += 1
        if state.turn >= stray:
            stray = 1000
            for i in range(n):
                examples[i].counts = 0
            legal(state, scratch)
            apply(state, int(scratch.codes[below(scratch, count)]))
        else:
            apply(state, choose(cells, desk, tree))
    table = np.zeros((MAX_PLAYERS, 6), np.int64)
    best = np.zeros(MAX_PLAYERS, np.int64)
    totals(state, table)
    count = winners(players, table, best)
    for i in range(n):
        for distance in range(players):
            seat = (int(examples[i].seat) + distance) % players
            examples[i].points[distance] = table[seat, TOTAL] - examples[i].now[distance]
            examples[i].share[distance] = 0.0
            for k in range(count):
                if best[k] == seat:
                    examples[i].share[distance] = 1.0 / count
    return n


@kernel
def choose(cells: Cells, desk: Desk, tree: Search) -> int:
    """Return the most tried decision; in the opening now and then another one."""
    nodes = tree[0].nodes
    state = cells[0]
    scratch = desk[0]
    opening = state.turn < 5 * int(state.players)
    by_chance = opening and below(scratch, 1000) < _VARY
    total = 0
    child = int(nodes[tree[0].root].child)
    while child != NONE:
        total += int(nodes[child].visits)
        child = int(nodes[child].sibling)
    mark = below(scratch, max(1, total))
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
    """Return the node of the most tried decision."""
    nodes = tree[0].nodes
    best = child = int(nodes[tree[0].root].child)
    while child != NONE:
        if nodes[child].visits > nodes[best].visits:
            best = child
        child = int(nodes[child].sibling)
    return best


@kernel
def write_down(cells: Cells, sight: Sight, tree: Search, example: np.record) -> None:
    """Write what is seen here, and what the search tried and expects."""
    state = cells[0]
    here = sight[0]
    players = int(state.players)
    look(state, here)
    example.seat = state.seat
    example.left = in_play(players) - int(state.turn)
    example.counts = 1
    nodes = tree[0].nodes
    search = tree[0]
    root = nodes[search.root]
    result = search.results[search.root]
    total = 0.0
    for seat in range(players):
        total += result.points[seat] / root.visits
    for distance in range(players):
        example.now[distance] = here.points[distance]
        seat = (int(state.seat) + distance) % players
        points = result.points[seat] / root.visits
        ahead = points - (total - points) / (players - 1)
        example.hope[distance] = result.reward[seat] / root.visits - MARGINS[players] * ahead
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
    child = int(root.child)
    while child != NONE and n < MOST_DECISIONS:
        example.visits[n] = nodes[child].visits
        for part in range(parts_of(state, int(nodes[child].code), here, search.parts)):
            example.parts[n, part] = search.parts[part]
        n += 1
        child = int(nodes[child].sibling)


def play(
    players: int,
    weights: Weights,
    seconds: float,
    *,
    iterations: int = 400,
    jobs: int = 1,
    seed: int = 1,
    playouts: bool = False,
) -> Examples:
    """Play until the time is up; return all examples, those of one game together."""

    def work(job: int, end: float) -> Examples:
        tree = new_tree(12 * iterations + 100).search
        sight, desk, cells = new_sight(), new_desk(job), new_cells(3)
        room = np.zeros(MOST_EXAMPLES, EXAMPLE)
        games, number = [], job
        while not games or time.monotonic() < end:
            rng = np.random.default_rng([seed, number])
            deck = None if rng.integers(_OTHER_DECK) else shuffled_deck(rng)
            rules = VARIANTS[rng.integers(len(VARIANTS))]
            cells[0] = Options(players, rules, deck).blank_cells()[0]
            n = play_game(
                *(cells, desk, tree, sight, weights, iterations),
                *(playouts, np.uint64(seed), number, room),
            )
            games.append(room[:n].copy())
            number += jobs
        return np.concatenate(games)

    work(0, 0.0)  # compiles everything once
    end = time.monotonic() + seconds
    with ThreadPoolExecutor(jobs) as pool:
        examples = np.concatenate(list(pool.map(lambda job: work(job, end), range(jobs))))
    examples["now"] *= POINTS
    examples["points"] *= POINTS
    return examples


def main() -> None:
    """Play, and save the examples."""
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
    examples = play(
        given.players,
        read_weights(given.weights) if given.weights else load_weights(given.players),
        given.seconds,
        iterations=given.iterations,
        jobs=given.jobs,
        seed=given.seed,
        playouts=given.playouts,
    )
    np.savez_compressed(given.out, examples=examples)
    print(f"{len(examples)} examples in {given.out}")


if __name__ == "__main__":
    main()
