"""Memory layout of records: aligned fields."""

from typing import Any, TypeAlias

import numpy as np

Field: TypeAlias = tuple[str, Any] | tuple[str, Any, Any]


def aligned_record(*fields: Field) -> np.dtype[np.void]:
    """Return a record type whose fields are aligned, also in an array.

    GPUs require that. ``np.dtype((np.record, fields), align=True)`` seems to do it, but does not.

    >>> aligned_record(("one", "i1"), ("eight", "i8")).itemsize
    16
    """
    return np.dtype((np.record, np.dtype(list(fields), align=True)))
