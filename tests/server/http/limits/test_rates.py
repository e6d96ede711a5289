import pytest
from starlette.requests import HTTPConnection

from patrizier.server.errors import TooMuch
from patrizier.server.http.limits.rates import Buckets, Limits, Rate, address_of
from patrizier.server.settings import Settings


class Clock:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_a_bucket_allows_a_burst_and_then_a_steady_rate() -> None:
    clock = Clock()
    buckets = Buckets(Rate(burst=3, per_second=2), clock)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take("b") == 0  # others have their own
    clock.time += 0.5
    assert buckets.take("a") == 0
    assert buckets.take("a") == 0.5
    clock.time += 1000
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]


def test_waiting_in_vain_costs_nothing() -> None:
    clock = Clock()
    buckets = Buckets(Rate(burst=1, per_second=1), clock)
    assert buckets.take("a") == 0
    for _ in range(50):
        assert buckets.take("a") == 1
    clock.time += 1
    assert buckets.take("a") == 0


def test_a_clock_that_goes_back_does_no_harm() -> None:
    clock = Clock()
    buckets = Buckets(Rate(burst=1, per_second=1), clock)
    buckets.take("a")
    clock.time -= 50
    assert buckets.take("a") == 1


def test_memory_is_bounded() -> None:
    buckets = Buckets(Rate(1, 1), Clock(), remembered=100)
    for number in range(1000):
        buckets.take(str(number))
    assert len(buckets) == 100
    assert buckets.take("999") == 1  # the last ones are known, the first forgotten
    assert buckets.take("0") == 0


def test_a_door_says_when_to_come_back() -> None:
    clock = Clock()
    limits = Limits(Settings(rate_per_person=1), clock)
    for _ in range(10):
        limits.check("person", "anna")
    with pytest.raises(TooMuch) as caught:
        limits.check("person", "anna")
    assert caught.value.headers == {"Retry-After": "2"}


def test_connections_are_counted_by_address_and_person() -> None:
    settings = Settings(connections_per_address=2, connections_per_person=1)
    limits = Limits(settings)
    with limits.connection("1.1.1.1", "anna"), limits.connection("1.1.1.1", "ben"):
        with pytest.raises(TooMuch, match="network"), limits.connection("1.1.1.1", "cleo"):
            pass
        with pytest.raises(TooMuch, match="too many tabs"), limits.connection("2.2.2.2", "anna"):
            pass
        with limits.connection("2.2.2.2", "cleo"):
            pass
    with limits.connection("1.1.1.1", "anna"):
        pass
    assert limits.holders == 0


def test_connections_have_a_limit_in_all() -> None:
    limits = Limits(Settings(max_connections=1))
    with (
        limits.connection("1.1.1.1", "anna"),
        pytest.raises(TooMuch, match="full"),
        limits.connection("2.2.2.2", "ben"),
    ):
        pass
    with limits.connection("2.2.2.2", "ben"):
        pass


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.168.0.7", "192.168.0.7"),
        ("::ffff:192.168.0.7", "192.168.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("a unix socket", "a unix socket"),
    ],
)
def test_a_household_is_one_address(host: str, network: str) -> None:
    scope = {"type": "http", "client": (host, 1234), "headers": []}
    assert address_of(HTTPConnection(scope)) == network


def test_no_address_is_an_address_too() -> None:
    assert address_of(HTTPConnection({"type": "http", "client": None, "headers": []})) == ""
