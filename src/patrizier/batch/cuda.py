"""A batch on a GPU: one thread a game, by the same kernels.

Numba compiles what a kernel for CUDA calls anew, so there is one implementation of everything.

Neighbouring threads should use neighbouring memory, but kernels use one record each, byte by byte.
So a block copies the records of its games to its own memory in one piece, works there, and copies
everything back in one piece.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier.batch import dlpack
from patrizier.batch.encoding import encode_row
from patrizier.batch.episode import advance, choose, deal, is_refused, seed_words, show
from patrizier.batch.layout import OBSERVATION
from patrizier.batch.store import MASK, Store, address_of, check_codes
from patrizier.errors import DeviceError
from patrizier.kernels.gpu import cuda
from patrizier.options import Options
from patrizier.rules.board import MAX_PLAYERS
from patrizier.rules.chance import sort_stars
from patrizier.rules.codes import DECISIONS
from patrizier.rules.scratch import SCRATCH
from patrizier.rules.state import STATE, Cells

_GAMES = 32  # of a block, a thread each: what they need fits into a block's memory
_WORD = 8  # bytes copied at once
_STATE_WORDS = _GAMES * STATE.itemsize // _WORD
_ROW_WORDS = _GAMES * OBSERVATION.itemsize // _WORD
_MASK_WORDS = _GAMES * DECISIONS // _WORD
_NONE = np.int64(1 << 62)  # no game refused

try:
    from numba.cuda.cudadrv.error import CudaSupportError
except ImportError:  # the simulator has no driver
    CudaSupportError = RuntimeError


@cuda.jit
def _fill(cells, blank):  # type: ignore[no-untyped-def]
    game = cuda.grid(1)
    if game < len(cells):
        cells[game] = blank[0]


@cuda.jit
def _sort(cells, scratch):  # type: ignore[no-untyped-def]
    sort_stars(scratch[0], cells[0])


@cuda.jit
def _reset(cells, sorted_stars, words, done, points, shares, seed, number):  # type: ignore[no-untyped-def]
    game = cuda.grid(1)
    if game >= len(done):
        return
    scratch = cuda.local.array(1, SCRATCH)
    scratch[0] = sorted_stars[0]
    seed_words(scratch[0], seed, number + game, game, words)
    deal(cells[game], scratch[0], words, game)
    done[game] = False
    for seat in range(points.shape[1]):
        points[game, seat] = 0
        shares[game, seat] = 0.0


@cuda.jit
def _refused(legal_codes, codes, found):  # type: ignore[no-untyped-def]
    game = cuda.grid(1)
    if game < len(codes) and is_refused(game, int(codes[game]), legal_codes):
        cuda.atomic.min(found, 0, game)


@cuda.jit
def _choose(legal_codes, words, codes):  # type: ignore[no-untyped-def]
    game = cuda.grid(1)
    if game < len(codes):
        scratch = cuda.local.array(1, SCRATCH)
        codes[game] = choose(scratch[0], game, legal_codes, words)


@cache
def _stepping(with_rows: bool, with_mask: bool) -> Any:
    """Return the kernel that steps games, or only shows them, and writes these buffers."""
    row_words, mask_words = with_rows * _ROW_WORDS, with_mask * _MASK_WORDS
    row_room, mask_room = max(1, row_words), max(1, mask_words)

    @cuda.jit
    def step(  # type: ignore[no-untyped-def]
        cells, sorted_stars, words, stepped, codes, restart, done, points, shares, seats,
        legal_codes, mask, rows, wide,
    ):  # fmt: skip
        own_cells = cuda.shared.array(_STATE_WORDS, np.uint64)
        own_rows = cuda.shared.array(row_room, np.uint64)
        own_mask = cuda.shared.array(mask_room, np.uint64)
        thread, block = cuda.threadIdx.x, cuda.blockIdx.x
        for i in range(thread, _STATE_WORDS, _GAMES):
            own_cells[i] = cells[block * _STATE_WORDS + i]
        cuda.syncthreads()

        game = cuda.grid(1)
        if game < len(done):
            state = own_cells.view(STATE)[thread]
            scratch = cuda.local.array(1, SCRATCH)
            scratch[0] = sorted_stars[0]
            if stepped:
                table = cuda.local.array((MAX_PLAYERS, 6), np.int64)
                best = cuda.local.array(MAX_PLAYERS, np.int64)
                advance(
                    state, scratch[0], game, words, int(codes[game]), restart, table, best,
                    done, points, shares,
                )  # fmt: skip
            show(
                state, scratch[0], game, seats, legal_codes, thread,
                own_mask[:mask_words].view(MASK),
                own_rows[:row_words].view(OBSERVATION),
            )  # fmt: skip
        cuda.syncthreads()

        for i in range(thread, _STATE_WORDS, _GAMES):
            cells[block * _STATE_WORDS + i] = own_cells[i]
        games = min(_GAMES, len(done) - block * _GAMES)
        _copy(own_rows, rows, block, games, row_words, wide, thread)
        _copy(own_mask, mask, block, games, mask_words, wide, thread)

    return step


@cuda.jit(device=True)
def _copy(own, given, block, games, words, wide, thread):  # type: ignore[no-untyped-def]
    """Copy rows or masks of a block's games from its own memory to the GPU's."""
    first = block * words * _WORD
    if wide and games == _GAMES:
        there = given[first : first + words * _WORD].view(np.uint64)
        for i in range(thread, words, _GAMES):
            there[i] = own[i]
    else:
        here = own.view(np.uint8)
        for i in range(thread, words * _WORD // _GAMES * games, _GAMES):
            given[first + i] = here[i]


@cuda.jit
def _encode(observations, floats):  # type: ignore[no-untyped-def]
    game = cuda.grid(1)
    if game < len(floats):
        encode_row(observations[game], floats[game])


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Turn errors of the driver into a `DeviceError` that says what the GPU could not do."""
    try:
        yield
    except DeviceError:
        raise
    except (cuda.cudadrv.driver.CudaAPIError, CudaSupportError, MemoryError) as error:
        raise DeviceError(f"the GPU cannot {what}: {error}") from error


