"""Arrays travel by DLPack without a copy, and live as long as somebody uses them."""

import gc

import numpy as np
import pytest

from patrizier.batch import dlpack


class Owner:
    """Some memory, shared as the GPU's arrays are."""

    def __init__(self, array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.CPU, 0

    def __dlpack__(self, **_: object) -> object:
        array = self.array
        where = self.__dlpack_device__()
        return dlpack.capsule(self, array.ctypes.data, array.shape, array.dtype, where)


@pytest.mark.parametrize("kind", ["uint8", "int8", "int32", "int64", "float32", "bool"])
def test_an_array_is_shared_without_a_copy(kind: str) -> None:
    array = np.arange(12).reshape(3, 4).astype(kind)
    shared = np.from_dlpack(Owner(array))  # type: ignore[arg-type]
    assert shared.dtype == array.dtype
    assert np.array_equal(shared, array)
    array[1, 2] = 0
    assert shared[1, 2] == 0


def test_memory_lives_as_long_as_it_is_used() -> None:
    before = len(dlpack._alive)
    shared = np.from_dlpack(Owner(np.ones(5)))  # type: ignore[arg-type]
    gc.collect()
    assert len(dlpack._alive) == before + 1
    assert shared.sum() == 5
    del shared
    gc.collect()
    assert len(dlpack._alive) == before


def test_a_capsule_that_nobody_takes_frees_its_array() -> None:
    before = len(dlpack._alive)
    capsule = Owner(np.ones(5)).__dlpack__()
    assert len(dlpack._alive) == before + 1
    del capsule
    gc.collect()
    assert len(dlpack._alive) == before
