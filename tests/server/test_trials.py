"""Servers are harmed in the middle of play: nothing that anybody heard of is lost.

A few harms here; `scripts/harm_server.py` does hundreds.
"""

import os
from pathlib import Path

import pytest

from server.ordeal import endure
from server.postgres import Postgres

HARMS = int(os.environ.get("PATRIZIER_TEST_HARMS", "3"))


@pytest.mark.parametrize("harms", [("kill",), ("pause", "cut", "clock"), ("disk",)])
def test_a_server_with_a_file_may_be_harmed(tmp_path: Path, harms: tuple[str, ...]) -> None:
    club, errors = endure(tmp_path, harms, HARMS)
    assert errors == []
    assert club.harms == HARMS
    assert club.games >= 4
    assert club.acknowledged > 100


@pytest.mark.parametrize("harms", [("kill",), ("database", "pause", "clock")])
def test_servers_that_share_a_database_may_be_harmed(
    tmp_path: Path, postgres: Postgres, harms: tuple[str, ...]
) -> None:
    club, errors = endure(tmp_path, harms, HARMS, postgres=postgres)
    assert errors == []
    assert club.games >= 4
