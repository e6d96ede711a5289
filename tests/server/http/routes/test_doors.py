"""Allowed hosts and origins, limits, and security headers."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from patrizier.server.http.collaborators import Collaborators
from server.support.serving import Guest, Serving, serving

Make = Callable[..., Guest]


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server behind a proxy, with narrow limits."""
    with serving(
        tmp_path_factory.mktemp("strict"),
        Collaborators(most_refused=2),
        public_url="https://play.example",
        trusted_proxies=("127.0.0.1",),
        rate_per_person=0.02,
        rate_per_address=0.02,
        rate_factor=1,
        connections_per_address=2,
        connections_per_person=1,
    ) as running:
        yield running


def through_proxy(address: str, scheme: str = "https") -> dict[str, str]:
    return {"Host": "play.example", "X-Forwarded-For": address, "X-Forwarded-Proto": scheme}


# -- pages of others


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_pages_change_nothing(guest: Make, headers: dict[str, str]) -> None:
    anna = guest("Anna")
    body = {"name": "Mallory"}
    problem = anna.ask("PUT", "/api/me/name", status=403, json=body, headers=headers)
    assert problem["code"] == "origin"
    assert anna.ask("GET", "/api/me")["name"] == "Anna"


def test_without_the_token_nothing_changes(guest: Make) -> None:
    anna = guest("Anna")
    for token in ("", "0" * 32, guest("Ben").me["token"]):
        anna.http.headers["X-Patrizier-Token"] = token
        problem = anna.ask("PUT", "/api/me/name", status=403, json={"name": "Mallory"})
        assert problem["code"] == "token"
    assert anna.ask("GET", "/api/me")["name"] == "Anna"


def test_bodies_of_plain_forms_are_not_read(guest: Make) -> None:
    anna = guest("Anna")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        options = {"content": b'{"name": "Mallory"}', "headers": {"Content-Type": kind}}
        anna.ask("PUT", "/api/me/name", status=422, **options)
    assert anna.ask("GET", "/api/me")["name"] == "Anna"


def test_foreign_names_of_the_server_are_refused(server: Serving) -> None:
    answer = httpx.get(
        f"{server.url}/api/me", headers={"Host": "evil.example"}, timeout=60, trust_env=False
    )
    assert answer.status_code == 421
    assert answer.json()["code"] == "host"
    assert "set-cookie" not in answer.headers


def test_sockets_open_only_to_our_page_and_to_people_we_know(guest: Make) -> None:
    anna = guest("Anna")
    server, cookie = anna.server, anna.cookie
    for headers in (
        {"Origin": "https://evil.example", "Cookie": cookie},
        {"Origin": "null", "Cookie": cookie},
        {"Origin": server.url},
        {"Origin": server.url, "Cookie": "patrizier=forged~0~.x.y"},
    ):
        with pytest.raises(InvalidStatus) as caught, server.live(**headers):
            pass
        assert caught.value.response.status_code == 403
    with server.live(Cookie=cookie), server.live(Origin=server.url, Cookie=cookie):
        pass  # a program is no page


# -- headers for browsers


@pytest.mark.parametrize(
    "path", ["/", "/docs", "/docs/http", "/api/me", "/api/nothing", "/healthz"]
)
def test_every_answer_keeps_browsers_strict(server: Serving, path: str) -> None:
    headers = httpx.get(server.url + path, timeout=60, trust_env=False).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "strict-transport-security" not in headers
    assert "server" not in headers
    if path.startswith("/api/"):
        assert headers["cache-control"] == "no-store"


