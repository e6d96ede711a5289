"""A batch on a GPU: one thread a game, by the same kernels.

Numba compiles what a kernel for CUDA calls anew, so there is one implementation of everything.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.batch import dlpack
from patrizier.batch.encoding import encode_row
from patrizier.batch.episode import advance, choose, deal, is_refused, seed_words, show
from patrizier.batch.store import Store
from patrizier.errors import DeviceError
from patrizier.options import Options
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.chance import sort_stars
from patrizier.rules.scratch import SCRATCH
from patrizier.rules.state import Cells

if not hasattr(np, "row_stack"):  # older releases of numba-cuda ask for it, NumPy has dropped it
    np.row_stack = np.vstack

from numba import cuda

_BLOCK = 64  # threads
_MOST_BLOCKS = 4096  # in flight; a thread goes on to further games
_NONE = np.int64(1 << 62)  # no game refused

try:
    from numba.cuda.cudadrv.error import CudaSupportError
except ImportError:  # the simulator has no driver
    CudaSupportError = RuntimeError


@cuda.jit
def _fill(cells, blank):  # type: ignore[no-untyped-def]
    for game in range(cuda.grid(1), len(cells), cuda.gridsize(1)):
        cells[game] = blank[0]


@cuda.jit
def _reset(cells, scratch, words, done, points, shares, seed, number):  # type: ignore[no-untyped-def]
    thread = cuda.grid(1)
    buffer = scratch[thread]
    sort_stars(buffer, cells[0])
    for game in range(thread, len(cells), cuda.gridsize(1)):
        seed_words(buffer, seed, number + game, game, words)
        deal(cells[game], buffer, words, game)
        done[game] = False
        for seat in range(points.shape[1]):
            points[game, seat] = 0
            shares[game, seat] = 0.0


@cuda.jit
def _refused(cells, scratch, codes, found):  # type: ignore[no-untyped-def]
    thread = cuda.grid(1)
    for game in range(thread, len(cells), cuda.gridsize(1)):
        if is_refused(cells[game], scratch[thread], int(codes[game])):
            cuda.atomic.min(found, 0, game)


@cuda.jit
def _choose(cells, scratch, words, codes):  # type: ignore[no-untyped-def]
    thread = cuda.grid(1)
    for game in range(thread, len(cells), cuda.gridsize(1)):
        codes[game] = choose(cells[game], scratch[thread], words, game)


@cuda.jit
def _step(  # type: ignore[no-untyped-def]
    cells, scratch, words, codes, restart, done, points, shares, seats, mask, rows
):
    thread = cuda.grid(1)
    table = cuda.local.array((MAX_PLAYERS, 6), np.int64)
    best = cuda.local.array(MAX_PLAYERS, np.int64)
    for game in range(thread, len(cells), cuda.gridsize(1)):
        advance(
            cells, scratch[thread], words, game, int(codes[game]), restart, table, best,
            done, points, shares,
        )  # fmt: skip
        show(cells[game], scratch[thread], game, seats, mask, rows)


@cuda.jit
def _show(cells, scratch, seats, mask, rows):  # type: ignore[no-untyped-def]
    thread = cuda.grid(1)
    for game in range(thread, len(cells), cuda.gridsize(1)):
        show(cells[game], scratch[thread], game, seats, mask, rows)


@cuda.jit
def _encode(observations, floats):  # type: ignore[no-untyped-def]
    thread = cuda.grid(1)
    for game in range(thread, len(floats), cuda.gridsize(1)):
        encode_row(observations[game], floats[game])


class Gpu:
    """Runs the kernels over a batch on a GPU."""

    def __init__(self, store: Store, blank: Cells) -> None:
        self._store = store
        blocks = min(_MOST_BLOCKS, -(-store.games // _BLOCK))
        self._grid = blocks, _BLOCK
        self._scratch = _empty((blocks * _BLOCK,), SCRATCH)
        self._found = _empty((1,), np.dtype(np.int64))
        _fill[self._grid](store.cells, cuda.to_device(blank))

    def reset(self, seed: int, number: int) -> None:
        """Begin every game anew."""
        it = self._store
        _reset[self._grid](
            it.cells, self._scratch, it.words, it.done, it.points, it.shares, np.uint64(seed),
            number,
        )  # fmt: skip
        self.show()

    def refused(self, codes: Any) -> int:
        """Return the first game that refuses its code, or -1."""
        self._found.copy_to_device(np.array([_NONE]))
        _refused[self._grid](self._store.cells, self._scratch, codes, self._found)
        found = int(self._found.copy_to_host()[0])
        return -1 if found == _NONE else found

    def step(self, codes: Any, restart: bool) -> None:
        """Apply codes that no game refuses, and write all buffers."""
        it = self._store
        _step[self._grid](
            it.cells, self._scratch, it.words, codes, restart, it.done, it.points, it.shares,
            it.seats, it.mask, it.rows,
        )  # fmt: skip
        self._encode()

    def choose(self, codes: Any) -> None:
        """Write a legal code for every game."""
        _choose[self._grid](self._store.cells, self._scratch, self._store.words, codes)

    def show(self) -> None:
        """Write seats, masks and observations of the positions as they are."""
        it = self._store
        _show[self._grid](it.cells, self._scratch, it.seats, it.mask, it.rows)
        self._encode()

    def _encode(self) -> None:
        it = self._store
        if len(it.floats):
            _encode[self._grid](it.observations, it.floats)


class Shared:
    """A buffer on the GPU, to be shared without a copy.

    ``torch.from_dlpack``, ``torch.as_tensor``, ``jax.numpy.from_dlpack`` and ``cupy.asarray``
    take it as it is.
    """

    def __init__(self, array: Any) -> None:
        self.array = array  # Numba's

    @property
    def shape(self) -> tuple[int, ...]:
        """As NumPy's."""
        shape: tuple[int, ...] = self.array.shape
        return shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """As NumPy's."""
        kind: np.dtype[Any] = self.array.dtype
        return kind

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        face: dict[str, Any] = self.array.__cuda_array_interface__
        return face

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.CUDA, cuda.get_current_device().id

    def __dlpack__(self, *, stream: int | None = None, **_: Any) -> Any:
        cuda.synchronize()  # whatever stream the consumer uses, the buffer is written
        address = self.array.__cuda_array_interface__["data"][0]
        return dlpack.capsule(self, address, self.shape, self.dtype, self.__dlpack_device__())

    def copy_to_host(self) -> npt.NDArray[Any]:
        """Return a copy in memory."""
        found: npt.NDArray[Any] = self.array.copy_to_host()
        return found

    def __len__(self) -> int:
        return self.shape[0]


