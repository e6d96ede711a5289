"""Fault injection during play: nothing that a client was told is lost.

A few faults here; `scripts/inject_faults.py` injects hundreds.
"""

import os
from pathlib import Path

import pytest

from server.support.fault_injection import inject_faults
from server.support.postgres import Postgres

FAULTS = int(os.environ.get("PATRIZIER_TEST_FAULTS", "3"))


@pytest.mark.parametrize("faults", [("kill",), ("pause", "cut", "clock"), ("disk",)])
def test_a_server_on_sqlite_survives(tmp_path: Path, faults: tuple[str, ...]) -> None:
    clients, errors = inject_faults(tmp_path, faults, FAULTS)
    assert errors == []
    assert clients.faults == FAULTS
    assert clients.games >= 4
    assert clients.acknowledged > 100


@pytest.mark.parametrize("faults", [("kill",), ("database", "pause", "clock")])
def test_servers_that_share_a_database_survive(
    tmp_path: Path, postgres: Postgres, faults: tuple[str, ...]
) -> None:
    clients, errors = inject_faults(tmp_path, faults, FAULTS, postgres=postgres)
    assert errors == []
    assert clients.games >= 4
