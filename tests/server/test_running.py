import socket

from patrizier.server.running import configure, listen
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
