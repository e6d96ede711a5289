"""Malformed, oversized, foreign and late messages: refused, and nothing else happens.

Some thousand here; `scripts/fuzz_server.py` sends a hundred thousand.
"""

import asyncio
import os
from pathlib import Path

from patrizier.server.loadtest.process import ServerProcess
from server.support.fuzz_clients import fuzz_requests, fuzz_sockets

MESSAGES = int(os.environ.get("PATRIZIER_TEST_MESSAGES", "3000"))


def surprises(server: ServerProcess) -> list[str]:
    """Return errors in the log, without the web server's about invalid UTF-8."""
    return [line for line in server.errors if "Invalid UTF-8 sequence" not in line]


def test_no_message_breaks_a_server(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        answers = asyncio.run(fuzz_sockets(server.url, MESSAGES, seed=1))
        assert surprises(server) == []
    refused = sum(count for kind, count in answers.counts.items() if kind.startswith("refused"))
    assert refused > MESSAGES / 2
    codes = {kind.removeprefix("refused ") for kind in answers.counts}
    assert codes >= {"invalid", "foreign", "stale", "unknown", "closed", "not-allowed", "illegal"}


def test_no_request_breaks_a_server(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        statuses = asyncio.run(fuzz_requests(server.url, MESSAGES // 3, seed=1))
        assert surprises(server) == []
    assert set(statuses) >= {200, 403, 404, 405, 409, 413, 422}, statuses
