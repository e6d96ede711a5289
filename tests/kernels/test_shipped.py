"""Code that comes with the package: used if everything fits, compiled anew if anything does not."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import patrizier
from patrizier.kernels import shipped

PACKAGE = Path(patrizier.__file__).parent

# Points of a seat with one set of portraits, and how often the kernel had to be compiled.
USE = """
import numpy as np
from patrizier.rules.boundary import tally
from patrizier.rules.state import new_cells

cells, table = new_cells(), np.zeros((5, 6), np.int64)
cells["players"] = 2
cells["heads"][0, 0] = [3, 0, 0]
tally(cells, table)
print(table[0, 4], sum(tally.stats.cache_misses.values()))
"""

BUILD = f"""
import os
from pathlib import Path
from patrizier.kernels import shipped

level = shipped.default_level()
folder = shipped.FOLDER / level
os.environ[shipped.BUILD_INTO], os.environ[shipped.BUILD_FOR] = str(folder), level
shipped.choose_processor(level)
{USE}
shipped.write_manifest(folder, level)
"""


def run(copy: Path, program: str, **environment: str) -> str:
    given = {
        **os.environ,
        "PYTHONPATH": str(copy / "src"),
        "PATRIZIER_CACHE_DIR": str(copy / "cache"),
        **environment,
    }
    given.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env=given,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the code of one kernel."""
    folder = tmp_path_factory.mktemp("built")
    ignored = shutil.ignore_patterns("static", "docs", "compiled", "__pycache__")
    shutil.copytree(PACKAGE, folder / "src" / "patrizier", ignore=ignored)
    assert run(folder, BUILD) == "6 1"
    return folder


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    """A copy of that copy, to be changed."""
    shutil.copytree(built / "src", tmp_path / "src")
    return tmp_path


def compiled(copy: Path) -> Path:
    return copy / "src" / "patrizier" / "kernels" / "compiled"


def change_manifest(copy: Path, key: str, value: str) -> None:
    (manifest,) = compiled(copy).glob(f"*/{shipped.MANIFEST}")
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), key: value}))


def test_what_fits_is_only_read(copy: Path) -> None:
    for folder in (compiled(copy), *compiled(copy).rglob("*")):
        folder.chmod(0o555 if folder.is_dir() else 0o444)
    before = {file: file.stat().st_mtime_ns for file in compiled(copy).rglob("*")}
    assert run(copy, USE) == "6 0"
    assert {file: file.stat().st_mtime_ns for file in compiled(copy).rglob("*")} == before
    assert not (copy / "cache").exists()
    for folder in (compiled(copy), *compiled(copy).rglob("*")):
        folder.chmod(0o755)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("python", "cpython-39"),
        ("numba", "0.1.0"),
        ("llvmlite", "0.1.0"),
        ("llvm", "3.0.0"),
        ("system", "s390x-ibm-linux-gnu"),
        ("level", "a-newer-one"),
    ],
)
def test_code_for_another_machine_or_compiler_is_not_used(copy: Path, key: str, value: str) -> None:
    change_manifest(copy, key, value)
    assert run(copy, USE) == "6 1"
    assert run(copy, USE) == "6 0"  # from the user's cache folder, as without shipped code


def test_code_of_other_sources_is_not_used(copy: Path) -> None:
    score = copy / "src" / "patrizier" / "rules" / "score.py"
    score.write_text(score.read_text().replace("SET_POINTS = 6", "SET_POINTS = 7"))
    assert run(copy, USE) == "7 1"


def test_damaged_code_is_not_used(copy: Path) -> None:
    (file,) = compiled(copy).rglob("tally-*.nbc")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert run(copy, USE) == "6 1"


def test_whoever_names_a_processor_gets_code_for_it(copy: Path) -> None:
    assert run(copy, USE, NUMBA_CPU_NAME="generic") == "6 1"


def test_a_processor_that_lacks_something_is_not_able() -> None:
    present = dict.fromkeys(shipped._V3, True)
    assert shipped.is_able("x86-64-v2", "x86_64", present)
    assert shipped.is_able("x86-64-v3", "x86_64", present)
    present["avx2"] = False
    assert shipped.is_able("x86-64-v2", "x86_64", present)
    assert not shipped.is_able("x86-64-v3", "x86_64", present)
    assert not shipped.is_able("znver4", "x86_64", present)


def test_a_kind_of_processor_without_a_common_level_is_told() -> None:
    with pytest.raises(ValueError, match="vax"):
        shipped.default_level("vax")
