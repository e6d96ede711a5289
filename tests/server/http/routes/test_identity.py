import time
from collections.abc import Callable
from random import Random

import pytest

from server.support.serving import Guest, Serving, new_id, next_turn

Make = Callable[..., Guest]

PASSWORD = "correct horse"


def name_of_account() -> str:
    return f"anna-{new_id()}"


def test_a_visitor_is_a_guest_at_once(guest: Make) -> None:
    anna = guest()
    assert anna.me["name"].startswith("Guest ")
    assert anna.me["account"] is None
    assert anna.ask("GET", "/api/me") == anna.me
    assert len(anna.http.cookies) == 1


def test_a_name_stays(guest: Make) -> None:
    anna = guest(" Anna  Maria ")
    assert anna.me["name"] == "Anna Maria"
    assert anna.ask("GET", "/api/me")["name"] == "Anna Maria"
    problem = anna.ask("PUT", "/api/me/name", status=422, json={"name": "x" * 40})
    assert problem["code"] == "invalid"
    assert "24" in problem["text"]


def test_another_name_is_known_at_the_tables(guest: Make) -> None:
    anna = guest("Anna")
    table = anna.create()["table"]
    anna.know(anna.http.put("/api/me/name", json={"name": "Annette"}))
    assert anna.look(table)["seats"][0]["name"] == "Annette"


def test_an_account_takes_the_games_along(server: Serving, guest: Make) -> None:
    anna, login = guest("Anna"), name_of_account()
    table = anna.create()["table"]
    body = {"name": login.upper(), "password": PASSWORD}
    me = anna.know(anna.http.post("/api/account", json=body))
    assert (me["name"], me["account"]) == ("Anna", login)
    assert anna.look(table)["you"]["seats"] == [0]

    elsewhere = guest("Somebody")
    me = elsewhere.know(elsewhere.http.post("/api/session", json=body))
    assert (me["name"], me["account"]) == ("Anna", login)
    assert elsewhere.look(table)["you"]["seats"] == [0]
    mine = elsewhere.ask("GET", "/api/my/tables")["tables"]
    assert [line["table"] for line in mine] == [table]


def test_signing_out_brings_the_guest_back(guest: Make) -> None:
    anna, login = guest("Anna"), name_of_account()
    body = {"name": login, "password": PASSWORD}
    anna.know(anna.http.post("/api/account", json=body))
    ben = guest("Ben")
    table = ben.create()["table"]
    ben.know(ben.http.post("/api/session", json=body))
    assert ben.look(table)["you"]["seats"] == [0]
    me = ben.know(ben.http.delete("/api/session"))
    assert (me["name"], me["account"]) == ("Ben", None)
    assert ben.look(table)["you"]["seats"] == []  # the account has taken it along
    assert ben.ask("DELETE", "/api/session", status=409)["code"] == "no-account"
    me = anna.know(anna.http.get("/api/me"))  # signed out, too; who was no guest becomes a new one
    assert (me["name"][:6], me["account"]) == ("Guest ", None)


def test_wrong_passwords_and_taken_names_are_refused(guest: Make) -> None:
    anna, login = guest("Anna"), name_of_account()
    body = {"name": login, "password": PASSWORD}
    weak = anna.ask("POST", "/api/account", status=422, json={"name": login, "password": "horse"})
    assert weak["code"] == "weak-password"
    for common in ("password1", f"{login}1"):
        body_ = {"name": login, "password": common}
        problem = anna.ask("POST", "/api/account", status=422, json=body_)
        assert problem["reason"] == "common-password"
    anna.know(anna.http.post("/api/account", json=body))
    again = anna.ask("POST", "/api/account", status=409, json=body)
    assert again["code"] == "has-account"
    ben = guest("Ben")
    assert ben.ask("POST", "/api/account", status=409, json=body)["code"] == "login-taken"
    wrong = ben.ask("POST", "/api/session", status=403, json=body | {"password": "wrong horse"})
    nobody = ben.ask("POST", "/api/session", status=403, json=body | {"name": "nobody-here"})
    assert wrong == nobody
    assert ben.ask("GET", "/api/me")["name"] == "Ben"


def test_another_password_signs_other_devices_out(guest: Make) -> None:
    anna, phone, login = guest("Anna"), guest(), name_of_account()
    body = {"name": login, "password": PASSWORD}
    anna.know(anna.http.post("/api/account", json=body))
    phone.know(phone.http.post("/api/session", json=body))
    change = {"old": "wrong horse", "new": "battery staple"}
    assert anna.ask("PUT", "/api/account/password", status=403, json=change)
    change["old"] = PASSWORD
    anna.know(anna.http.put("/api/account/password", json=change))
    assert anna.ask("GET", "/api/me")["account"] == login
    assert phone.ask("GET", "/api/me")["account"] is None
    body["password"] = "battery staple"
    phone.know(phone.http.get("/api/me"))
    phone.know(phone.http.post("/api/session", json=body))
    anna.know(anna.http.delete("/api/session"))
    assert phone.ask("GET", "/api/me")["account"] is None


