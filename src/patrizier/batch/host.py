"""A batch on the CPU: one range of games per thread.

Kernels release the GIL, so plain threads suffice.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.batch.encoding import encode
from patrizier.batch.episode import advance, choose, deal, is_refused, seed_words, show
from patrizier.batch.store import Store
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.chance import sort_stars
from patrizier.rules.jit import kernel
from patrizier.rules.scratch import ScratchBuffer, new_scratch
from patrizier.rules.state import Cells

_FEWEST = 64  # games that are worth a thread


@kernel
def _sort(cells: Cells, buffer: ScratchBuffer) -> None:
    sort_stars(buffer[0], cells[0])


@kernel
def _reset(
    cells: Cells,
    buffer: ScratchBuffer,
    words: npt.NDArray[np.uint64],
    seed: np.uint64,
    number: int,
    first: int,
    end: int,
) -> None:
    for game in range(first, end):
        seed_words(buffer[0], seed, number + game, game, words)
        deal(cells[game], buffer[0], words, game)


@kernel
def _refused(
    legal_codes: npt.NDArray[np.uint8], codes: npt.NDArray[np.int64], first: int, end: int
) -> int:
    """Return the first game that refuses its code, or -1."""
    for game in range(first, end):
        if is_refused(game, codes[game], legal_codes):
            return game
    return -1


@kernel
def _choose(
    buffer: ScratchBuffer,
    legal_codes: npt.NDArray[np.uint8],
    words: npt.NDArray[np.uint64],
    codes: npt.NDArray[np.int64],
    first: int,
    end: int,
) -> None:
    for game in range(first, end):
        codes[game] = choose(buffer[0], game, legal_codes, words)


@kernel
def _show(
    cells: Cells,
    buffer: ScratchBuffer,
    seats: npt.NDArray[np.int8],
    legal_codes: npt.NDArray[np.uint8],
    masks: npt.NDArray[np.void],
    rows: npt.NDArray[np.void],
    first: int,
    end: int,
) -> None:
    for game in range(first, end):
        show(cells[game], buffer[0], game, seats, legal_codes, game, masks, rows)


@kernel
def _step(
    cells: Cells,
    buffer: ScratchBuffer,
    words: npt.NDArray[np.uint64],
    codes: npt.NDArray[np.int64],
    restart: bool,
    done: npt.NDArray[np.bool_],
    points: npt.NDArray[np.int32],
    shares: npt.NDArray[np.float32],
    seats: npt.NDArray[np.int8],
    legal_codes: npt.NDArray[np.uint8],
    masks: npt.NDArray[np.void],
    rows: npt.NDArray[np.void],
    first: int,
    end: int,
) -> None:
    table = np.empty((MAX_PLAYERS, 6), np.int64)
    best = np.empty(MAX_PLAYERS, np.int64)
    for game in range(first, end):
        state = cells[game]
        advance(
            state, buffer[0], game, words, codes[game], restart, table, best, done, points, shares
        )
        show(state, buffer[0], game, seats, legal_codes, game, masks, rows)


class Host:
    """Runs the kernels over a batch in memory."""

    def __init__(self, store: Store, threads: int) -> None:
        self._store = store
        workers = max(1, min(threads, store.games // _FEWEST))
        edges = np.linspace(0, store.games, workers + 1).astype(int).tolist()
        self._ranges = list(pairwise(edges))
        self._pool = ThreadPoolExecutor(workers) if workers > 1 else None
        self._scratch = [new_scratch() for _ in self._ranges]
        for buffer in self._scratch:
            _sort(store.cells, buffer)

    def _each(self, work: Callable[[ScratchBuffer, int, int], Any]) -> list[Any]:
        """Call this for every range of games, in parallel."""
        jobs = [(s, *ends) for s, ends in zip(self._scratch, self._ranges, strict=True)]
        if self._pool is None:
            return [work(*job) for job in jobs]
        return [found.result() for found in [self._pool.submit(work, *job) for job in jobs]]

    def reset(self, seed: int, number: int) -> None:
        """Begin every game anew."""
        it = self._store
        self._each(
            lambda buffer, first, end: _reset(
                it.cells, buffer, it.words, np.uint64(seed), number, first, end
            )
        )
        for rewards in (it.done, it.points, it.shares):
            rewards[:] = 0
        self.show()

    def refused(self, codes: npt.NDArray[np.int64]) -> int:
        """Return the first game that refuses its code, or -1."""
        legal_codes = self._store.legal_codes
        found = self._each(lambda _, first, end: _refused(legal_codes, codes, first, end))
        return min((game for game in found if game >= 0), default=-1)

    def step(self, codes: npt.NDArray[np.int64], restart: bool) -> None:
        """Apply codes that no game refuses, and write all buffers."""
        it = self._store
        shown = (
            it.done,
            it.points,
            it.shares,
            it.seats,
            it.legal_codes,
            it.masks,
            it.rows,
        )

        def work(buffer: ScratchBuffer, first: int, end: int) -> None:
            _step(it.cells, buffer, it.words, codes, restart, *shown, first, end)

        self._each(work)
        self._encode()

    def choose(self, codes: npt.NDArray[np.int64]) -> None:
        """Write a legal code for every game."""
        it = self._store
        self._each(lambda b, first, end: _choose(b, it.legal_codes, it.words, codes, first, end))

    def show(self) -> None:
        """Write seats, masks and observations of the positions as they are."""
        it = self._store
        shown = it.seats, it.legal_codes, it.masks, it.rows
        self._each(lambda buffer, first, end: _show(it.cells, buffer, *shown, first, end))
        self._encode()

    def _encode(self) -> None:
        it = self._store
        if len(it.floats):
            self._each(lambda _, first, end: encode(it.observations, it.floats, first, end))
