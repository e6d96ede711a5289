"""Turns games into examples: features of every seat at a decision, visits, and the result."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from selfplay import MOST_ASKED, NOT_TRIED, Games, blank_games, deal, write_result

from patrizier.bots.learned.features import count_crests
from patrizier.bots.learned.priors import MOST_PARTS, PRIORS, parts_of
from patrizier.bots.learned.value import (
    MOST_ROWS,
    NUMBERS,
    ROWS,
    FeatureBuffer,
    find_inputs,
    new_features,
)
from patrizier.bots.search.puct import new_tree
from patrizier.bots.search.tree import Search
from patrizier.rules.apply import apply
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.jit import kernel
from patrizier.rules.legal import legal
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import OVER, Cells, in_play, new_cells

GAME, SEAT, LEFT, COUNTS = range(4)  # columns of `about`


class Examples(NamedTuple):
    """Examples and their games: NumPy arrays, or tensors on a device."""

    rows: Any  # i4, by distance from the seat to move, padded with ROWS
    numbers: Any  # f4
    about: Any  # i4: game, seat to move, remaining turns, 0 if a later decision was random
    now: Any  # f4, current points, by distance
    parts: Any  # i4, by decision, padded with PRIORS; none without visits
    visits: Any  # i2, -1 where there is no decision
    share: Any  # f4, of the victory, by game and seat
    points: Any  # f4, final, by game and seat

    @classmethod
    def shapes(
        cls, players: int, games: int, examples: int, visits: bool
    ) -> list[tuple[tuple[int, ...], str]]:
        """Return the shape and the dtype of every field."""
        tried = examples if visits else 0
        return [
            ((examples, players, MOST_ROWS), "int32"),
            ((examples, NUMBERS), "float32"),
            ((examples, 4), "int32"),
            ((examples, players), "float32"),
            ((tried, MOST_DECISIONS, MOST_PARTS), "int32"),
            ((tried, MOST_DECISIONS), "int16"),
            ((games, players), "float32"),
            ((games, players), "float32"),
        ]


@kernel
def play_again(
    cells: Cells,
    buffer: ScratchBuffer,
    tree: Search,
    features: FeatureBuffer,
    codes: npt.NDArray[np.uint8],
    tried: npt.NDArray[np.uint8],
    stray: int,
    game: int,
    every: int,
    place: int,
    rows: npt.NDArray[np.int32],
    numbers: npt.NDArray[np.float32],
    about: npt.NDArray[np.int32],
    now: npt.NDArray[np.float32],
    parts: npt.NDArray[np.int32],
    visits: npt.NDArray[np.int16],
    share: npt.NDArray[np.float32],
    points: npt.NDArray[np.float32],
) -> None:
    """Replay a dealt game, and write an example at every few decisions."""
    state = cells[0]
    scratch = buffer[0]
    n = 0
    while state.phase != OVER:
        count = legal(state, scratch)
        if count == 1:
            apply(state, int(scratch.codes[0]))
            continue
        if (n + game) % every == 0:
            _write_seen(cells, features, rows[place], numbers[place], now[place])
            about[place, GAME] = game
            about[place, SEAT] = state.seat
            about[place, LEFT] = in_play(int(state.players)) - int(state.turn)
            about[place, COUNTS] = 1 if n > stray else 0
            if len(parts) > 0:
                _write_tried(
                    cells, buffer, tree, features, tried[n], count, parts[place], visits[place]
                )
            place += 1
        apply(state, int(codes[n]))
        n += 1
    write_result(cells, tree, share[game], points[game])


@kernel
def _write_seen(
    cells: Cells,
    features: FeatureBuffer,
    rows: npt.NDArray[np.int32],
    numbers: npt.NDArray[np.float32],
    now: npt.NDArray[np.float32],
) -> None:
    here = features[0]
    find_inputs(cells[0], here)
    for distance in range(int(cells[0].players)):
        now[distance] = here.points[distance]
        for i in range(MOST_ROWS):
            known = i < here.row_count[distance]
            rows[distance, i] = here.rows[distance, i] if known else ROWS
    for i in range(NUMBERS):
        numbers[i] = here.inputs[i]


@kernel
def _write_tried(
    cells: Cells,
    buffer: ScratchBuffer,
    tree: Search,
    features: FeatureBuffer,
    tried: npt.NDArray[np.uint8],
    count: int,
    parts: npt.NDArray[np.int32],
    visits: npt.NDArray[np.int16],
) -> None:
    here = tree[0]
    count_crests(cells[0], features[0])
    for i in range(MOST_DECISIONS):
        visits[i] = -1
        for part in range(MOST_PARTS):
            parts[i, part] = PRIORS
        if i < count and tried[i] != NOT_TRIED:
            visits[i] = tried[i]
            for part in range(parts_of(cells[0], int(buffer[0].codes[i]), features[0], here.parts)):
                parts[i, part] = here.parts[part]


def places_of(lengths: npt.NDArray[np.int32], every: int) -> tuple[npt.NDArray[np.int64], int]:
    """Return the index of every game's first example, and the number of all examples."""
    firsts = -np.arange(len(lengths)) % every
    ends = np.cumsum((lengths - firsts + every - 1) // every, dtype=np.int64)
    return np.concatenate([[0], ends[:-1]]), int(ends[-1])


def examples_of(games: Games, *, every: int = 2, jobs: int = 1) -> Examples:
    """Return an example for every few decisions, grouped by game."""
    count = len(games.lengths)
    places, total = places_of(games.lengths, every)
    kept = games.visits.shape[1] > 0
    shapes = Examples.shapes(games.players, count, total, kept)
    arrays = [np.zeros(shape, kind) for shape, kind in shapes]
    blanks = blank_games(games.players, games.seed)
    tried = games.visits if kept else np.zeros((count, MOST_ASKED, 0), np.uint8)

    def work(job: int) -> None:
        tree, buffer, cells, features = (
            new_tree(1).search,
            new_scratch(job),
            new_cells(1),
            new_features(),
        )
        for i in range(job, count, jobs):
            number = games.first + i
            cells[0] = blanks[number % len(blanks)]
            deal(cells, buffer, np.uint64(games.seed), number)
            play_again(
                *(cells, buffer, tree, features, games.codes[i], tried[i]),
                *(int(games.strays[i]), i, every, int(places[i]), *arrays),
            )

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, range(jobs)))
    return Examples(*arrays)
