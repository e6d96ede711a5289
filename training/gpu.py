"""Games, examples and matches on a GPU, by the same kernels: one thread per game.

Numba compiles whatever a CUDA kernel calls, so rules, search, value and priors exist once.
Arrays belong to PyTorch, which fits the networks on the same device.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from examples import Examples, places_of, play_again
from match import classic_games
from selfplay import MOST_ASKED, Games, blank_games, deal, play_game, write_result

from patrizier.bots.learned.value import FEATURE_BUFFER, Weights
from patrizier.bots.search.puct import search_type
from patrizier.kernels.gpu import cuda
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.scratch import SCRATCH
from patrizier.rules.state import STATE, Cells

BLOCK = 64  # threads


@cuda.jit
def _play(
    blanks, cells, buffers, trees, features, weights, iterations, seed, first, rotate, guests, vary,
    next_game, codes, tried, lengths, strays, share, points,
):  # fmt: skip
    """Play games; with rotation, a deal is played once with the guest in every seat."""
    thread = cuda.grid(1)
    own = cells[3 * thread : 3 * thread + 3]
    buffer = buffers[thread : thread + 1]
    tree = trees[thread : thread + 1]
    tree[0].room = len(tree[0].nodes)
    players = int(blanks[0].players)
    game = cuda.atomic.add(next_game, 0, 1)
    while game < len(lengths):
        number = first + (game // players if rotate else game)
        own[0] = blanks[number % len(blanks)]
        deal(own, buffer, seed, number)
        guest = game % players if game < guests else -1
        kept = game if game < len(codes) else 0
        n, stray = play_game(
            own, buffer, tree, features[thread : thread + 1], weights, iterations, guest, vary,
            codes[kept], tried[kept],
        )  # fmt: skip
        lengths[game] = n
        strays[game] = stray
        write_result(own, tree, share[game], points[game])
        game = cuda.atomic.add(next_game, 0, 1)


@cuda.jit
def _write_examples(
    blanks, cells, buffers, trees, features, seed, first, every, next_game, codes, tried, strays,
    places, rows, numbers, about, now, parts, visits, share, points,
):  # fmt: skip
    thread = cuda.grid(1)
    own = cells[3 * thread : 3 * thread + 3]
    buffer = buffers[thread : thread + 1]
    game = cuda.atomic.add(next_game, 0, 1)
    while game < len(places):
        own[0] = blanks[(first + game) % len(blanks)]
        deal(own, buffer, seed, first + game)
        play_again(
            own, buffer, trees[thread : thread + 1], features[thread : thread + 1], codes[game],
            tried[game], int(strays[game]), game, every, int(places[game]),
            rows, numbers, about, now, parts, visits, share, points,
        )  # fmt: skip
        game = cuda.atomic.add(next_game, 0, 1)


def _as_records(count: int, kind: np.dtype[np.void]) -> Any:
    """Return zeroed records on the device."""
    return cuda.as_cuda_array(
        torch.zeros(count * kind.itemsize, dtype=torch.uint8, device="cuda")
    ).view(kind)


class Gpu:
    """The memory of all threads."""

    def __init__(self, threads: int, room: int) -> None:
        self.threads = threads // BLOCK * BLOCK
        self.room = room
        self._own = [
            _as_records(3 * self.threads, STATE),
            _as_records(self.threads, SCRATCH),
            _as_records(self.threads, search_type(room)),
            _as_records(self.threads, FEATURE_BUFFER),
        ]

    def _grid(self, games: int) -> tuple[int, int]:
        return min(self.threads, -(-games // BLOCK) * BLOCK) // BLOCK, BLOCK

    def _play(
        self,
        blanks: Cells,
        weights: Weights,
        efforts: tuple[int, int],
        count: int,
        *,
        seed: int,
        first: int,
        rotate: bool,
        guests: int,
        vary: bool,
        kept: int,
        tried: int,
    ) -> list[torch.Tensor]:
        players = int(blanks["players"][0])
        found = [
            torch.zeros(
                (max(1, kept), MOST_ASKED if kept else 0), dtype=torch.uint8, device="cuda"
            ),
            torch.zeros(
                (max(1, kept), MOST_ASKED if tried else 0, MOST_DECISIONS),
                dtype=torch.uint8,
                device="cuda",
            ),
            *(torch.zeros(count, dtype=torch.int32, device="cuda") for _ in range(2)),
            *(torch.zeros((count, players), device="cuda") for _ in range(2)),
        ]
        _play[self._grid(count)](
            cuda.to_device(blanks), *self._own, cuda.to_device(weights),
            cuda.to_device(np.array(efforts)), np.uint64(seed), first, rotate, guests, vary,
            cuda.to_device(np.zeros(1, np.int64)), *found,
        )  # fmt: skip
        cuda.synchronize()
        return found

    def play(
        self,
        players: int,
        weights: Weights,
        count: int,
        *,
        iterations: int,
        seed: int,
        first: int = 0,
        guests: int = 0,
        visits: bool = False,
    ) -> Games:
        """Play some games of a series, as `selfplay.play` does; arrays stay on the device."""
        codes, tried, lengths, strays, _, _ = self._play(
            blank_games(players, seed), np.concatenate([weights, weights]), (iterations, 0), count,
            seed=seed, first=first, rotate=False, guests=guests, vary=True, kept=count,
            tried=count if visits else 0,
        )  # fmt: skip
        return Games(players, seed, iterations, first, lengths, strays, codes, tried)  # type: ignore[arg-type]

    def examples(self, games: Games, every: int) -> Examples:
        """Return examples of games on the device."""
        places, total = places_of(games.lengths.cpu().numpy(), every)  # type: ignore[attr-defined]
        count = len(places)
        kept = games.visits.shape[1] > 0
        shapes = Examples.shapes(games.players, count, total, kept)
        tensors = [torch.zeros(s, dtype=getattr(torch, kind), device="cuda") for s, kind in shapes]
        _write_examples[self._grid(count)](
            cuda.to_device(blank_games(games.players, games.seed)), *self._own,
            np.uint64(games.seed), games.first, every, cuda.to_device(np.zeros(1, np.int64)),
            games.codes, games.visits, games.strays, cuda.to_device(places), *tensors,
        )  # fmt: skip
        cuda.synchronize()
        return Examples(*tensors)

    def match(
        self,
        players: int,
        new: Weights,
        old: Weights,
        deals: int,
        *,
        iterations: int,
        others_iterations: int,
        seed: int,
        first: int = 0,
    ) -> npt.NDArray[np.float32]:
        """Return the share of the new weights in every deal, by seat, as `match.match` does."""
        *_, share, _ = self._play(
            classic_games(players), np.concatenate([old, new]), (others_iterations, iterations),
            deals * players, seed=seed, first=first, rotate=True, guests=deals * players,
            vary=False, kept=0, tried=0,
        )  # fmt: skip
        seats = torch.arange(deals * players, device="cuda") % players
        return share.gather(1, seats[:, None]).reshape(deals, players).cpu().numpy()
