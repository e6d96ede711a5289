"""Decorators for compiled functions; `kernels` compiles them and keeps the code."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np

from patrizier.kernels.cache import KernelCache
from patrizier.kernels.linker import Kernel

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function, unless ``NUMBA_DISABLE_JIT=1``."""
    return _compile(function)


def inner_kernel(function: F) -> F:
    """Compile a function with forced inlining: for the steps of hot loops."""
    return _compile(function, forceinline=True)


def blending_kernel(function: F) -> F:
    """Compile a function with fast math: sums may be reordered and vectorised."""
    return _compile(function, fastmath=True)


def blending_inner_kernel(function: F) -> F:
    """Compile a function with fast math and forced inlining: LLVM sees how long its arrays are."""
    return _compile(function, forceinline=True, fastmath=True)


def wrapping_kernel(function: F) -> F:
    """Compile a function whose unsigned arithmetic is meant to wrap around.

    Compiled code always wraps; NumPy would warn in plain Python.
    """
    compiled = inner_kernel(function)
    return np.errstate(over="ignore")(compiled) if numba.config.DISABLE_JIT else compiled


def _compile(function: F, **settings: bool) -> F:
    if numba.config.DISABLE_JIT:
        return function
    options = {
        "nopython": True,
        "boundscheck": None,
        "error_model": "numpy",
        "nogil": True,
        **settings,
    }
    compiled = Kernel(function, targetoptions=options)
    compiled._cache = KernelCache(function)
    return compiled  # type: ignore[return-value,unused-ignore]


def direct(function: F, *arguments: Any) -> F:
    """Return the compiled form for arguments of exactly these types.

    It skips Numba's type dispatch, which is half of a short call. Only for callers that
    never pass other types: nothing is checked.
    """
    if numba.config.DISABLE_JIT:
        return function
    types = tuple(numba.typeof(argument) for argument in arguments)
    return function.compile(types)  # type: ignore[attr-defined,no-any-return]
