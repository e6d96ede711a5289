"""Signing in and out: tokens, lists, and sockets that end with their session."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from websockets.exceptions import ConnectionClosed

from server.support.postgres import Postgres
from server.support.serving import Guest, Line, Serving, new_id, serving

Make = Callable[..., Guest]
Steal = Callable[[Guest], httpx.Client]

PASSWORD = "correct horse"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def an_account(guest: Guest) -> dict[str, str]:
    """Open an account for a guest; return its login and password."""
    body = {"name": f"anna-{new_id()}", "password": PASSWORD}
    guest.know(guest.http.post("/api/account", json=body))
    return body


def sign_in(guest: Guest, body: dict[str, str]) -> Guest:
    guest.know(guest.http.post("/api/session", json=body))
    return guest


@pytest.fixture
def steal() -> Iterator[Steal]:
    """Copies a guest's cookie to another browser."""
    with ExitStack() as stack:

        def copy(guest: Guest) -> httpx.Client:
            cookies, url = dict(guest.http.cookies), guest.server.url
            return stack.enter_context(
                httpx.Client(base_url=url, cookies=cookies, timeout=60, trust_env=False)
            )

        yield copy


def account_of(http: httpx.Client) -> Any:
    return http.get("/api/me").json()["account"]


def closed_with(line: Line) -> int:
    """Return the code that a socket was closed with."""
    with pytest.raises(ConnectionClosed) as caught:
        line.hear(lambda _: False)
    assert caught.value.rcvd is not None
    return caught.value.rcvd.code


def test_an_account_has_a_token_that_nobody_knew_before(guest: Make, steal: Steal) -> None:
    anna = guest("Anna")
    before = steal(anna)
    token = anna.me["token"]
    body = an_account(anna)
    assert account_of(anna.http) == body["name"]
    assert account_of(before) is None
    assert anna.http.headers["X-Patrizier-Token"] != token
    phone = guest("Phone")
    stolen = steal(phone)
    sign_in(phone, body)
    assert account_of(phone.http) == body["name"]
    assert account_of(stolen) is None
    assert stolen.get("/api/me").json()["name"] == "Phone"  # the guest, who waits


def test_signing_out_ends_all_sessions_and_not_only_the_cookie(guest: Make, steal: Steal) -> None:
    anna, phone = guest("Anna"), guest("Phone")
    body = an_account(anna)
    sign_in(phone, body)
    stolen = steal(phone)
    with phone.live() as here, anna.live() as there:
        me = phone.know(phone.http.delete("/api/session"))
        assert (me["name"], me["account"]) == ("Phone", None)
        assert closed_with(here) == 4001
        assert closed_with(there) == 4001
    assert account_of(stolen) is None
    assert stolen.get("/api/me").json()["name"] == "Phone"
    assert anna.know(anna.http.get("/api/me"))["account"] is None
    sign_in(anna, body)
    assert len(anna.ask("GET", "/api/sessions")["sessions"]) == 1


def test_a_guest_has_nothing_to_sign_out_of(guest: Make) -> None:
    anna = guest("Anna")
    table = anna.create()["table"]
    with anna.live() as line:
        assert anna.ask("DELETE", "/api/session", status=409)["reason"] == "no-account"
        line.say("ping")
        line.hear_kind("pong")
    assert anna.look(table)["you"]["seats"] == [0]


def test_signing_out_only_here(guest: Make, steal: Steal) -> None:
    anna, phone = guest("Anna"), guest("Phone")
    body = an_account(anna)
    sign_in(phone, body)
    stolen = steal(phone)
    (mine,) = [each for each in phone.ask("GET", "/api/sessions")["sessions"] if each["here"]]
    with phone.live() as here, anna.live() as there:
        (left,) = phone.ask("DELETE", f"/api/sessions/{mine['id']}")["sessions"]
        assert not left["here"]
        assert closed_with(here) == 4001
        there.say("ping")
        there.hear_kind("pong")
    me = phone.ask("GET", "/api/me")
    assert (me["name"], me["account"]) == ("Phone", None)
    assert account_of(stolen) is None
    assert account_of(anna.http) == body["name"]


def test_a_new_password_ends_all_others_with_their_sockets(guest: Make, steal: Steal) -> None:
    anna, phone = guest("Anna"), guest("Phone")
    body = an_account(anna)
    sign_in(phone, body)
    stolen = steal(anna)
    with phone.live() as there, anna.live() as here:
        change = {"old": PASSWORD, "new": "battery staple"}
        anna.know(anna.http.put("/api/account/password", json=change))
        assert closed_with(there) == 4001
        assert closed_with(here) == 4001  # it comes back with the new token
    assert account_of(phone.http) is None
    assert account_of(stolen) is None
    assert account_of(anna.http) == body["name"]
    with anna.live() as line:
        line.say("ping")
        line.hear_kind("pong")


