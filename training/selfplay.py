"""Let `mcts` play itself, and keep the games: what was decided, and what the search tried.

Most games are played with the classic deck, some with the faces of its cards shuffled, with and
without messengers. Openings are varied by chance. In every other game one decision is taken at
random, so that strange positions are seen as well; what happened before it says nothing about who
ought to win, and does not count for the value.

A game is kept as its decisions, some 400 bytes; `examples` plays them again.
"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from patrizier.bots.learned.value import (
    FeatureBuffer,
    Weights,
    load_weights,
    new_features,
    read_weights,
)
from patrizier.bots.search.puct import new_tree, plant, search_puct
from patrizier.bots.search.tree import NONE, Search
from patrizier.options import Options
from patrizier.rules.apply import apply
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.chance import below, deal_order, seed_game, sort_stars
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.deck import Deck
from patrizier.rules.legal import legal
from patrizier.rules.playout import playout
from patrizier.rules.score import totals, winners
from patrizier.rules.scratch import Desk, new_desk
from patrizier.rules.state import OVER, Cells, in_play, new_cells, set_up
from patrizier.rules.view import fill_in, hide

VARIANTS: tuple[tuple[str, ...], ...] = (
    *((), (), ()),
    *(("messengers",), ("messengers",)),
    ("messengers", "messenger-at-built-city"),
)
kernel = numba.njit(nogil=True, error_model="numpy")  # not kept: it would miss edits in the bots

MOST_ASKED = 250  # decisions of one game
ALL = 250  # visits are kept as shares of this
NOT_TRIED = 255  # a mirrored decision, which the search leaves out
_VARY = 300  # of a thousand decisions in the opening: by visits, not the most tried
_OTHER_DECK = 5  # one game of so many has another deck


class Games(NamedTuple):
    """Games of one series, one after the other. Decisions without a choice are left out."""

    players: int
    seed: int
    numbers: npt.NDArray[np.int32]  # which game of the series, by game
    lengths: npt.NDArray[np.int32]  # decisions, by game
    strays: npt.NDArray[np.int32]  # the decision taken at random, or NONE, by game
    codes: npt.NDArray[np.uint16]  # what was decided, by decision
    counts: npt.NDArray[np.uint8]  # how many decisions were legal, by decision
    visits: npt.NDArray[np.uint8]  # how often each of them was tried

    def save(self, path: Path) -> None:
        """Write the games to a file."""
        np.savez_compressed(path, **self._asdict())

    @classmethod
    def load(cls, path: Path) -> "Games":
        """Read what `save` wrote."""
        with np.load(path) as stored:
            arrays = [stored[name] for name in cls._fields[2:]]
            return cls(int(stored["players"]), int(stored["seed"]), *arrays)


def shuffled_deck(rng: np.random.Generator) -> Deck:
    """Return the classic deck with the faces of one crest dealt anew; Pistoia keeps its own."""
    faces = {card: face.text for card, face in Deck.classic().faces}
    cards = [card for card, face in faces.items() if face != "2" and card[:2] != "PI"]
    dealt = [faces[cards[i]] for i in rng.permutation(len(cards))]
    return Deck.of("shuffled", {**faces, **dict(zip(cards, dealt, strict=True))})


def blank_game(players: int, seed: int, number: int) -> Cells:
    """Return a state with the rules and the deck of one game of a series."""
    rng = np.random.default_rng([seed, number])
    deck = None if rng.integers(_OTHER_DECK) else shuffled_deck(rng)
    return Options(players, VARIANTS[rng.integers(len(VARIANTS))], deck).blank_cells()


@kernel
def deal(cells: Cells, desk: Desk, seed: np.uint64, number: int) -> None:
    """Deal one game of a series to a blank state."""
    sort_stars(desk[0], cells[0])
    seed_game(desk[0], seed, number)
    players = int(cells[0].players)
    deal_order(desk[0], players)
    set_up(cells[0], desk[0], below(desk[0], players))


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
    features: FeatureBuffer,
    weights: Weights,
    iterations: int,
    playouts: bool,
    codes: npt.NDArray[np.uint16],
    counts: npt.NDArray[np.uint8],
    visits: npt.NDArray[np.uint8],
) -> tuple[int, int]:
    """Play one game that has been dealt; return its decisions, and which was taken at random."""
    state = cells[0]
    scratch = desk[0]
    turn = below(scratch, 2 * in_play(int(state.players)))  # of a random decision, if there is one
    stray = NONE
    order = np.zeros(MOST_DECISIONS, np.int64)
    n = 0
    while state.phase != OVER:
        count = legal(state, scratch)
        if count == 1:
            apply(state, int(scratch.codes[0]))
            continue
        for i in range(count):
            order[i] = scratch.codes[i]
        cells[1] = state
        hide(cells[1], int(state.seat))
        plant(tree)
        search_puct(cells[1:], desk, tree, features, weights, 1 if playouts else iterations)
        if playouts:
            search_by_playouts(cells[1:], desk, tree, iterations)
        counts[n] = count
        _write_visits(tree, order[:count], visits[n])
        if stray == NONE and state.turn >= turn:
            stray = n
            codes[n] = order[below(scratch, count)]
        else:
            codes[n] = choose(cells, desk, tree)
        apply(state, int(codes[n]))
        n += 1
    return n, stray


@kernel
def _write_visits(
    tree: Search, order: npt.NDArray[np.int64], visits: npt.NDArray[np.uint8]
) -> None:
    """Write how often each legal decision was tried, as a share."""
    nodes = tree[0].nodes
    visits[: len(order)] = NOT_TRIED
    total = 0
    for add_up in (True, False):
        child = int(nodes[tree[0].root].child)
        while child != NONE:
            if add_up:
                total += int(nodes[child].visits)
            else:
                for i in range(len(order)):
                    if order[i] == nodes[child].code:
                        visits[i] = nodes[child].visits * ALL // max(1, total)
            child = int(nodes[child].sibling)


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


def play(
    players: int,
    weights: Weights,
    seconds: float,
    *,
    iterations: int = 150,
    jobs: int = 1,
    seed: int = 1,
    playouts: bool = False,
) -> Games:
    """Play until the time is up."""

    def work(job: int, end: float) -> list[tuple[npt.NDArray[np.generic], ...]]:
        tree = new_tree(12 * iterations + 100).search
        features, desk, cells = new_features(), new_desk(job), new_cells(3)
        codes, counts = np.zeros(MOST_ASKED, np.uint16), np.zeros(MOST_ASKED, np.uint8)
        visits = np.zeros((MOST_ASKED, MOST_DECISIONS), np.uint8)
        games, number = [], job
        while not games or time.monotonic() < end:
            cells[0] = blank_game(players, seed, number)[0]
            deal(cells, desk, np.uint64(seed), number)
            n, stray = play_game(
                *(cells, desk, tree, features, weights, iterations, playouts, codes, counts, visits)
            )
            asked = np.arange(MOST_DECISIONS) < counts[:n, None]
            heads = (np.array([x], np.int32) for x in (number, n, stray))
            games.append((*heads, codes[:n].copy(), counts[:n].copy(), visits[:n][asked]))
            number += jobs
        return games

    work(0, 0.0)  # compiles everything once
    end = time.monotonic() + seconds
    with ThreadPoolExecutor(jobs) as pool:
        games = [
            game for part in pool.map(lambda job: work(job, end), range(jobs)) for game in part
        ]
    return Games(players, seed, *(np.concatenate(parts) for parts in zip(*games, strict=True)))


def main() -> None:
    """Play, and save the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--iterations", type=int, default=150)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="instead of those in the package")
    parser.add_argument("--playouts", action="store_true", help="random playouts, no weights")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    games = play(
        given.players,
        read_weights(given.weights) if given.weights else load_weights(given.players),
        given.seconds,
        iterations=given.iterations,
        jobs=given.jobs,
        seed=given.seed,
        playouts=given.playouts,
    )
    games.save(given.out)
    print(f"{len(games.numbers)} games, {len(games.codes)} decisions in {given.out}")


if __name__ == "__main__":
    main()
