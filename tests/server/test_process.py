import socket
import subprocess
import sys

from patrizier.server.process import configure, listen
from patrizier.server.settings import Settings


def test_answers_are_sent_at_once() -> None:
    with listen(Settings(port=0)) as listener:
        # asyncio sets TCP_NODELAY only on sockets that name their protocol.
        assert listener.proto == socket.IPPROTO_TCP


def test_both_kinds_of_addresses_can_be_listened_on() -> None:
    with listen(Settings(host="::1", port=0)) as listener:
        assert listener.family == socket.AF_INET6


def test_the_web_server_trusts_nobody_and_tells_little() -> None:
    config = configure(Settings(max_message=2048), lambda: None)
    assert config.ws_max_size == 2048
    assert not config.proxy_headers
    assert not config.access_log
    assert not config.server_header


def test_a_server_with_a_file_needs_no_driver_of_postgresql() -> None:
    code = "import sys; sys.modules['asyncpg'] = None; import patrizier.server.process"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_server_is_seldom_stopped_to_look_for_garbage() -> None:
    code = """
import gc
from patrizier.server.process import spare_the_collector
before = gc.get_threshold()
spare_the_collector()
assert gc.isenabled()
assert gc.get_freeze_count() > 100_000, gc.get_freeze_count()
assert all(new > old for new, old in zip(gc.get_threshold(), before))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
