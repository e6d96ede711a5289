"""From bytes to floats: numbers are scaled, choices one-hot encoded, bits unpacked.

Floats are computed from the bytes alone, so they reveal nothing more.
"""

import numpy as np
import numpy.typing as npt

from patrizier.batch.layout import BITS, CHOICE, FIELDS, FLOATS, OBSERVATION
from patrizier.rules.jit import inner_kernel, kernel

_NUMBER, _CHOICE, _BITS = range(3)
_KIND_OF = {CHOICE: _CHOICE, BITS: _BITS}

_KINDS = np.array([_KIND_OF.get(f.kind, _NUMBER) for f in FIELDS for _ in range(f.size)])
_HIGH = np.array([field.high for field in FIELDS for _ in range(field.size)])
_WIDTH = np.array([field.each for field in FIELDS for _ in range(field.size)])
_BYTES = OBSERVATION.itemsize


@inner_kernel
def encode_row(row: npt.NDArray[np.uint8], out: npt.NDArray[np.float32]) -> None:
    """Write the floats of one observation."""
    for i in range(FLOATS):
        out[i] = 0.0
    first = 0
    for byte in range(_BYTES):
        value = int(row[byte])
        kind = _KINDS[byte]
        if kind == _NUMBER:
            out[first] = value / _HIGH[byte]
        elif kind == _CHOICE:
            if value > 0:
                out[first + value - 1] = 1.0
        else:
            for bit in range(_WIDTH[byte]):
                out[first + bit] = value >> bit & 1
        first += _WIDTH[byte]


@kernel
def encode(rows: npt.NDArray[np.uint8], out: npt.NDArray[np.float32], first: int, end: int) -> None:
    """Write the floats of the observations from ``first`` to before ``end``."""
    for row in range(first, end):
        encode_row(rows[row], out[row])
