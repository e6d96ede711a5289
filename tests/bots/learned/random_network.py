"""A network of random numbers, as a file of the training would have it."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from patrizier.bots.learned.inputs import BUILDS, CITY, FACE
from patrizier.bots.learned.network import HIDDEN, SEATS, TABLE_WIDTH, WIDTH
from patrizier.rules.board import MAX_PLAYERS

Arrays = dict[str, npt.NDArray[np.float32]]

# Outputs and inputs of each layer, and whether it has biases.
_W, _T = WIDTH, TABLE_WIDTH
LAYERS = {
    "city": (_W, CITY, True),
    "card": (2 * _W, FACE, True),
    "goal": (_W, _W, True),
    "place": (_W, _W, False),
    "table": (_T, SEATS, True),
    "gather": (_T, 3 * _W, False),
    "keep": (_W, _W, True),
    "lying": (_W, _W, False),
    "named": (_W, _W, False),
    "tell": (_W, _T, False),
    "sum": (_T, _W, True),
    "think": (_T, _T, False),
    "judge": (2 * MAX_PLAYERS, _T, True),
    "rank": (MAX_PLAYERS * MAX_PLAYERS, _T, True),
    "play_card": (HIDDEN, _W, True),
    "play_city": (HIDDEN, _W, False),
    "play_table": (HIDDEN, _T, False),
    "play": (BUILDS, HIDDEN, True),
    "act": (4, _W, True),
    "pass_by": (2, _T, True),
    "take": (2 * MAX_PLAYERS, _W, True),
}


def random_arrays(seed: int) -> Arrays:
    """Return the weights of a network; sums over many cities and cards stay small."""
    rng, found = np.random.default_rng(seed), {}
    for name, (outputs, inputs, biased) in LAYERS.items():
        spread = (0.3 if name in ("gather", "sum", "table") else 1.0) / np.sqrt(inputs)
        found[f"{name}.weight"] = rng.normal(0, spread, (outputs, inputs)).astype(np.float32)
        if biased:
            found[f"{name}.bias"] = rng.normal(0, 0.1, outputs).astype(np.float32)
    return found


def write_network(arrays: Arrays, path: Path, kind: str = "f4") -> Path:
    """Write a file; return its path."""
    np.savez_compressed(path, **{name: a.astype(kind) for name, a in arrays.items()})  # type: ignore[arg-type,unused-ignore]
    return path
