"""The server is killed in the middle of play: nothing that anybody heard of is lost.

A few kills here; `scripts/kill_server.py` does two hundred.
"""

import asyncio
import os
from contextlib import ExitStack
from pathlib import Path

from patrizier.server.loadtest.process import ServerProcess
from server.kills import campaign
from server.postgres import Postgres

KILLS = int(os.environ.get("PATRIZIER_TEST_KILLS", "3"))


def test_a_server_with_a_file_may_die_at_any_moment(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        club = asyncio.run(campaign([server], KILLS))
        assert server.errors == []
    assert club.games >= 4
    assert club.acknowledged > 100


def test_servers_that_share_a_database_may_die_at_any_moment(
    tmp_path: Path, postgres: Postgres
) -> None:
    url = asyncio.run(postgres.new_database())
    with ExitStack() as stack:
        servers = [stack.enter_context(ServerProcess(tmp_path, url)) for _ in range(2)]
        club = asyncio.run(campaign(servers, KILLS))
        assert [server.errors for server in servers] == [[], []]
    assert club.games >= 4
