"""Compiled code that comes with the package: read-only, and used only if everything fits.

A wheel for a platform has a folder of it for each processor level; `build` makes it. A folder fits
if Python, Numba, LLVM and the system are exactly the same, and this processor has every feature of
the level. Within it, code is found by a hash of the sources, the function and its types; a damaged
file is ignored.
"""

import hashlib
import json
import os
import pickle
import platform
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from llvmlite import binding as llvm
from numba.core import serialize
from numba.core.compiler import CompileResult

FOLDER = Path(__file__).parent / "compiled"
MANIFEST = "manifest.json"
BUILD_INTO = "PATRIZIER_BUILD_KERNELS_INTO"  # the folder of a level: compile for it, load nothing
BUILD_FOR = "PATRIZIER_BUILD_KERNELS_FOR"  # that level

_HASH = hashlib.sha256
_V2 = {"cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"}
_V3 = {*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}
# The features that each level requires, as LLVM names both. A machine's first level is shipped.
_LEVELS = {
    "x86_64": {"x86-64-v2": _V2, "x86-64-v3": _V3},
    "aarch64": {"generic": {"neon"}},
    "arm64": {"generic": {"neon"}},
}


@dataclass(frozen=True)
class Fit:
    """All that compiled code depends on, beside its sources."""

    python: str  # implementation, version and ABI
    numba: str
    llvmlite: str
    llvm: str
    system: str  # LLVM's triple without the version of the system
    level: str  # LLVM's name of the processor


def present_fit(level: str) -> Fit:
    """Return what fits here, for one level."""
    return Fit(
        python=f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}",
        numba=numba.__version__,
        llvmlite=llvmlite.__version__,
        llvm=".".join(map(str, llvm.llvm_version_info)),
        system=llvm.get_process_triple().rstrip("0123456789."),
        level=level,
    )


def host() -> str:
    """Return LLVM's name of this very processor, with its features."""
    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def this_machine() -> str:
    """Return the kind of this machine's processor."""
    machine = platform.machine().lower()
    return "x86_64" if machine == "amd64" else machine


def default_level(machine: str | None = None) -> str:
    """Return the level to build for on a kind of machine: one that nearly all of them have."""
    machine = machine or this_machine()
    if machine not in _LEVELS:
        raise ValueError(f"there is no common level for this kind of processor: {machine}")
    return next(iter(_LEVELS[machine]))


def is_able(
    level: str, machine: str | None = None, features: Mapping[str, bool] | None = None
) -> bool:
    """Whether a processor, by default this one, has every feature of a level."""
    needed = _LEVELS.get(machine or this_machine(), {}).get(level)
    if needed is None:
        return False
    present = llvm.get_host_cpu_features() if features is None else features
    return all(present.get(feature, False) for feature in needed)


@cache
def fitting_folder() -> Path | None:
    """Return the folder of shipped code that fits here; None: compile."""
    if numba.config.CPU_NAME or numba.config.CPU_FEATURES or numba.config.BOUNDSCHECK:
        return None  # the user has configured how Numba compiles
    for manifest in sorted(FOLDER.glob(f"*/{MANIFEST}"), reverse=True):  # the newest level first
        try:
            told = json.loads(manifest.read_text())
            fits = told == asdict(present_fit(told["level"])) and is_able(told["level"])
        except (OSError, ValueError, KeyError, TypeError, RuntimeError):  # unreadable, or unknown
            continue
        if fits:
            return manifest.parent
    return None


def is_being_built() -> bool:
    """Whether this process compiles code to be shipped."""
    return BUILD_INTO in os.environ


def choose_processor(level: str) -> None:
    """Compile for this level from now on; Numba must not have compiled anything yet."""
    numba.config.CPU_NAME, numba.config.CPU_FEATURES = level, ""


def write_manifest(folder: Path, level: str) -> None:
    """Record what a folder of compiled code depends on; from now on the folder can be used."""
    (folder / MANIFEST).write_text(json.dumps(asdict(present_fit(level)), indent=2) + "\n")


def load(function: Any, sources: str, sig: Any, target_context: Any) -> Any:
    """Return the shipped code of a function for a signature; None if there is none that fits."""
    folder = None if is_being_built() else fitting_folder()
    if folder is None or function.__closure__:
        return None
    try:
        content = (folder / sources / _file_name(function, sig)).read_bytes()
        digest, payload = content[: _HASH().digest_size], content[_HASH().digest_size :]
        if _HASH(payload).digest() != digest:
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(payload))
    except Exception:  # whatever it is: it can be compiled
        return None


def save(function: Any, sources: str, sig: Any, compiled: Any) -> None:
    """Write the code of a function for a signature into the folder that is being built."""
    if function.__closure__ or compiled.lifted or compiled.library.has_dynamic_globals:
        return
    folder = Path(os.environ[BUILD_INTO]) / sources
    folder.mkdir(parents=True, exist_ok=True)
    payload = serialize.dumps(compiled._reduce())
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        file.write(_HASH(payload).digest() + payload)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(folder / _file_name(function, sig))


def _file_name(function: Any, sig: Any) -> str:
    key = f"{function.__module__}.{function.__qualname__}{sig}".encode()
    return f"{function.__name__}-{_HASH(key + function.__code__.co_code).hexdigest()[:24]}.nbc"
