"""Warm-up: compiles the searches of an analysis ahead of need; `kernels.preparation` finds it."""

import numpy as np

from patrizier.bots.learned.value import load_weights, new_features
from patrizier.bots.search.puct import SEARCH, search_after, search_open
from patrizier.kernels.preparation import Step
from patrizier.rules.jit import direct
from patrizier.rules.scratch import new_scratch
from patrizier.rules.state import new_cells


def _compile_analysis() -> None:
    search, codes, seed = np.zeros(1, SEARCH), np.zeros(0, np.int64), np.uint64(0)
    room = new_cells(3), new_scratch(), search, new_features(), load_weights(2), codes
    direct(search_after, *room, seed, 0, 1)
    direct(search_open, *room, 0, seed, 1)


STEPS = (Step("analysis", 30.0, _compile_analysis),)
