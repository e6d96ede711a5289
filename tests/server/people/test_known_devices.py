from http.cookies import SimpleCookie

import pytest
from starlette.requests import HTTPConnection
from starlette.responses import Response

from patrizier.server.people.identity import Signatures
from patrizier.server.people.known_devices import MOST, KnownDevices


def devices(secret: str = "s" * 32) -> KnownDevices:
    return KnownDevices(secret, Signatures(secret, now=lambda: 0.0))


def coming(cookie: str = "", scheme: str = "http") -> HTTPConnection:
    headers = [(b"cookie", cookie.encode())] if cookie else []
    scope = {"type": "http", "scheme": scheme, "server": ("x", 80), "path": "/", "headers": headers}
    return HTTPConnection(scope)


def after(known: KnownDevices, *logins: str) -> str:
    """Return the cookie of a browser in which these have signed in, one after the other."""
    cookie = ""
    for login in logins:
        response = Response()
        known.remember(response, coming(cookie), login)
        ((name, morsel),) = SimpleCookie(response.headers["set-cookie"]).items()
        cookie = f"{name}={morsel.value}"
    return cookie


def test_a_browser_is_known_for_the_accounts_that_signed_in_there() -> None:
    known = devices()
    cookie = after(known, "anna", "ben")
    device = known.find(coming(cookie), "anna")
    assert device is not None
    assert known.find(coming(cookie), "ben") == device
    assert known.find(coming(cookie), "cleo") is None
    assert known.find(coming(), "anna") is None
    assert known.find(coming(after(known, "anna")), "anna") != device


def test_it_tells_nobody_who_they_were() -> None:
    cookie = after(devices(), "anna")
    assert "anna" not in cookie
    response = Response()
    devices().remember(response, coming(), "anna")
    for part in ("HttpOnly", "SameSite=lax", "Path=/"):
        assert part in response.headers["set-cookie"]


@pytest.mark.parametrize("change", range(0, 60, 7))
def test_a_changed_cookie_is_not_known(change: int) -> None:
    known = devices()
    name, _, value = after(known, "anna").partition("=")
    place = change % len(value)
    forged = value[:place] + ("x" if value[place] != "x" else "y") + value[place + 1 :]
    assert known.find(coming(f"{name}={forged}"), "anna") is None
    assert devices("t" * 32).find(coming(f"{name}={value}"), "anna") is None


def test_only_the_last_accounts_are_kept() -> None:
    known = devices()
    cookie = after(known, *(f"anna{number}" for number in range(MOST + 1)))
    assert known.find(coming(cookie), "anna0") is None
    assert known.find(coming(cookie), f"anna{MOST}") is not None


def test_a_browser_can_be_forgotten() -> None:
    response = Response()
    devices().forget(response, coming())
    assert "Max-Age=0" in response.headers["set-cookie"]
