import socket
import subprocess
import sys

import pytest

from patrizier.server.connections.roster import Roster
from patrizier.server.process import configure, listen, roster_of
from patrizier.server.settings import Settings


def test_answers_are_sent_at_once() -> None:
    with listen(Settings(port=0)) as listener:
        # asyncio sets TCP_NODELAY only on sockets that name their protocol.
        assert listener.proto == socket.IPPROTO_TCP


def test_both_kinds_of_addresses_can_be_listened_on() -> None:
    with listen(Settings(host="::1", port=0)) as listener:
        assert listener.family == socket.AF_INET6


def test_the_web_server_trusts_nobody_and_tells_little() -> None:
    config = configure(Settings(max_message=2048), lambda: None, Roster(9, 9))
    assert config.ws_max_size == 2048
    assert not config.proxy_headers
    assert not config.access_log
    assert not config.server_header


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_there_are_never_more_connections_than_the_system_allows() -> None:
    code = """
import resource
from patrizier.server.process import RESERVED, roster_of
from patrizier.server.settings import Settings
resource.setrlimit(resource.RLIMIT_NOFILE, (300, 1000))
assert roster_of(Settings(max_connections=2000)).most == 1000 - RESERVED
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (1000, 1000)  # as many as it may be
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
assert roster_of(Settings(max_connections=2000)).most == 1
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_one_network_may_have_some_connections_for_each_socket() -> None:
    roster = roster_of(Settings(connections_per_address=7, max_connections=20))
    assert roster.per_network == 21
    assert roster.most == 1020


def test_a_server_with_a_file_needs_no_driver_of_postgresql() -> None:
    code = "import sys; sys.modules['asyncpg'] = None; import patrizier.server.process"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_server_is_seldom_stopped_to_look_for_garbage() -> None:
    code = """
import gc
from patrizier.server.connections.roster import Roster
from patrizier.server.process import tune_garbage_collection
before = gc.get_threshold()
tune_garbage_collection()
assert gc.isenabled()
assert gc.get_freeze_count() > 100_000, gc.get_freeze_count()
assert all(new > old for new, old in zip(gc.get_threshold(), before))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
