"""Turn games into examples: what every seat saw at each decision, what was tried, who won."""

from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from selfplay import NOT_TRIED, Games, blank_game, deal, kernel

from patrizier.bots.learned.features import count_crests
from patrizier.bots.learned.priors import MOST_PARTS, PRIORS, parts_of
from patrizier.bots.learned.value import (
    MOST_ROWS,
    NUMBERS,
    POINTS,
    ROWS,
    FeatureBuffer,
    look,
    new_features,
)
from patrizier.rules.apply import apply
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.legal import legal
from patrizier.rules.score import TOTAL, totals, winners
from patrizier.rules.scratch import Desk, new_desk
from patrizier.rules.state import OVER, Cells, in_play, new_cells

EXAMPLE = np.dtype(
    (
        np.record,
        [
            ("rows", "i4", (MAX_PLAYERS, MOST_ROWS)),  # the seat to move first, filled up with ROWS
            ("numbers", "f4", NUMBERS),
            ("parts", "u2", (MOST_DECISIONS, MOST_PARTS)),  # filled up with PRIORS
            ("visits", "i2", MOST_DECISIONS),  # -1 where there is no decision
            ("left", "i4"),  # turns to come
            ("seat", "i1"),
            ("counts", "i1"),  # 0 if what came later was left to chance
            ("now", "f4", MAX_PLAYERS),  # points at this moment
            ("points", "f4", MAX_PLAYERS),  # points won later
            ("share", "f4", MAX_PLAYERS),  # of the victory
        ],
    ),
    align=True,
)
Examples: TypeAlias = npt.NDArray[np.void]


@kernel
def play_again(
    cells: Cells,
    desk: Desk,
    features: FeatureBuffer,
    codes: npt.NDArray[np.uint16],
    visits: npt.NDArray[np.uint8],
    stray: int,
    first: int,
    every: int,
    examples: Examples,
) -> None:
    """Play a game that has been dealt, and write an example at every few decisions."""
    state = cells[0]
    scratch = desk[0]
    n = 0
    tried = 0
    written = 0
    while state.phase != OVER:
        count = legal(state, scratch)
        if count == 1:
            apply(state, int(scratch.codes[0]))
            continue
        if n >= first and (n - first) % every == 0:
            example = examples[written]
            example.counts = 1 if n > stray else 0
            _write_seen(cells, features, example)
            _write_tried(cells, desk, features, visits[tried : tried + count], example)
            written += 1
        tried += count
        apply(state, int(codes[n]))
        n += 1
    _write_end(cells, examples[:written])


@kernel
def _write_seen(cells: Cells, features: FeatureBuffer, example: np.record) -> None:
    state = cells[0]
    here = features[0]
    players = int(state.players)
    look(state, here)
    example.seat = state.seat
    example.left = in_play(players) - int(state.turn)
    for distance in range(players):
        example.now[distance] = here.points[distance]
        for i in range(MOST_ROWS):
            known = i < here.seen[distance]
            example.rows[distance, i] = here.rows[distance, i] if known else ROWS
    for i in range(NUMBERS):
        example.numbers[i] = here.inputs[i]


@kernel
def _write_tried(
    cells: Cells,
    desk: Desk,
    features: FeatureBuffer,
    visits: npt.NDArray[np.uint8],
    example: np.record,
) -> None:
    state = cells[0]
    parts = np.zeros(MOST_PARTS, np.int32)
    count_crests(state, features[0])
    for i in range(MOST_DECISIONS):
        example.visits[i] = -1
        for part in range(MOST_PARTS):
            example.parts[i, part] = PRIORS
        if i < len(visits) and visits[i] != NOT_TRIED:
            example.visits[i] = visits[i]
            for part in range(parts_of(state, int(desk[0].codes[i]), features[0], parts)):
                example.parts[i, part] = parts[part]


@kernel
def _write_end(cells: Cells, examples: Examples) -> None:
    """Write what came of it all."""
    players = int(cells[0].players)
    table = np.zeros((MAX_PLAYERS, 6), np.int64)
    best = np.zeros(MAX_PLAYERS, np.int64)
    totals(cells[0], table)
    count = winners(players, table, best)
    for i in range(len(examples)):
        for distance in range(players):
            seat = (int(examples[i].seat) + distance) % players
            examples[i].points[distance] = table[seat, TOTAL] - examples[i].now[distance]
            examples[i].share[distance] = 0.0
            for k in range(count):
                if best[k] == seat:
                    examples[i].share[distance] = 1.0 / count


def examples_of(games: Games, *, every: int = 2, jobs: int = 1) -> Examples:
    """Return an example for every few decisions, those of one game together."""
    firsts = np.arange(len(games.numbers)) % every
    written = (games.lengths - firsts + every - 1) // every
    ends, stops = np.cumsum(games.lengths), np.cumsum(written)
    tried = np.concatenate([[0], np.cumsum(games.counts, dtype=np.int64)])
    examples = np.zeros(int(stops[-1]), EXAMPLE)

    def work(job: int) -> None:
        desk, cells, features = new_desk(job), new_cells(1), new_features()
        for i in range(job, len(games.numbers), jobs):
            number, end = int(games.numbers[i]), int(ends[i])
            begin = end - int(games.lengths[i])
            cells[0] = blank_game(games.players, games.seed, number)[0]
            deal(cells, desk, np.uint64(games.seed), number)
            play_again(
                *(cells, desk, features, games.codes[begin:end]),
                *(games.visits[tried[begin] : tried[end]], int(games.strays[i])),
                *(int(firsts[i]), every, examples[stops[i] - written[i] : stops[i]]),
            )

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, range(jobs)))
    examples["now"] *= POINTS
    examples["points"] *= POINTS
    return examples
