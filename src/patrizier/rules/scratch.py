"""Scratch buffers of the kernels: the random generator's state and working lists.

A record, like the state, because arrays allocated in compiled code are reference-counted at every
call, which costs more than the rules themselves.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from patrizier.rules.board import CARDS
from patrizier.rules.codes import MOST_DECISIONS
from patrizier.rules.layout import aligned_record

SCRATCH = aligned_record(
    ("word", "u8"),  # state of the random generator
    ("codes", "i8", MOST_DECISIONS),  # legal decisions
    ("stars", "i8"),  # how many of the sorted cards carry a star
    ("sorted", "i1", len(CARDS)),  # cards in play, those with a star first
    ("order", "i1", len(CARDS)),  # a deal: hands, display, pile
)

Scratch: TypeAlias = np.record
ScratchBuffer: TypeAlias = npt.NDArray[np.void]  # an array of scratch records, usually of one


def new_scratch(word: int = 0) -> ScratchBuffer:
    """Return a new scratch buffer with this state of the random generator."""
    buffer = np.zeros(1, SCRATCH)
    buffer["word"] = word
    return buffer
