"""The GPU's side: this room's tests once more on a simulated one, and the same games on both."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}

COMPARE = """
import numpy as np
from batch.devices import KINDS, buffers, codes_for, host, new_batch

for kind, options in enumerate(KINDS):
    games = 5 if kind else 35  # more than a block's once
    both = [new_batch(options, games, 3, device=d, observation="floats") for d in ("cpu", "cuda")]
    for step in range(12 if kind else 4):
        shown = [buffers(batch) for batch in both]
        for name, array in shown[0].items():
            assert np.array_equal(array, shown[1][name]), (options, step, name)
        codes = [host(batch.random_codes()) for batch in both]
        assert np.array_equal(*codes)
        for batch in both:
            batch.step(codes_for(batch, codes[0]))
    assert both[0].to_bytes() == both[1].to_bytes()
"""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **SIMULATOR, "PYTHONPATH": str(HERE.parent)}
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, timeout=900
    )


def test_all_of_it_on_a_simulated_gpu() -> None:
    files = [
        str(HERE / name) for name in ("test_batch.py", "test_copies.py", "test_observation.py")
    ]
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert " passed" in done.stdout


def test_the_same_games_on_both_devices() -> None:
    done = run("-c", COMPARE)
    assert done.returncode == 0, done.stderr[-3000:]