def _empty(shape: tuple[int, ...], kind: np.dtype[Any]) -> Any:
    return cuda.device_array(shape, kind)


def new_codes(games: int) -> Any:
    """Return a buffer for codes."""
    return _empty((games,), np.dtype(np.int64))


def take_codes(codes: Any, games: int) -> Any:
    """Return codes on the GPU as Numba's array; say what is wrong with them otherwise."""
    array = codes.array if isinstance(codes, Shared) else codes
    if not hasattr(array, "copy_to_host"):
        if getattr(array, "__cuda_array_interface__", None) is None:
            raise TypeError(
                f'this batch is on device="cuda", and these codes are not: {type(codes).__name__}'
            )
        array = cuda.as_cuda_array(array)
    if np.dtype(array.dtype).kind not in "iu":
        raise TypeError(f"codes are whole numbers, not {array.dtype}")
    if tuple(array.shape) != (games,):
        raise ValueError(f"{games} games need {games} codes, not {tuple(array.shape)}")
    return array


def set_up(
    options: Options, games: int, unwanted: set[str], given: dict[str, Any]
) -> tuple[Gpu, Store]:
    """Return engine and store of a batch on the GPU; DeviceError says why there is none."""
    try:
        if not cuda.is_available():
            raise DeviceError('there is no GPU that Numba can use: device="cpu" works everywhere')
        arrays = {
            name: array.array if isinstance(array, Shared) else array
            for name, array in given.items()
        }
        taken = {
            name: array if hasattr(array, "copy_to_host") else cuda.as_cuda_array(array)
            for name, array in arrays.items()
        }
        store = Store(games, options.players, unwanted, taken, _empty)
        return Gpu(store, options.blank_cells()), store
    except (cuda.cudadrv.driver.CudaAPIError, CudaSupportError, MemoryError) as error:
        raise DeviceError(f"the GPU cannot take {games:,} games: {error}") from error
