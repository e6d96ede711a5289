"""Hints, by requests to the real server."""

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from patrizier import Move
from server.support.serving import Guest, next_turn, serving

Make = Callable[..., Guest]


def my_turn(who: Guest, table: str) -> dict[str, Any]:
    """Wait until it is a person's turn against bots."""
    until = time.monotonic() + 60
    message = who.look(table)
    while message["you"]["to_move"] is None and message["phase"] == "playing":
        assert time.monotonic() < until
        message = who.look(table, since=message["seq"], wait=5)
    return message


def ask_hint(who: Guest, message: dict[str, Any], status: int = 200, **change: Any) -> Any:
    body = {"seat": message["you"]["seats"][0], "at_turn": message["turn"], **change}
    path = f"/api/tables/{message['table']}/hint"
    for _ in range(10):  # bots may be busy: the server has just been started
        if who.http.post(path, json=body).status_code != 429:
            break
    return who.ask("POST", path, status=status, json=body)


@pytest.mark.parametrize("rules", [[], ["messengers"]])
def test_a_hint_tells_legal_turns_with_what_they_bring(guest: Make, rules: list[str]) -> None:
    anna = guest("Anna")
    table = anna.create(players=3, seats=["person", "apprentice", "apprentice"], rules=rules)
    message = my_turn(anna, table["table"])
    answer = ask_hint(anna, message)
    assert (answer["turn"], answer["step"]) == (message["turn"], 0)
    assert 2 <= len(answer["candidates"]) <= 3
    moves = [each["move"] for each in answer["candidates"]]
    assert set(moves) <= set(message["views"][0]["view"]["legal"])
    assert len({move.partition("@")[0] for move in moves}) == len(moves)
    for each in answer["candidates"]:
        assert len(each["share"]) == len(each["points"]) == 3
        assert sum(each["share"]) == pytest.approx(1, abs=0.01)


def test_a_hint_in_the_middle_of_a_turn_goes_on_from_there(guest: Make) -> None:
    anna = guest("Anna")
    made = anna.create(seats=["person", "apprentice"], rules=["messengers"])
    for _ in range(20):
        message = my_turn(anna, made["table"])
        legal = message["views"][0]["view"]["legal"]
        laid = next((move for move in legal if "@" in move), None)
        if laid is None:
            anna.act(made["table"], "play", **next_turn(message, Random(1)))
            continue
        build = Move(laid)
        decide = {"decision": f"{build.card}:{build.sites}", "at_turn": message["turn"]}
        message = anna.act(made["table"], "decide", seat=0, at_step=0, **decide)
        if message["step"] == 0:
            continue
        answer = ask_hint(anna, message)
        assert answer["step"] == 1
        rest = message["views"][0]["view"]["legal"]
        assert {each["move"] for each in answer["candidates"]} <= set(rest)
        assert all(move.startswith(decide["decision"]) for move in rest)
        return
    pytest.fail("no messenger could be laid")


def test_hints_are_refused_with_a_reason(guest: Make) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    table = anna.create(players=3, seats=["person", "person", "apprentice"])
    ben.act(table["table"], "join", contribution="2" * 64)
    message = anna.look(table["table"])
    while message["you"]["to_move"] is None:
        told = ben.look(table["table"])
        if told["you"]["to_move"] is not None:
            ben.act(table["table"], "play", **next_turn(told, Random(1)))
        message = anna.look(table["table"])
    problem = ask_hint(anna, message, 403)
    assert problem["code"] == "not-allowed"
    assert "other people" in problem["text"]

    alone = anna.create(seats=["person", "apprentice"])
    message = my_turn(anna, alone["table"])
    assert ask_hint(anna, message, 409, at_turn=message["turn"] + 1)["code"] == "stale"
    assert ask_hint(anna, message, 403, seat=1)["code"] == "foreign"
    assert ask_hint(anna, message, 404, seat=4)["code"] == "unknown"
    assert ask_hint(ben, {**message, "you": {"seats": [0]}}, 403)["code"] == "foreign"
    hot = anna.create(players=2)
    anna.act(hot["table"], "join", hot_seat=True, name="Cleo", contribution="3" * 64)
    told = anna.look(hot["table"])
    assert ask_hint(anna, told, 403, seat=told["you"]["to_move"])["code"] == "not-allowed"
    waiting = anna.create(players=2)
    assert ask_hint(anna, waiting, 409)["code"] == "closed"


def count_until_refused(guest: Guest, path: str, body: dict[str, Any], status: int) -> int:
    """Ask until refused; return how often it worked."""
    for asked in range(100):
        answer = guest.http.request("POST", path, json=body)
        if answer.status_code == 429:
            return asked
        assert answer.status_code == status, answer.text
    raise AssertionError("it is never too much")


def test_hints_and_replays_are_limited(tmp_path: Path) -> None:
    with serving(tmp_path, rate_factor=0.2) as server:  # 2 hints, 6 replays, and few more with time
        anna = Guest(server)
        hint = f"/api/tables/{'A' * 24}/hint"
        assert count_until_refused(anna, hint, {"seat": 0, "at_turn": 0}, 404) >= 2
        assert count_until_refused(anna, "/api/records/replay", {"record": "x"}, 422) >= 6
        anna.close()
