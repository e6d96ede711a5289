"""Kernels that other kernels call: linked, not compiled by themselves."""

from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
import pytest

from patrizier.kernels.linker import Kernel
from patrizier.rules.jit import inner_kernel, kernel

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


@pytest.fixture(autouse=True, scope="module")
def nothing_is_cached(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What an earlier run has compiled would only be loaded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATRIZIER_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@inner_kernel
def _twice(number: int) -> int:
    return 2 * number


@kernel
def _sum_of_twice(numbers: tuple[int, int]) -> int:
    return _twice(numbers[0]) + _twice(numbers[1])


@kernel
def _factorial(number: int) -> int:
    return 1 if number < 2 else number * _factorial(number - 1)


def test_a_part_has_no_code_of_its_own() -> None:
    assert isinstance(_twice, Kernel)
    assert _sum_of_twice((3, 4)) == 14
    assert not _twice.overloads
    assert isinstance(_sum_of_twice, Kernel)
    assert len(_sum_of_twice.overloads) == 1


@kernel
def _sum_of_widths(narrow: Any, wide: int) -> int:
    return _twice(narrow) + _twice(wide) + _twice(7)


def test_a_part_is_translated_once_for_all_widths_and_constants() -> None:
    assert _sum_of_widths(np.int8(100), 1) == 216  # 200 is too much for 8 bits
    assert isinstance(_twice, Kernel)
    assert _twice.nopython_signatures == [numba.int64(numba.int64)]


def test_python_can_call_a_part_all_the_same() -> None:
    assert _twice(21) == 42
    assert _sum_of_twice((1, 2)) == 6
    assert isinstance(_twice, Kernel)
    assert len(_twice.overloads) == 1


def test_a_kernel_may_call_itself() -> None:
    assert _factorial(5) == 120
