"""How records lie in memory: every field where the processor reads it best."""

from typing import Any, TypeAlias

import numpy as np

Field: TypeAlias = tuple[str, Any] | tuple[str, Any, Any]


def aligned_record(*fields: Field) -> np.dtype[np.void]:
    """Return a record type whose fields, also in an array, lie on multiples of their size.

    A graphics processor reads no others. ``np.dtype((np.record, fields), align=True)`` looks as
    if it did this, and does not.

    >>> aligned_record(("one", "i1"), ("eight", "i8")).itemsize
    16
    """
    return np.dtype((np.record, np.dtype(list(fields), align=True)))
