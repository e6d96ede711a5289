"""DLPack: arrays that other libraries take over without a copy, whatever device they are on.

NumPy's arrays can do this by themselves; those of Numba on a GPU cannot. The structures are those
of `dlpack.h`; the capsule keeps the array alive until its consumer releases it.
"""

import ctypes
from typing import Any

import numpy as np

CPU, CUDA = 1, 2  # kinds of devices
_KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}
_NAME = b"dltensor"


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),  # null: contiguous
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    pass


_DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (
    ("tensor", _Tensor),
    ("context", ctypes.c_void_p),
    ("deleter", _DELETER),
)

_alive: dict[int, tuple[Any, ...]] = {}  # by the address of the structure


@_DELETER  # type: ignore[untyped-decorator]
def _let_go(managed: Any) -> None:
    _alive.pop(ctypes.addressof(managed.contents), None)


_DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@_DESTRUCTOR  # type: ignore[untyped-decorator]
def _unused(capsule: int) -> None:
    """Free an unconsumed capsule: a consumer would have renamed it."""
    api = ctypes.pythonapi
    if api.PyCapsule_IsValid(ctypes.c_void_p(capsule), _NAME):
        _alive.pop(api.PyCapsule_GetPointer(ctypes.c_void_p(capsule), _NAME), None)


ctypes.pythonapi.PyCapsule_New.restype = ctypes.py_object
ctypes.pythonapi.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, _DESTRUCTOR)
ctypes.pythonapi.PyCapsule_GetPointer.restype = ctypes.c_void_p
ctypes.pythonapi.PyCapsule_GetPointer.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
ctypes.pythonapi.PyCapsule_IsValid.argtypes = (ctypes.c_void_p, ctypes.c_char_p)


def capsule(
    owner: object,
    address: int,
    shape: tuple[int, ...],
    kind: np.dtype[Any],
    device: tuple[int, int],
) -> Any:
    """Return a DLPack capsule of contiguous memory that ``owner`` keeps."""
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    tensor = _Tensor(
        address, *device, len(shape), _KINDS[kind.kind], 8 * kind.itemsize, 1, sizes, None, 0
    )
    managed = _Managed(tensor, None, _let_go)
    _alive[ctypes.addressof(managed)] = (managed, sizes, owner)
    return ctypes.pythonapi.PyCapsule_New(ctypes.addressof(managed), _NAME, _unused)
