"""A game by plain requests, as curl would play it."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Timer

import httpx
import pytest

from patrizier import Game
from server.support.serving import Guest, Serving, new_id, next_turn, serving

Make = Callable[..., Guest]


def two_at_a_table(guest: Make, **setup: object) -> tuple[Guest, Guest, str]:
    anna, ben = guest("Anna"), guest("Ben")
    table = anna.create(**setup)["table"]
    ben.act(table, "join", contribution="2" * 64)
    return anna, ben, table


def test_two_people_play_a_whole_game_by_requests(guest: Make) -> None:
    anna, ben, table = two_at_a_table(guest, rated=True)
    rng = Random(1)
    for turn in range(48):
        for who in (anna, ben):
            message = who.look(table)
            if message["you"]["to_move"] is not None:
                answer = who.act(table, "play", **next_turn(message, rng))
                assert answer["turn"] == turn + 1
                break
        else:
            pytest.fail("nobody is to move")
    assert answer["phase"] == "finished"
    record = anna.http.get(f"/api/tables/{table}/record")
    assert record.headers["content-type"].startswith("text/plain")
    assert record.headers["content-disposition"].startswith("attachment")
    game = Game.from_record(record.text)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.to_json() == answer["result"]["outcome"]
    assert 'Names "Anna/Ben"' in record.text
    assert ben.http.get(f"/api/tables/{table}/record").text == record.text

    def settled() -> bool:
        return bool(anna.ask("GET", "/api/my/games")["games"])

    for _ in range(100):
        if settled():
            break
        anna.look(table, wait=0.1, since=answer["seq"])
    (line,) = anna.ask("GET", "/api/my/games")["games"]
    assert line["table"] == table
    assert [seat["points"] for seat in line["seats"]] == list(outcome.points)
    assert [seat["you"] for seat in line["seats"]] == [True, False]
    (mine,) = anna.ask("GET", "/api/my/ratings")["ratings"]
    assert (mine["name"], mine["players"], mine["games"], mine["you"]) == ("Anna", 2, 1, True)
    best = anna.ask("GET", "/api/ratings/2")["ratings"]
    assert {"Anna", "Ben"} <= {each["name"] for each in best}
    assert anna.ask("GET", "/api/my/tables")["tables"] == []


def test_refusals_say_why_and_change_nothing(guest: Make) -> None:
    anna, ben, table = two_at_a_table(guest)
    stranger = guest("Stranger")
    message = anna.look(table)
    to_move, other = (anna, ben) if message["you"]["to_move"] is not None else (ben, anna)
    message = to_move.look(table)
    turn = next_turn(message, Random(1))
    for who, change, status, code in (
        (other, {}, 403, "foreign"),
        (stranger, {}, 403, "foreign"),
        (to_move, {"at_turn": 1}, 409, "stale"),
        (to_move, {"move": "nonsense"}, 422, "invalid"),
        (to_move, {"move": "PI1:LL"}, 422, "illegal"),
        (to_move, {"seat": 4}, 404, "unknown"),
        (to_move, {"seat": 99}, 422, "invalid"),
        (to_move, {"kind": "dance"}, 422, "invalid"),
        (to_move, {"more": 1}, 422, "invalid"),
    ):
        body = {"kind": "play", "id": new_id(), **turn, **change}
        path = f"/api/tables/{table}/commands"
        problem = who.ask("POST", path, status=status, json=body)
        assert problem["code"] == code, change
        assert problem["text"]
    assert to_move.look(table)["seq"] == message["seq"]


def test_a_repeated_command_happens_once(guest: Make) -> None:
    anna, ben, table = two_at_a_table(guest)
    who = anna if anna.look(table)["you"]["to_move"] is not None else ben
    body = {"kind": "play", "id": new_id(), **next_turn(who.look(table), Random(1))}
    path = f"/api/tables/{table}/commands"
    first = who.ask("POST", path, json=body)
    again = who.ask("POST", path, json=body)
    assert first["turn"] == again["turn"] == 1
    assert first["seq"] == again["seq"]
    assert again["answers"] == body["id"]


def test_making_a_table_twice_makes_one(guest: Make) -> None:
    anna = guest("Anna")
    body = {"id": "once", "setup": {"players": 2}}
    first = anna.ask("POST", "/api/tables", status=201, json=body)
    again = anna.ask("POST", "/api/tables", status=201, json=body)
    assert first["table"] == again["table"]


def test_public_tables_are_listed_and_others_are_not(guest: Make) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    public = anna.create(public=True, pace={"kind": "realtime", "base": 300, "increment": 5})
    hidden = anna.create()
    listed = {line["table"]: line for line in ben.ask("GET", "/api/tables")["tables"]}
    assert hidden["table"] not in listed
    line = listed[public["table"]]
    assert (line["free"], line["players"], line["phase"]) == (1, 2, "open")
    assert line["pace"] == {"kind": "realtime", "base": 300, "increment": 5}
    assert [seat["name"] for seat in line["seats"]] == ["Anna", ""]
    assert not any(seat["you"] for seat in line["seats"])
    mine = anna.ask("GET", "/api/my/tables")["tables"]
    assert {line["table"] for line in mine} == {public["table"], hidden["table"]}
    ben.act(public["table"], "join", contribution="2" * 64)
    tables = ben.ask("GET", "/api/tables")["tables"]
    assert public["table"] not in {line["table"] for line in tables}


def test_your_turn_comes_first(guest: Make) -> None:
    anna, ben, table = two_at_a_table(guest)
    who = anna if anna.look(table)["you"]["to_move"] is not None else ben
    later = who.create()["table"]
    lines = who.ask("GET", "/api/my/tables")["tables"]
    assert [line["table"] for line in lines] == [table, later]
    assert [line["your_turn"] for line in lines] == [True, False]


def test_a_stranger_gets_no_hand(guest: Make) -> None:
    anna, ben, table = two_at_a_table(guest, watch="nobody")
    stranger = guest("Stranger").look(table)
    assert stranger["you"]["role"] == "outsider"
    assert stranger["views"] == []
    assert anna.look(table)["views"][0]["seat"] == 0
    assert ben.look(table)["views"][0]["seat"] == 1


def test_the_watchers_link_opens_the_table(guest: Make) -> None:
    anna, _, table = two_at_a_table(guest, watch="link")
    key = anna.look(table)["you"]["watch_key"]
    stranger = guest("Stranger")
    assert stranger.look(table)["you"]["role"] == "outsider"
    assert stranger.look(table, key="wrong")["you"]["role"] == "outsider"
    message = stranger.look(table, key=key)
    assert message["you"]["role"] == "watcher"
    assert [view["seat"] for view in message["views"]] == [None]


def test_waiting_ends_when_something_happens(guest: Make) -> None:
    anna, ben, table = two_at_a_table(guest)
    seq = anna.look(table)["seq"]
    quiet = anna.look(table, since=seq, wait=0.2)
    assert (quiet["seq"], quiet["log"]) == (seq, [])
    timer = Timer(0.3, ben.act, (table, "say"), {"text": "hello"})
    timer.start()
    news = anna.look(table, since=seq, wait=20)
    timer.join()
    assert [entry["text"] for entry in news["log"]] == ["hello"]


def test_who_waits_is_answered_when_the_server_stops(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as threads:
        with serving(tmp_path, connections_per_person=1) as server:
            anna = Guest(server, "Anna")
            message = anna.create()
            path = f"/api/tables/{message['table']}?since={message['seq']}"

            def insist() -> httpx.Response:
                while (answer := anna.http.get(f"{path}&wait=30")).status_code == 429:
                    time.sleep(0.01)  # the one who tries below was faster
                return answer

            waiting = threads.submit(insist)
            while anna.http.get(f"{path}&wait=0.01").status_code != 429:
                time.sleep(0.01)  # until the other one waits
        answer = waiting.result()
        anna.close()
    assert (answer.status_code, answer.json()["seq"]) == (200, message["seq"])


def test_nobody_waits_in_many_places(server: Serving, guest: Make) -> None:
    anna = guest("Anna")
    message = anna.create()
    most = server.settings.connections_per_person
    path = f"/api/tables/{message['table']}?since={message['seq']}"

    def wait(seconds: float) -> int:
        return anna.http.get(f"{path}&wait={seconds}").status_code

    def insist() -> int:
        while (status := wait(30)) == 429:  # the one who tries below was faster
            time.sleep(0.01)
        return status

    with ThreadPoolExecutor(most) as threads:
        waiting = [threads.submit(insist) for _ in range(most)]
        assert any(wait(0.01) == 429 for _ in range(500))  # as soon as all are there
        anna.act(message["table"], "say", text="that will do")
        assert [each.result() for each in waiting] == [200] * most


def test_a_bot_answers(guest: Make) -> None:
    anna = guest("Anna")
    message = anna.create(seats=["person", "apprentice"])
    table, rng = message["table"], Random(1)
    for _ in range(400):
        if message["you"]["to_move"] is not None:
            message = anna.act(table, "play", **next_turn(message, rng))
        elif message["turn"] < 6:
            message = anna.look(table, since=message["seq"], wait=5)
        if message["turn"] >= 6:
            break
    assert message["turn"] >= 6
    assert {"person", "bot"} <= {e["by"] for e in anna.look(table)["log"] if e["kind"] == "turn"}


def test_unknown_tables_are_unknown(guest: Make) -> None:
    anna = guest("Anna")
    for path in ("x" * 24, "x" * 24 + "/record"):
        assert anna.ask("GET", f"/api/tables/{path}", status=404)["code"] == "unknown"
    assert anna.ask("GET", "/api/tables/short", status=422)["code"] == "invalid"
    anna.act("x" * 24, "join", status=404)


def test_the_record_of_a_game_that_goes_on_stays_closed(guest: Make) -> None:
    anna, _, table = two_at_a_table(guest)
    answer = anna.http.get(f"/api/tables/{table}/record")
    assert (answer.status_code, answer.json()["code"]) == (409, "closed")


def test_lists_without_a_cookie_make_nobody_a_guest(server: Serving, tmp_path: Path) -> None:
    import httpx

    for path in ("/api/tables", "/api/my/tables", "/api/my/games", "/api/my/ratings"):
        answer = httpx.get(server.url + path, timeout=60, trust_env=False)
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers
