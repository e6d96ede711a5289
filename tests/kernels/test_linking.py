"""Kernels that other kernels call: linked, not compiled by themselves."""

import numba
import pytest

from patrizier.kernels.linking import Kernel
from patrizier.rules.jit import inner_kernel, kernel

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


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


def test_python_can_call_a_part_all_the_same() -> None:
    assert _twice(21) == 42
    assert _sum_of_twice((1, 2)) == 6
    assert isinstance(_twice, Kernel)
    assert len(_twice.overloads) == 1


def test_a_kernel_may_call_itself() -> None:
    assert _factorial(5) == 120
