import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from patrizier.server.connections.acceptor import Acceptor, listen_at
from patrizier.server.connections.roster import Roster

# A process near its limit on open files gets new connections all the same.
EXHAUSTED = """
import os, resource, socket
from patrizier.server.connections.acceptor import listen_at
from patrizier.server.connections.roster import Roster
from patrizier.server.logs import set_up_logs

set_up_logs()
roster = Roster(most=10_000, per_network=10_000)
acceptor = listen_at("127.0.0.1", 0, roster)
acceptor.setblocking(False)
clients = [socket.create_connection(acceptor.getsockname()) for _ in range(50)]
files = [os.open(os.devnull, os.O_RDONLY) for _ in range(3)]
limit = max(files) + 1
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
os.close(files.pop())  # one is left
accepted, blocked = [], 0
while blocked < 60:
    try:
        accepted.append(acceptor.accept()[0])
    except BlockingIOError:
        blocked += 1
assert len(accepted) == roster.total == 1, roster.total
for client in clients:
    client.settimeout(5)
answers = [client.recv(100)[:12] for client in clients[1:]]
assert answers == [b"HTTP/1.1 503"] * 49, answers  # nobody waits in vain
clients.pop().close()
accepted.pop().close()
one = socket.create_connection(acceptor.getsockname())
accepted.append(acceptor.accept()[0])
"""


@pytest.fixture
def roster() -> Roster:
    return Roster(most=4, per_network=3, exempt=("127.0.0.9",))


@pytest.fixture
def acceptor(roster: Roster) -> Iterator[Acceptor]:
    with listen_at("127.0.0.1", 0, roster) as acceptor:
        acceptor.setblocking(False)
        yield acceptor


def come(acceptor: Acceptor, host: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(acceptor.getsockname(), 5, source_address=(host, 0))


class Client:
    """An idle connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def drop(self) -> None:
        self.connection.close()


def test_connections_count_until_they_are_closed(acceptor: Acceptor, roster: Roster) -> None:
    with come(acceptor):
        accepted, _ = acceptor.accept()
        assert accepted.proto == socket.IPPROTO_TCP
        assert roster.total == 1
        accepted.close()
        accepted.close()
        assert roster.total == 0
    with pytest.raises(BlockingIOError):
        acceptor.accept()


def test_one_network_leaves_room_for_others(acceptor: Acceptor, roster: Roster) -> None:
    clients = [come(acceptor) for _ in range(4)]
    inside = [acceptor.accept()[0] for _ in range(3)]
    with pytest.raises(BlockingIOError):
        acceptor.accept()
    assert clients[3].recv(12) == b"HTTP/1.1 503"
    clients.append(come(acceptor, "127.0.0.2"))
    inside.append(acceptor.accept()[0])
    assert roster.total == 4
    clients.append(come(acceptor, "127.0.0.3"))
    with pytest.raises(BlockingIOError):
        acceptor.accept()  # the limit is reached
    assert clients[-1].recv(12) == b"HTTP/1.1 503"
    for each in (*inside, *clients):
        each.close()
    assert roster.total == 0


def test_the_silent_make_room_in_their_network(acceptor: Acceptor, roster: Roster) -> None:
    clients = [come(acceptor) for _ in range(4)]
    inside = [acceptor.accept()[0] for _ in range(3)]
    for each in inside:
        roster.wait(Client(each), "127.0.0.1")
    inside.append(acceptor.accept()[0])
    assert clients[0].recv(10) == b""
    assert roster.total == 3
    with pytest.raises(BlockingIOError):
        acceptor.accept()  # the event loop has to run first
    for each in (*inside, *clients):
        each.close()


def test_the_silent_make_room_when_the_house_is_full(acceptor: Acceptor, roster: Roster) -> None:
    clients = [come(acceptor, f"127.0.0.{number}") for number in range(1, 6)]
    inside = [acceptor.accept()[0] for _ in range(4)]
    roster.wait(Client(inside[2]), "127.0.0.3")
    with pytest.raises(BlockingIOError):
        acceptor.accept()
    assert clients[2].recv(10) == b""
    inside.append(acceptor.accept()[0])
    assert roster.total == 4
    for each in (*inside, *clients):
        each.close()


def test_a_proxy_brings_as_many_as_there_is_room_for(acceptor: Acceptor, roster: Roster) -> None:
    clients = [come(acceptor, "127.0.0.9") for _ in range(4)]
    inside = [acceptor.accept()[0] for _ in range(4)]
    assert roster.total == 4
    for each in (*inside, *clients):
        each.close()


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has it")
def test_who_does_not_read_is_forgotten_by_the_system(acceptor: Acceptor) -> None:
    with come(acceptor):
        accepted, _ = acceptor.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_without_descriptors_nobody_waits_and_the_log_stays_small() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EXHAUSTED], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stderr.splitlines()) <= 2, done.stderr
    assert "no more connections can be opened" in done.stderr
