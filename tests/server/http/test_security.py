import pytest
from starlette.requests import HTTPConnection

from patrizier.server.http.security import CONTENT_POLICY, OriginPolicy
from patrizier.server.settings import Settings


def coming(host: str = "localhost:8321", scheme: str = "http", **headers: str) -> HTTPConnection:
    given = {"host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": "http",
        "scheme": scheme,
        "path": "/",
        "server": ("127.0.0.1", 8321),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }
    return HTTPConnection(scope)


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8321", "127.0.0.1:8321", "[::1]:8321", "192.168.1.20:8321"]
)
def test_bare_addresses_and_localhost_need_no_setting(host: str) -> None:
    assert OriginPolicy(Settings()).knows_host(host)


@pytest.mark.parametrize(
    "host", ["", "evil.example", "evil.example:8321", "localhost.evil.example", "[", "127.0.0.1.x"]
)
def test_foreign_names_are_not_ours(host: str) -> None:
    assert not OriginPolicy(Settings()).knows_host(host)


def test_names_can_be_set() -> None:
    settings = Settings(public_url="https://Play.example", allowed_hosts=("inside.example",))
    policy = OriginPolicy(settings)
    assert policy.knows_host("play.example")
    assert policy.knows_host("inside.example:8321")
    assert not policy.knows_host("other.example")


@pytest.mark.parametrize(
    "headers",
    [
        {},  # curl
        {"origin": "http://localhost:8321"},
        {"origin": "http://localhost:8321", "sec_fetch_site": "same-origin"},
        {"sec_fetch_site": "none"},  # typed by hand
    ],
)
def test_own_pages_and_plain_programs_may_change_things(headers: dict[str, str]) -> None:
    assert OriginPolicy(Settings()).is_own_page(coming(**headers))


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "https://localhost:8321"},
        {"origin": "http://localhost"},
        {"origin": "http://localhost:8322"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://["},
        {"origin": "http://localhost:99999"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_other_pages_may_not(headers: dict[str, str]) -> None:
    assert not OriginPolicy(Settings()).is_own_page(coming(**headers))


def test_behind_https_the_public_address_counts() -> None:
    settings = Settings(public_url="https://play.example", allowed_origins=("https://b.example",))
    policy = OriginPolicy(settings)
    assert policy.is_own_page(coming("play.example", origin="https://play.example"))
    assert policy.is_own_page(coming("play.example", origin="https://play.example:443"))
    assert policy.is_own_page(coming("play.example", origin="https://b.example"))
    assert policy.is_own_page(coming("localhost", "wss", origin="https://localhost"))
    assert not policy.is_own_page(coming("play.example", origin="https://c.example"))


def test_pages_may_run_nothing_but_our_files() -> None:
    assert "default-src 'none'" in CONTENT_POLICY
    assert "frame-ancestors 'none'" in CONTENT_POLICY
    assert "unsafe" not in CONTENT_POLICY
    assert "*" not in CONTENT_POLICY
