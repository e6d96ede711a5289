"""The arrays of a batch: positions and random numbers, and the buffers that others read."""

from collections.abc import Callable, Mapping
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from patrizier.batch.layout import FLOATS, OBSERVATION
from patrizier.rules.codes import DECISIONS, MOST_DECISIONS
from patrizier.rules.state import STATE

MASK = np.dtype((np.record, [("legal", "u1", DECISIONS)]))
Empty = Callable[[tuple[int, ...], np.dtype[Any]], Any]  # allocates memory on the device


def buffer_types(players: int) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """Return type and shape of one game's share of each buffer."""
    return {
        "seats": (np.dtype(np.int8), ()),
        "mask": (np.dtype(np.bool_), (DECISIONS,)),
        "observations": (np.dtype(np.uint8), (OBSERVATION.itemsize,)),
        "floats": (np.dtype(np.float32), (FLOATS,)),
        "done": (np.dtype(np.bool_), ()),
        "points": (np.dtype(np.int32), (players,)),
        "shares": (np.dtype(np.float32), (players,)),
    }


class Store:
    """All arrays of a batch, on one device. An unused buffer has no rows."""

    cells: Any  # positions; there may be room for more
    words: Any  # two random generators a game: one deals, the other chooses
    legal_codes: Any  # how many codes are legal now, and which
    seats: Any  # seat to move
    mask: Any  # legal codes
    observations: Any  # as bytes
    floats: Any
    done: Any  # whether the last step ended a game
    points: Any  # points by seat, if it did
    shares: Any
    rows: Any  # the observations as records
    masks: Any  # the masks as records

    def __init__(
        self,
        games: int,
        players: int,
        unwanted: set[str],
        given: Mapping[str, Any],
        empty: Empty,
        room: int,
    ) -> None:
        self.games = games
        self.cells = empty((room,), STATE)
        self.words = empty((games, 2), np.dtype(np.uint64))
        self.legal_codes = empty((games, 1 + MOST_DECISIONS), np.dtype(np.uint8))
        for name, (kind, shape) in buffer_types(players).items():
            rows = 0 if name in unwanted else games
            buffer = given[name] if name in given else empty((rows, *shape), kind)
            setattr(self, name, buffer)
        self.rows = self.observations.reshape(-1).view(OBSERVATION)
        self.masks = self.mask.reshape(-1).view(MASK)


def check_given(
    given: Mapping[str, Any], games: int, players: int, unwanted: set[str], where: str
) -> None:
    """Raise unless these arrays can serve as buffers; ``where`` names the device."""
    types = buffer_types(players)
    for name, array in given.items():
        if name not in types:
            raise ValueError(f"there is no buffer {name!r}: there are {', '.join(types)}")
        if name in unwanted:
            raise ValueError(f"the buffer {name!r} is not written by this batch")
        kind, shape = types[name]
        face = getattr(array, "__cuda_array_interface__", None) if where == "cuda" else None
        found = np.dtype(face["typestr"]) if face else getattr(array, "dtype", None)
        size = tuple(face["shape"]) if face else getattr(array, "shape", None)
        if where == "cuda" and face is None and not hasattr(array, "copy_to_host"):
            raise TypeError(f"the buffer {name!r} is not on the GPU: {type(array).__name__}")
        if where == "cpu" and not isinstance(array, np.ndarray):
            raise TypeError(f"the buffer {name!r} is a {type(array).__name__}, not a NumPy array")
        if found != kind or size != (games, *shape):
            raise ValueError(
                f"the buffer {name!r} is {found} of shape {size}, not {kind} of {(games, *shape)}"
            )
        if where == "cpu" and not (array.flags.c_contiguous and array.flags.writeable):
            raise ValueError(f"the buffer {name!r} is not contiguous, or cannot be written")
        if face and face.get("strides") is not None:
            raise ValueError(f"the buffer {name!r} is not contiguous")
    spans = {name: _span(array) for name, array in given.items()}
    for one, two in combinations(given, 2):
        if spans[one].start < spans[two].stop and spans[two].start < spans[one].stop:
            raise ValueError(f"the buffers {one!r} and {two!r} share memory")


def address_of(array: Any) -> int:
    """Return where an array begins, on any device."""
    return int(_face(array)["data"][0])


def _span(array: Any) -> range:
    """Return the addresses of a contiguous array."""
    face, first = _face(array), address_of(array)
    return range(first, first + prod(face["shape"]) * np.dtype(face["typestr"]).itemsize)


def _face(array: Any) -> dict[str, Any]:
    """Return an array's interface: CUDA's on a GPU, NumPy's in memory and in the simulator."""
    face: dict[str, Any] | None = getattr(array, "__cuda_array_interface__", None)
    return array.__array_interface__ if face is None else face


def check_codes(kind: np.dtype[Any]) -> None:
    """Raise unless these are whole numbers: the highest uint64 would wrap around to -1."""
    if kind.kind not in "iu" or not np.can_cast(kind, np.int64):
        raise TypeError(f"codes are whole numbers that fit into int64, not {kind}")