def test_sockets_of_a_guest_end_when_the_guest_becomes_an_account(guest: Make) -> None:
    anna = guest("Anna")
    with anna.live() as line:
        an_account(anna)
        assert closed_with(line) == 4001


def test_the_list_of_sessions(guest: Make) -> None:
    anna, phone = guest("Anna"), guest("Phone")
    anna.http.headers["User-Agent"] = FIREFOX
    assert anna.ask("GET", "/api/sessions", status=409)["code"] == "no-account"
    body = an_account(anna)
    sign_in(phone, body)
    listed = anna.ask("GET", "/api/sessions")["sessions"]
    assert sorted((each["device"], each["here"]) for each in listed) == [
        ("Firefox · Linux", True),
        ("Python", False),
    ]
    assert not set(str(listed).split("'")) & set(anna.http.cookies.values())
    with phone.live() as line:
        (there,) = [each["id"] for each in listed if not each["here"]]
        left = anna.ask("DELETE", f"/api/sessions/{there}")["sessions"]
        assert [each["here"] for each in left] == [True]
        assert closed_with(line) == 4001
    assert account_of(phone.http) is None
    anna.ask("DELETE", "/api/sessions/nothing-like-it", status=422)


def test_nobody_ends_the_sessions_of_others(guest: Make) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    body = an_account(anna)
    an_account(ben)
    (hers,) = anna.ask("GET", "/api/sessions")["sessions"]
    ben.ask("DELETE", f"/api/sessions/{hers['id']}")
    ben.ask("DELETE", "/api/sessions/others")
    ben.know(ben.http.delete("/api/session"))
    assert account_of(anna.http) == body["name"]


def test_signing_out_everywhere_else(guest: Make) -> None:
    anna = guest("Anna")
    body = an_account(anna)
    others = [sign_in(guest(f"Phone {number}"), body) for number in range(2)]
    with others[0].live() as line, anna.live() as mine:
        (left,) = anna.ask("DELETE", "/api/sessions/others")["sessions"]
        assert left["here"]
        assert closed_with(line) == 4001
        mine.say("ping")
        mine.hear_kind("pong")
    assert [account_of(each.http) for each in others] == [None, None]
    assert account_of(anna.http) == body["name"]


def test_signing_in_to_another_account_ends_the_session_of_before(
    guest: Make, steal: Steal
) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    body = an_account(anna)
    an_account(ben)
    stolen = steal(ben)
    sign_in(ben, body)
    assert account_of(stolen) is None


def test_who_is_deleted_is_told_nothing_more(guest: Make) -> None:
    anna, phone = guest("Anna"), guest("Phone")
    body = an_account(anna)
    sign_in(phone, body)
    with phone.live() as line:
        anna.know(anna.http.post("/api/me/erase", json={"password": PASSWORD}))
        assert closed_with(line) == 4001
    cleo = guest("Cleo")
    with cleo.live() as line:
        cleo.know(cleo.http.post("/api/me/erase", json={}))
        assert closed_with(line) == 4001


def test_who_waits_for_news_gets_none_after_signing_out(guest: Make) -> None:
    anna, phone, ben = guest("Anna"), guest("Phone"), guest("Ben")
    body = an_account(anna)
    message = anna.create(players=3)
    sign_in(phone, body)
    table, answers = message["table"], list[httpx.Response]()
    path = f"/api/tables/{table}?since={message['seq']}&wait=30"
    waiting = threading.Thread(target=lambda: answers.append(phone.http.get(path)))
    waiting.start()
    hub = anna.server.app.state.parts.service.hub
    while not hub.followers(table):
        time.sleep(0.01)
    anna.ask("DELETE", "/api/sessions/others")
    ben.act(table, "join", contribution="2" * 64)
    waiting.join()
    (answer,) = answers
    assert (answer.status_code, answer.json()["reason"]) == (403, "signed-out")


@pytest.fixture
def two_servers(postgres: Postgres, tmp_path: Path) -> Iterator[list[Serving]]:
    url = asyncio.run(postgres.new_database())
    secret = SecretStr("a signing secret of more than thirty-two characters")
    with ExitStack() as stack:
        yield [
            stack.enter_context(serving(tmp_path / name, database=url, secret=secret))
            for name in ("one", "two")
        ]


@pytest.mark.parametrize("path", ["/api/sessions/others", "/api/session"])
def test_sockets_at_another_server_end_as_well(two_servers: list[Serving], path: str) -> None:
    one, two = two_servers
    anna, phone = Guest(one, "Anna"), Guest(two, "Phone")
    body = an_account(anna)
    sign_in(phone, body)
    with phone.live() as line:
        line.say("ping")
        line.hear_kind("pong")
        anna.ask("DELETE", path)
        assert closed_with(line) == 4001
    assert account_of(phone.http) is None
    for each in (anna, phone):
        each.close()