def test_plain_pages_need_nothing_that_the_policy_forbids(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing-built"
    with serving(tmp_path, Collaborators(static=nothing, docs=nothing)) as server:
        for path in ("/", "/docs/http"):
            page = httpx.get(server.url + path, timeout=60, trust_env=False).text
            assert "<script" not in page
            assert "style" not in page
            assert "http:" not in page
            assert "https:" not in page


def test_behind_https_the_cookie_and_the_browser_stay_there(strict: Serving) -> None:
    headers = through_proxy("10.1.1.1")
    answer = httpx.get(f"{strict.url}/api/me", headers=headers, timeout=60, trust_env=False)
    assert answer.headers["strict-transport-security"].startswith("max-age=")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-patrizier=")
    assert "Secure" in cookie
    assert "HttpOnly" in cookie


# -- limits


@pytest.mark.parametrize("chunked", [False, True])
def test_large_bodies_are_refused(guest: Make, chunked: bool) -> None:
    anna = guest("Anna")
    body = json.dumps({"name": "x" * 70_000}).encode()
    parts = (body[i : i + 1000] for i in range(0, len(body), 1000))
    content = parts if chunked else body
    headers = {"Content-Type": "application/json"}
    problem = anna.ask("PUT", "/api/me/name", status=413, content=content, headers=headers)
    assert problem["code"] == "too-large"
    assert anna.ask("GET", "/api/me")["name"] == "Anna"


def test_bodies_that_never_come_are_not_waited_for(tmp_path: Path) -> None:
    with (
        serving(tmp_path, Collaborators(body_timeout=0.2)) as server,
        socket.create_connection(("127.0.0.1", server.settings.port), 10) as line,
    ):
        line.sendall(b"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 408")


def test_endless_headers_are_refused(server: Serving) -> None:
    with socket.create_connection(("127.0.0.1", server.settings.port), 10) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        try:
            for _ in range(300):
                line.sendall(b"X-Filler: " + b"x" * 1000 + b"\r\n")
            answer = line.recv(100)
        except ConnectionError:
            return
        assert answer.startswith(b"HTTP/1.1 4")


def test_large_messages_end_the_socket(guest: Make) -> None:
    with guest("Anna").live() as line:
        line.socket.send("x" * 20_000)
        with pytest.raises(ConnectionClosed) as caught:
            line.hear()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009


def test_who_asks_too_often_is_told_when_to_come_back(strict: Serving) -> None:
    headers = through_proxy("10.2.2.2")
    with httpx.Client(base_url=strict.url, headers=headers, timeout=60, trust_env=False) as http:
        answers = [http.get("/healthz") for _ in range(15)]
        assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 5
        assert answers[-1].json()["code"] == "too-much"
        assert int(answers[-1].headers["retry-after"]) >= 1
        http.headers.update(through_proxy("10.3.3.3"))
        assert http.get("/healthz").status_code == 200  # others are not affected


def test_one_person_at_many_addresses_is_one_person(strict: Serving) -> None:
    with httpx.Client(base_url=strict.url, timeout=60, trust_env=False) as http:
        me = http.get("/api/me", headers=through_proxy("10.4.0.0"))
        cookie = me.headers["set-cookie"].split(";")[0]
        statuses = [
            http.get("/healthz", headers=through_proxy(f"10.4.0.{i}") | {"Cookie": cookie})
            for i in range(1, 14)
        ]
        assert [answer.status_code for answer in statuses].count(429) >= 2


def test_sockets_are_counted(strict: Serving) -> None:
    headers = through_proxy("10.6.6.6")
    http = httpx.Client(base_url=strict.url, headers=headers, timeout=60, trust_env=False)
    with http:
        cookies = [
            {"Cookie": http.get("/api/me").headers["set-cookie"].split(";")[0]} for _ in range(3)
        ]
    forwarded = {name: value for name, value in headers.items() if name != "Host"}

    # The websockets library writes its own Host, which is a bare address and known.
    def refused(cookie: dict[str, str]) -> bool:
        with pytest.raises(InvalidStatus) as caught, strict.live(**forwarded, **cookie):
            pass
        return caught.value.response.status_code == 429

    with strict.live(**forwarded, **cookies[0]):
        assert refused(cookies[0])  # one for a person
        with strict.live(**forwarded, **cookies[1]):
            assert refused(cookies[2])  # two for an address


def test_chatter_on_a_socket_is_refused_and_then_ended(strict: Serving) -> None:
    headers = through_proxy("10.7.7.7")
    me = httpx.get(f"{strict.url}/api/me", headers=headers, timeout=60, trust_env=False)
    cookie = me.headers["set-cookie"].split(";")[0]
    forwarded = {name: value for name, value in headers.items() if name != "Host"}
    with strict.live(**forwarded, Cookie=cookie) as line:
        for nonce in range(20):
            line.send(json.dumps({"kind": "ping", "nonce": nonce}))
        kinds = []
        with suppress(ConnectionClosed):
            while True:
                kinds.append(json.loads(line.recv(20))["kind"])
        assert kinds[0] == "pong"
        assert kinds[-3:] == ["refused", "refused", "bye"]
        assert line.close_code == 4029


def test_proxies_are_believed_only_when_they_are_named(server: Serving, tmp_path: Path) -> None:
    answer = httpx.get(
        f"{server.url}/api/me", headers={"X-Forwarded-Proto": "https"}, timeout=60, trust_env=False
    )
    assert answer.headers["set-cookie"].startswith("patrizier=")
    assert "Secure" not in answer.headers["set-cookie"]
