"""A plugin for pytest that notes how long every test file takes: `pytest -p support.durations`.

`make test` uses it; `scripts/choose_tests.py` reads the notes. Where more workers run than there
are cores, each test takes longer, as they share the cores: noted is its share of one core.
"""

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "artefacts" / "durations.json"

_seconds: defaultdict[str, float] = defaultdict(float)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add what a test took, its setup and teardown included."""
    _seconds[report.nodeid.partition("::")[0]] += report.duration


def share_of_a_core(workers: int, cores: int | None = None) -> float:
    """Return the part of a core that each of these workers has."""
    return min(1.0, (cores or os.cpu_count() or 1) / workers)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the notes beside those of earlier runs; workers of xdist leave that to their head."""
    if not _seconds or hasattr(session.config, "workerinput"):
        return
    known = json.loads(FILE.read_text("utf-8")) if FILE.is_file() else {}
    share = share_of_a_core(len(session.config.getoption("tx", None) or [""]))
    known |= {file: round(seconds * share, 2) for file, seconds in _seconds.items()}
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", "utf-8")
