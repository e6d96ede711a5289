import logging

import pytest

from patrizier.server.connections.roster import Roster, ThrottledWarning


class Client:
    def __init__(self) -> None:
        self.dropped = False

    def drop(self) -> None:
        self.dropped = True


def test_connections_are_counted_in_all_and_by_network() -> None:
    roster = Roster(most=3, per_network=2)
    roster.come("a")
    roster.come("a")
    assert roster.is_crowded("a", "1.1.1.1")
    assert not roster.is_crowded("b", "2.2.2.2")
    assert not roster.is_full
    roster.come("b")
    assert roster.is_full
    roster.go("a")
    assert not roster.is_full
    assert not roster.is_crowded("a", "1.1.1.1")
    roster.go("a")
    roster.go("b")
    assert roster.total == 0
    assert roster.networks == 0


def test_proxies_speak_for_many() -> None:
    roster = Roster(9, per_network=0, exempt=("10.0.0.0/8", "2001:db8::5"))
    for host in ("10.1.2.3", "::ffff:10.1.2.3", "2001:db8::5"):
        assert not roster.is_crowded("n", host)
    for host in ("11.1.2.3", "2001:db8::6"):
        assert roster.is_crowded("n", host)


def test_the_longest_silent_makes_room() -> None:
    roster = Roster(9, 9)
    first, second, third = Client(), Client(), Client()
    assert not roster.make_room()
    for client, network in ((first, "a"), (second, "b"), (third, "b")):
        roster.wait(client, network)
    roster.wait(first, "a")  # nothing new
    assert roster.make_room("b")
    assert (first.dropped, second.dropped, third.dropped) == (False, True, False)
    assert roster.make_room()
    assert first.dropped
    assert not roster.make_room("a")
    roster.heard(third)
    roster.heard(third)
    assert not roster.make_room()
    assert roster.networks == 0


def test_who_has_spoken_begins_anew() -> None:
    roster = Roster(9, 9)
    talker, mute = Client(), Client()
    roster.wait(talker, "a")
    roster.wait(mute, "a")
    roster.heard(talker)
    roster.wait(talker, "a")
    assert roster.make_room("a")
    assert mute.dropped
    assert not talker.dropped


def test_the_log_does_not_grow_with_the_trouble(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    complain = ThrottledWarning("too many", lambda: now)
    for _ in range(1000):
        complain()
    now = 61.0
    complain()
    assert caplog.record_tuples == [("patrizier.server", logging.WARNING, "too many")] * 2
    assert [record.__dict__["count"] for record in caplog.records] == [1, 1000]
