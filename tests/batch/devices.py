"""Where the tests of this room run: on the processor, on a simulated GPU, or on a real one.

`test_cuda.py` runs this room's tests a second time with `NUMBA_ENABLE_CUDASIM=1`. Where there is a
GPU, `PATRIZIER_TEST_GPU=1` runs them on it.
"""

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from patrizier import Options
from patrizier.batch import Batch
from patrizier.batch.store import buffer_types
from support.kinds import RULES, STARRY

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
DEVICE = "cuda" if SIMULATED or os.environ.get("PATRIZIER_TEST_GPU") == "1" else "cpu"
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
GAMES = 3 if SLOW else 40
STEPS = 12 if SLOW else 150

KINDS = [
    *(Options(players, rules) for players in (2, 3, 4, 5) for rules in (RULES[0], RULES[2])),
    Options(3, RULES[4]),
    Options(5, RULES[2], STARRY),
]


def new_batch(options: Options, games: int = GAMES, seed: int = 1, **settings: Any) -> Batch:
    """Return a batch on the device of this run."""
    settings = {"device": DEVICE, "threads": 1, **settings}
    return Batch(games, options.players, options.rules, options.deck, seed, **settings)


def host(array: Any) -> npt.NDArray[Any]:
    """Return a copy of a buffer in memory."""
    return array.copy_to_host() if hasattr(array, "copy_to_host") else np.array(array)


def buffers(batch: Batch) -> dict[str, npt.NDArray[Any]]:
    """Return copies of all buffers."""
    return {name: host(getattr(batch, name)) for name in buffer_types(batch.options.players)}


def codes_for(batch: Batch, codes: npt.NDArray[np.int64]) -> Any:
    """Return codes where the batch takes them from."""
    if batch.device == "cpu":
        return codes
    from numba import cuda

    return cuda.to_device(codes)


def same(one: Batch, two: Batch) -> None:
    """Two batches are equal in all that can be seen and all that is to come."""
    assert one._cells(0, one.games).tobytes() == two._cells(0, two.games).tobytes()
    assert host(one._store.words).tobytes() == host(two._store.words).tobytes()
    first, second = buffers(one), buffers(two)
    for name, array in first.items():
        assert np.array_equal(array, second[name]), name
