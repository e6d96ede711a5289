import pytest
from starlette.requests import HTTPConnection
from starlette.responses import Response

from patrizier.server.people.identity import Identity, Signatures, new_person_id

ANNA = "anna-anna-anna-anna-12"
DAY = 24 * 3600.0


class Clock:
    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def __call__(self) -> float:
        return self.time


def signing(letter: str) -> Signatures:
    return Signatures(letter * 32, now=Clock())


def coming(cookie: str = "", scheme: str = "http", token: str = "") -> HTTPConnection:
    headers = [(b"cookie", cookie.encode())] if cookie else []
    headers += [(b"x-patrizier-token", token.encode("latin-1"))] if token else []
    scope = {
        "type": "http",
        "scheme": scheme,
        "server": ("localhost", 80),
        "path": "/",
        "headers": headers,
    }
    return HTTPConnection(scope)


def test_a_cookie_brings_the_same_person_back() -> None:
    clock = Clock()
    signatures = Signatures("s" * 32, now=clock)
    cookie = signatures.sign(Identity(ANNA, "token-token-token", "guest-guest-guest-guest"))
    clock.time += 60
    found = signatures.identity(coming(f"patrizier={cookie}"))
    assert found == Identity(ANNA, "token-token-token", "guest-guest-guest-guest", 60)
    assert found is not None
    assert not found.is_new


def test_cookies_from_before_there_were_sessions_are_read() -> None:
    signatures = signing("s")
    for number, guest in ((0, None), (3, "guest-guest-guest-guest")):
        cookie = signatures.sign(Identity(ANNA, str(number), guest))
        found = signatures.identity(coming(f"patrizier={cookie}"))
        assert found is not None
        assert (found.person, found.session, found.guest) == (ANNA, None, guest)


def test_what_is_known_of_a_session_does_not_give_its_token_away() -> None:
    identity = Identity(ANNA, "token-token-token")
    assert identity.key == Identity("somebody-else-0123", "token-token-token").key
    assert "token" not in identity.key
    assert Identity(ANNA).key == ANNA


def test_person_ids_are_opaque_and_different() -> None:
    ids = {new_person_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(len(person) >= 16 for person in ids)
    signatures = signing("s")
    for person in ids:
        found = signatures.identity(coming(f"patrizier={signatures.sign(Identity(person))}"))
        assert found is not None
        assert found.person == person


@pytest.mark.parametrize("change", range(0, 60, 7))
def test_a_changed_cookie_is_nobody(change: int) -> None:
    signatures = signing("s")
    cookie = signatures.sign(Identity(ANNA))
    place = change % len(cookie)
    forged = cookie[:place] + ("x" if cookie[place] != "x" else "y") + cookie[place + 1 :]
    assert signatures.identity(coming(f"patrizier={forged}")) is None


@pytest.mark.parametrize(
    "cookie", ["", "x", "....", "x" * 5000, f"{ANNA}~0~", "\u00e9.\u00e9.\u00e9"]
)
def test_garbage_is_nobody(cookie: str) -> None:
    assert signing("s").identity(coming(f"patrizier={cookie}")) is None


def test_cookies_of_another_server_are_nobody() -> None:
    cookie = signing("s").sign(Identity(ANNA))
    assert signing("t").identity(coming(f"patrizier={cookie}")) is None


@pytest.mark.parametrize(
    "ahead", [-1000 * DAY, -2 * DAY, -1, 0, 0.08, 1, 3600, 2 * DAY, 1000 * DAY]
)
def test_a_wrong_clock_makes_nobody_a_stranger(ahead: float) -> None:
    clock = Clock()
    signatures = Signatures("s" * 32, now=clock)
    clock.time += ahead
    cookie = signatures.sign(Identity(ANNA))
    clock.time -= ahead
    found = signatures.identity(coming(f"patrizier={cookie}"))
    assert found is not None
    assert found.person == ANNA
    assert found.is_stale == (abs(ahead) > DAY)  # then the same one is written again


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites() -> None:
    response = Response()
    signing("s").remember(response, coming(), Identity(ANNA))
    cookie = response.headers["set-cookie"]
    assert cookie.startswith("patrizier=")
    for part in ("HttpOnly", "SameSite=lax", "Path=/", "Max-Age="):
        assert part in cookie
    assert "Secure" not in cookie


@pytest.mark.parametrize(("https", "scheme"), [(True, "http"), (False, "https")])
def test_by_https_the_cookie_stays_there(https: bool, scheme: str) -> None:
    signatures = Signatures("s" * 32, https=https, now=Clock())
    response = Response()
    signatures.remember(response, coming(scheme=scheme), Identity(ANNA))
    cookie = response.headers["set-cookie"]
    assert cookie.startswith("__Host-patrizier=")
    assert "Secure" in cookie
    plain = signatures.sign(Identity(ANNA))
    assert signatures.identity(coming(f"patrizier={plain}", scheme)) is None
    assert signatures.identity(coming(f"__Host-patrizier={plain}", scheme)) is not None


def test_each_identity_has_its_token() -> None:
    signatures = signing("s")
    anna = Identity(ANNA)
    token = signatures.token(anna)
    assert signatures.has_token(coming(token=token), anna)
    assert not signatures.has_token(coming(token=token), Identity(ANNA, "token-token-token"))
    assert not signatures.has_token(coming(), anna)
    assert not signatures.has_token(coming(token="\u00e9"), anna)
    assert signing("t").token(anna) != token
