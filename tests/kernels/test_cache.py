"""The cache of compiled code: kept between starts, never stale, never required."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import patrizier
from patrizier.kernels import cache as kernel_cache

PACKAGE = Path(patrizier.__file__).parent

# Points of a seat with one set of portraits and nothing else: `totals` calls into other files.
PROGRAM = """
from numba.core import event
import numpy as np
from patrizier.rules.boundary import tally
from patrizier.rules.state import new_cells

compiled = []
class Listener(event.Listener):
    def on_start(self, event): compiled.append(event.data["dispatcher"])
    def on_end(self, event): pass

cells, table = new_cells(), np.zeros((5, 6), np.int64)
cells["players"] = 2
cells["heads"][0, 0] = [3, 0, 0]
with event.install_listener("numba:compile", Listener()):
    tally(cells, table)
print(table[0, 4], sum(d.stats.cache_misses[s] for d in {tally} for s in d.stats.cache_misses))
"""


# A kernel of somebody else, who calls one of a bot.
OUTSIDE = """
from patrizier.bots.learned.features import stage_of
from patrizier.rules.jit import kernel

@kernel
def stage(left):
    return stage_of(left)

print(stage(1), sum(stage.stats.cache_misses.values()))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package that a test may edit."""
    ignored = shutil.ignore_patterns("static", "docs", "compiled", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "src" / "patrizier", ignore=ignored)
    return tmp_path


def run(copy: Path, cache: Path, *program: str) -> tuple[int, int]:
    """Run a program; return its result, and how often the cache did not help."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy / "src"),
        "PATRIZIER_CACHE_DIR": str(cache),
    }
    environment.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *(program or ("-c", PROGRAM))],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    result, misses = done.stdout.split()
    return int(result), int(misses)


def test_second_start_compiles_nothing_and_an_edit_elsewhere_compiles_anew(copy: Path) -> None:
    cache = copy / "cache"
    assert run(copy, cache) == (6, 1)
    assert run(copy, cache) == (6, 0)
    score = copy / "src" / "patrizier" / "rules" / "score.py"
    score.write_text(score.read_text().replace("SET_POINTS = 6", "SET_POINTS = 7"))
    assert run(copy, cache) == (7, 1)


def test_kernels_of_others_notice_an_edit_in_any_room(copy: Path) -> None:
    outside, cache = copy / "outside.py", copy / "cache"
    outside.write_text(OUTSIDE)
    assert run(copy, cache, str(outside)) == (1, 1)
    assert run(copy, cache, str(outside)) == (1, 0)
    features = copy / "src" / "patrizier" / "bots" / "learned" / "features.py"
    features.write_text(features.read_text().replace("(left + 3) >> 2", "(left + 7) >> 2"))
    assert run(copy, cache, str(outside)) == (2, 1)


def test_kernels_of_a_bot_notice_an_edit_in_its_neighbours_room(copy: Path) -> None:
    cache, bots = copy / "cache", copy / "src" / "patrizier" / "bots"
    (bots / "search" / "probe.py").write_text(OUTSIDE)
    program = ("-c", "import patrizier.bots.search.probe")
    assert run(copy, cache, *program) == (1, 1)
    assert run(copy, cache, *program) == (1, 0)
    features = bots / "learned" / "features.py"
    features.write_text(features.read_text().replace("(left + 3) >> 2", "(left + 7) >> 2"))
    assert run(copy, cache, *program) == (2, 1)


def test_damaged_cache_only_means_compiling_again(copy: Path) -> None:
    cache = copy / "cache"
    run(copy, cache)
    for file in cache.rglob("*.nb[ic]"):
        file.write_bytes(b"torn")
    assert run(copy, cache) == (6, 1)
    assert run(copy, cache) == (6, 0)


def test_unwritable_cache_only_means_compiling_again(copy: Path) -> None:
    cache = copy / "cache"
    cache.write_text("a file where the folder should be")
    assert run(copy, cache)[0] == 6


def test_hash_covers_every_source_of_a_room(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("1")
    (tmp_path / "two.py").write_text("2")
    before = kernel_cache.sources_hash(tmp_path)
    (tmp_path / "two.py").write_text("3")
    assert kernel_cache.sources_hash(tmp_path) != before


def test_old_versions_are_cleared_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATRIZIER_CACHE_DIR", str(tmp_path))
    kernel_cache.cache_folder.cache_clear()
    for age in range(20):
        old = tmp_path / f"kernels-{age}"
        old.mkdir()
        os.utime(old, (age, age))
    try:
        folder = kernel_cache.cache_folder(PACKAGE / "rules")
    finally:
        kernel_cache.cache_folder.cache_clear()
    left = {path.name for path in tmp_path.iterdir()}
    assert folder is not None
    assert folder.name in left
    assert len(left) == 8
    assert "kernels-19" in left
    assert "kernels-0" not in left


@pytest.mark.parametrize("set_to", ["PATRIZIER_CACHE_DIR", "XDG_CACHE_HOME", None])
def test_where_the_cache_lies(
    set_to: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PATRIZIER_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    if set_to:
        monkeypatch.setenv(set_to, str(tmp_path / "there"))
    wanted = {
        "PATRIZIER_CACHE_DIR": tmp_path / "there",
        "XDG_CACHE_HOME": tmp_path / "there" / "patrizier",
        None: tmp_path / ".cache" / "patrizier",
    }
    assert kernel_cache.cache_root() == wanted[set_to]
