"""Friends and invitations by plain requests."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.support.serving import Guest, Serving, serving

Make = Callable[..., Guest]


def names(lines: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(each["name"], each["state"]) for each in lines]


def friends_of(who: Guest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = who.ask("GET", "/api/friends")["friends"]
    return found


def befriend(one: Guest, two: Guest) -> None:
    code = one.ask("POST", "/api/my/friend-link")["code"]
    two.ask("POST", f"/api/friend-links/{code}")


def test_a_link_makes_friends(guest: Make) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    code = anna.ask("POST", "/api/my/friend-link")["code"]
    assert anna.ask("POST", "/api/my/friend-link")["code"] == code
    seen = ben.ask("GET", f"/api/friend-links/{code}")
    assert (seen["name"], seen["you"], seen["friends"]) == ("Anna", False, False)
    assert anna.ask("GET", f"/api/friend-links/{code}")["you"]
    assert friends_of(ben) == []  # looking is not agreeing
    assert ben.ask("POST", f"/api/friend-links/{code}")["friends"]
    assert names(friends_of(anna)) == [("Ben", "friends")]
    assert names(friends_of(ben)) == [("Anna", "friends")]
    again = anna.ask("DELETE", "/api/my/friend-link")["code"]
    assert again != code
    ben.ask("GET", f"/api/friend-links/{code}", status=404)
    anna.ask("POST", f"/api/friend-links/{again}", status=409)  # oneself


def test_a_newcomer_reads_without_becoming_a_guest(server: Serving, guest: Make) -> None:
    """The page asks for lists and for itself at once: only one request may make a guest."""
    anna = guest("Anna")
    code = anna.ask("POST", "/api/my/friend-link")["code"]
    table = anna.create(players=2)["table"]
    for path, status, expected in (
        ("/api/my/invitations", 200, {"invitations": []}),
        ("/api/friends", 200, {"friends": []}),
        (f"/api/friend-links/{code}", 200, {"name": "Anna", "you": False, "friends": False}),
        (f"/api/tables/{table}/invitations", 403, {"reason": "not-seated"}),
    ):
        answer = httpx.get(f"{server.url}{path}", timeout=60, trust_env=False)
        assert answer.status_code == status
        assert expected.items() <= answer.json().items()
        assert "set-cookie" not in answer.headers


def test_people_who_played_together_ask_each_other(guest: Make) -> None:
    anna, ben, eve = guest("Anna"), guest("Ben"), guest("Eve")
    table = anna.create(players=2)["table"]
    ben.act(table, "join", contribution="2" * 64)
    eve.ask("POST", "/api/friends", json={"table": table, "seat": 0}, status=403)
    anna.ask("POST", "/api/friends", json={"table": table, "seat": 4}, status=404)
    anna.ask("POST", "/api/friends", json={"table": table, "seat": 0}, status=409)
    asked = anna.ask("POST", "/api/friends", json={"table": table, "seat": 1})
    assert names(asked["friends"]) == [("Ben", "asked")]
    (waiting,) = friends_of(ben)
    assert (waiting["name"], waiting["state"], waiting["seen"]) == ("Anna", "wants", 0)
    assert names(ben.ask("PUT", f"/api/friends/{waiting['id']}")["friends"]) == [
        ("Anna", "friends")
    ]
    assert friends_of(anna)[0]["seen"] > 0
    # A handle is good for nothing on other lists.
    anna.ask("DELETE", f"/api/friends/{waiting['id']}", status=404)
    assert ben.ask("DELETE", f"/api/friends/{waiting['id']}")["friends"] == []
    assert friends_of(anna) == []


def test_friends_are_invited_to_a_table(guest: Make) -> None:
    anna, ben, eve = guest("Anna"), guest("Ben"), guest("Eve")
    befriend(anna, ben)
    (friend,) = friends_of(anna)
    table = anna.create(players=2)["table"]
    body = {"friend": friend["id"]}
    eve.ask("POST", f"/api/tables/{table}/invitations", json=body, status=403)
    told = anna.ask("POST", f"/api/tables/{table}/invitations", json=body)
    assert told == {"friends": [friend["id"]], "people": 1}
    assert anna.ask("GET", f"/api/tables/{table}/invitations") == told
    (invitation,) = ben.ask("GET", "/api/my/invitations")["invitations"]
    assert (invitation["name"], invitation["table"]["table"]) == ("Anna", table)
    assert eve.ask("GET", "/api/my/invitations")["invitations"] == []
    assert ben.ask("DELETE", f"/api/my/invitations/{table}")["invitations"] == []
    anna.ask("POST", f"/api/tables/{table}/invitations", json=body)
    assert ben.ask("GET", "/api/my/invitations")["invitations"] == []


def test_only_friends_are_invited(guest: Make) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    table = anna.create(players=3)["table"]
    ben.act(table, "join", contribution="2" * 64)
    asked = anna.ask("POST", "/api/friends", json={"table": table, "seat": 1})["friends"]
    other = anna.create(players=2)["table"]
    path = f"/api/tables/{other}/invitations"
    anna.ask("POST", path, json={"friend": asked[0]["id"]}, status=403)
    anna.ask("POST", path, json={}, status=422)
    # A table where nobody has played yet is no reason to invite anybody.
    assert anna.ask("POST", path, json={"again": table})["people"] == 0
    assert ben.ask("GET", "/api/my/invitations")["invitations"] == []


def test_who_sits_down_is_invited_no_more(guest: Make) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    befriend(anna, ben)
    table = anna.create(players=3)["table"]
    body = {"friend": friends_of(anna)[0]["id"]}
    anna.ask("POST", f"/api/tables/{table}/invitations", json=body)
    assert len(ben.ask("GET", "/api/my/invitations")["invitations"]) == 1
    ben.act(table, "join", contribution="2" * 64)
    assert ben.ask("GET", "/api/my/invitations")["invitations"] == []


def test_friends_are_not_found_by_trying(tmp_path: Path) -> None:
    with serving(tmp_path, rate_factor=1) as server:
        eve = Guest(server)
        answers = [
            eve.http.get(f"/api/friend-links/{number:022}").status_code for number in range(60)
        ]
        assert set(answers) == {404, 429}
        eve.close()


@pytest.mark.parametrize("avatar", ["RO", ""])
def test_an_avatar_is_seen_by_friends(guest: Make, avatar: str) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    befriend(anna, ben)
    assert anna.ask("PUT", "/api/me/profile", json={"avatar": avatar})["avatar"] == avatar
    assert friends_of(ben)[0]["avatar"] == avatar
    anna.ask("PUT", "/api/me/profile", json={"avatar": "../secret"}, status=422)


def test_an_avatar_is_seen_at_the_table(guest: Make) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    anna.ask("PUT", "/api/me/profile", json={"avatar": "L"})
    table = anna.create(players=2)["table"]
    ben.act(table, "join")
    ben.ask("PUT", "/api/me/profile", json={"avatar": "RO"})
    assert [seat["avatar"] for seat in ben.look(table)["seats"]] == ["L", "RO"]


def test_nobody_learns_ids(guest: Make) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    befriend(anna, ben)
    person = anna.http.cookies["patrizier"].split("~")[0].strip('"')
    assert person not in ben.http.get("/api/friends").text