def test_names_that_nobody_chose_come_with_what_pages_need_to_say_them(guest: Make) -> None:
    anna, ben = guest(), guest("Somebody")
    number = int(anna.me["name"].removeprefix("Guest "))
    assert anna.me["alias"] == {"kind": "guest", "number": number}
    assert ben.me["alias"] is None  # chosen, whatever it is
    table = anna.create(public=True)["table"]
    anna.act(table, "say", text="good day")
    seat, free = ben.look(table)["seats"]
    assert (seat["name"], seat["alias"]) == (anna.me["name"], anna.me["alias"])
    assert free["alias"] is None
    ben.act(table, "join", contribution="2" * 64)
    told = ben.look(table)
    assert [each["alias"] for each in told["seats"]] == [anna.me["alias"], None]
    (said,) = [entry for entry in told["log"] if entry["kind"] == "said"]
    joined = [entry for entry in told["log"] if entry.get("what") == "joined"]
    assert said["alias"] == joined[0]["alias"] == anna.me["alias"]
    assert joined[1]["alias"] is None
    (line,) = ben.ask("GET", "/api/my/tables")["tables"]
    assert [each["alias"] for each in line["seats"]] == [anna.me["alias"], None]
    anna.know(anna.http.post("/api/me/erase", json={}))
    told = ben.look(table)
    somebody = {"kind": "somebody", "number": None}
    assert (told["seats"][0]["name"], told["seats"][0]["alias"]) == ("Somebody", somebody)
    assert told["seats"][1]["alias"] is None
    joined = [entry for entry in told["log"] if entry.get("what") == "joined"]
    assert [entry["alias"] for entry in joined] == [somebody, None]


def test_my_data_can_be_deleted(guest: Make) -> None:
    anna, ben, login = guest("Anna"), guest("Ben"), name_of_account()
    body = {"name": login, "password": PASSWORD}
    anna.know(anna.http.post("/api/account", json=body))
    table = anna.create()["table"]
    anna.act(table, "say", text="good day to everybody")
    ben.act(table, "join", contribution="2" * 64)
    cookie = dict(anna.http.cookies)
    anna.ask("POST", "/api/me/erase", status=403, json={})
    me = anna.know(anna.http.post("/api/me/erase", json={"password": PASSWORD}))
    assert me["name"].startswith("Guest ")
    seen = ben.http.get(f"/api/tables/{table}").text
    assert "Anna" not in seen
    assert "good day" not in seen
    assert '"phase":"playing"' in seen
    assert ben.ask("POST", "/api/session", status=403, json=body)
    copied = guest()
    copied.http.cookies.clear()
    copied.http.cookies.update(cookie)
    assert copied.ask("GET", "/api/me")["account"] is None


def test_a_server_without_mails_says_so(guest: Make) -> None:
    anna = guest("Anna")
    body = {"email": "anna@post.example"}
    assert anna.ask("PUT", "/api/me/mail", status=409, json=body)["code"] == "no-mail"
    assert anna.ask("PUT", "/api/me/mail", status=422, json={"email": "anna"})["code"] == "invalid"
    me = anna.ask("PUT", "/api/me/mail", json={"email": None, "wanted": False})
    assert (me["email"], me["mail_wanted"]) == (None, False)


def test_signing_in_takes_the_guests_games_along(guest: Make) -> None:
    account, ben = guest("Anna"), guest("Ben")
    body = {"name": name_of_account(), "password": PASSWORD}
    account.know(account.http.post("/api/account", json=body))
    visitor = guest("Visitor")
    running = visitor.create()["table"]
    ben.act(running, "join", contribution="2" * 64)
    visitor.act(running, "say", text="hello from a guest")
    hosted = visitor.create(players=3)["table"]
    done = visitor.create()["table"]
    ben.act(done, "join", contribution="2" * 64)
    play_to_the_end(done, visitor, ben)
    both = visitor.create()["table"]
    account.act(both, "join", contribution="3" * 64)
    seat = visitor.look(running)["you"]["seats"]

    visitor.know(visitor.http.post("/api/session", json=body))
    message = visitor.look(running)
    assert message["you"]["seats"] == seat == [0]
    assert message["you"]["host"]
    assert [each["name"] for each in message["seats"]] == ["Anna", "Ben"]
    assert account.look(running)["you"]["seats"] == [0]  # it is the same person by now
    assert {line["table"] for line in visitor.ask("GET", "/api/my/tables")["tables"]} == {
        running, hosted, both,
    }  # fmt: skip
    assert visitor.look(both)["you"]["seats"] == [1]  # that one sat there as well
    (game,) = visitor.ask("GET", "/api/my/games")["games"]
    assert game["table"] == done
    assert game["seats"][0]["name"] == "Visitor"
    mover = visitor if message["you"]["to_move"] is not None else ben
    mover.act(running, "play", **next_turn(mover.look(running), Random(1)))
    visitor.act(hosted, "fill-with-bots", level="apprentice")

    phone = guest()
    phone.know(phone.http.post("/api/session", json=body))
    phone.know(phone.http.post("/api/me/erase", json={"password": PASSWORD}))
    for table in (running, done):
        told = ben.look(table)
        assert "guest" not in str(told["log"])
        assert told["seats"][0]["name"] not in ("Anna", "Visitor")
    record = ben.http.get(f"/api/tables/{done}/record").text
    assert "Visitor" not in record


def play_to_the_end(table: str, *people: Guest) -> None:
    """Finish a game of two people, and wait until it is in their history."""
    rng = Random(1)
    for _ in range(48):
        told = [(who, who.look(table)) for who in people]
        who, message = next(each for each in told if each[1]["you"]["to_move"] is not None)
        who.act(table, "play", **next_turn(message, rng))
    for _ in range(200):
        if people[0].ask("GET", "/api/my/games")["games"]:
            return
        time.sleep(0.05)
    pytest.fail("the game was never settled")