class Gpu:
    """Runs the kernels over a batch on a GPU."""

    def __init__(self, store: Store, blank: Cells) -> None:
        self._store = store
        self._found = cuda.to_device(np.array([_NONE]))
        self._sorted = _empty((1,), SCRATCH)
        step = _stepping(len(store.rows) > 0, len(store.mask) > 0)
        grid = -(-store.games // _GAMES), _GAMES
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", r".*Grid size")  # a few games are no mistake
            sort, fill = _sort[1, 1], _fill[grid]
            self._reset, self._refused, self._choose = _reset[grid], _refused[grid], _choose[grid]
            self._step, self._encode = step[grid], _encode[grid]
        shown = store.mask.reshape(-1).view(np.uint8), store.observations.reshape(-1)
        self._cells = store.cells.view(np.uint8).view(np.uint64)
        self._shown = (
            store.done, store.points, store.shares, store.seats, store.legal_codes, *shown,
            all(address_of(buffer) % _WORD == 0 for buffer in shown),
        )  # fmt: skip
        fill(store.cells, cuda.to_device(blank))
        sort(store.cells, self._sorted)

    @_told("deal these games")
    def reset(self, seed: int, number: int) -> None:
        """Begin every game anew."""
        it = self._store
        self._reset(
            it.cells, self._sorted, it.words, it.done, it.points, it.shares, np.uint64(seed), number
        )
        self.show()

    @_told("check these codes")
    def refused(self, codes: Any) -> int:
        """Return the first game that refuses its code, or -1."""
        self._refused(self._store.legal_codes, codes, self._found)
        found = int(self._found.copy_to_host()[0])
        if found == _NONE:
            return -1
        self._found.copy_to_device(np.array([_NONE]))
        return found

    @_told("step these games")
    def step(self, codes: Any, restart: bool) -> None:
        """Apply codes that no game refuses, and write all buffers."""
        self._run(True, codes, restart)

    @_told("choose codes")
    def choose(self, codes: Any) -> None:
        """Write a legal code for every game."""
        self._choose(self._store.legal_codes, self._store.words, codes)

    @_told("show these games")
    def show(self) -> None:
        """Write seats, masks and observations of the positions as they are."""
        self._run(False, self._found, False)

    def _run(self, stepped: bool, codes: Any, restart: bool) -> None:
        it = self._store
        self._step(self._cells, self._sorted, it.words, stepped, codes, restart, *self._shown)
        if len(it.floats):
            self._encode(it.observations, it.floats)


class Shared:
    """A buffer on the GPU, to be shared without a copy.

    ``torch.from_dlpack``, ``torch.as_tensor``, ``jax.numpy.from_dlpack`` and ``cupy.asarray``
    take it as it is.
    """

    def __init__(self, array: Any) -> None:
        self.array = array  # Numba's
        self._device = getattr(cuda.current_context().device, "id", 0)  # none in the simulator

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
        return dlpack.CUDA, self._device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,  # the oldest form is always allowed
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        here = self.__dlpack_device__()
        if dl_device not in (None, here):
            if dl_device != (dlpack.CPU, 0) or copy is False:
                raise BufferError(f"this buffer is on the device {here}, not on {dl_device}")
            return self.copy_to_host().__dlpack__()
        if copy:
            with _told("copy this buffer"):
                copied = _empty(self.shape, self.dtype)
                copied.copy_to_device(self.array)
            return Shared(copied).__dlpack__()
        with _told("share this buffer"):
            cuda.synchronize()  # whatever stream the consumer uses, the buffer is written
        return dlpack.capsule(self, address_of(self.array), self.shape, self.dtype, here)

    def copy_to_host(self) -> npt.NDArray[Any]:
        """Return a copy in memory."""
        return fetch(self.array)

    def __len__(self) -> int:
        return self.shape[0]


def _empty(shape: tuple[int, ...], kind: np.dtype[Any]) -> Any:
    return cuda.device_array(shape, kind)


@_told("take a buffer for codes")
def new_codes(games: int) -> Any:
    """Return a buffer for codes."""
    return _empty((games,), np.dtype(np.int64))


@_told("copy its memory")
def fetch(array: Any) -> npt.NDArray[Any]:
    """Return a copy of an array in main memory."""
    found: npt.NDArray[Any] = array.copy_to_host()
    return found


@_told("copy to its memory")
def write(array: Any, values: npt.NDArray[Any]) -> None:
    """Write an array in main memory into one on the GPU."""
    array.copy_to_device(values)


def take_codes(codes: Any, games: int) -> Any:
    """Return codes on the GPU as Numba's array; say what is wrong with them otherwise."""
    array = codes.array if isinstance(codes, Shared) else codes
    if not hasattr(array, "copy_to_host"):
        if getattr(array, "__cuda_array_interface__", None) is None:
            raise TypeError(
                f'this batch is on device="cuda", and these codes are not: {type(codes).__name__}'
            )
        if hasattr(array, "block_until_ready"):  # JAX's, on a stream of its own
            array.block_until_ready()
        array = cuda.as_cuda_array(array)
    check_codes(np.dtype(array.dtype))
    if tuple(array.shape) != (games,):
        raise ValueError(f"{games} games need {games} codes, not {tuple(array.shape)}")
    return array


def set_up(
    options: Options, games: int, unwanted: set[str], given: dict[str, Any]
) -> tuple[Gpu, Store]:
    """Return engine and store of a batch on the GPU; DeviceError says why there is none."""
    with _told(f"take {games:,} games"):
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
        room = -(-games // _GAMES) * _GAMES  # a block copies whole words
        store = Store(games, options.players, unwanted, taken, _empty, room)
        return Gpu(store, options.blank_cells()), store
