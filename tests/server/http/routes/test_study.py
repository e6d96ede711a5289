"""Hints, replays and lessons, by requests to the real server."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from patrizier import Game, Move, Options, __version__
from patrizier.server.http.pages.site import DOCS
from patrizier.standing import Standings, standings_of
from server.support.serving import Guest, Serving, next_turn, serving

Make = Callable[..., Guest]
SCHEMA = json.loads(Path("docs/view.schema.json").read_text("utf-8"))


def as_json(steps: Standings) -> Any:
    return json.loads(json.dumps({step: asdict(standing) for step, standing in steps.items()}))


def finished_record(seed: int = 1, players: int = 2, rules: tuple[str, ...] = ()) -> Game:
    game, rng = Game(Options(players, rules), seed=seed), Random(seed)
    while not game.is_over:
        game.play(rng.choice(game.legal_moves))
    return game


def my_turn(who: Guest, table: str) -> dict[str, Any]:
    """Wait until it is a person's turn against bots."""
    until = time.monotonic() + 60
    message = who.look(table)
    while message["you"]["to_move"] is None and message["phase"] == "playing":
        assert time.monotonic() < until
        message = who.look(table, since=message["seq"], wait=5)
    return message


# -- hints


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


# -- replays


@pytest.mark.parametrize(
    ("players", "rules"), [(2, ()), (3, ("messengers",)), (5, ("open-ledger",))]
)
def test_a_record_is_shown_position_by_position(
    guest: Make, players: int, rules: tuple[str, ...]
) -> None:
    game = finished_record(7, players, rules)
    names = ["Anna", "Ben", 'C"/\\o', "Dora", "Emil"][:players]
    text = str(game.record(names, Event="a club"))
    shown = guest().ask("POST", "/api/records/replay", json={"record": text})
    assert shown["players"] == players
    assert shown["rules"] == list(rules)
    assert shown["names"] == names
    assert shown["tags"]["Event"] == "a club"
    assert shown["turns"] == [record.to_json() for record in game.records]
    outcome = game.outcome()
    assert outcome is not None
    assert shown["outcome"] == outcome.to_json()
    assert [frame["turn"] for frame in shown["frames"]] == list(range(game.turn + 1))
    again = Game(game.options, deal=game.deal)
    for number, frame in enumerate(shown["frames"]):
        jsonschema.validate(frame, SCHEMA)
        assert frame["viewer"] is None
        assert frame["history"] == frame["legal"] == []
        for seat, table in zip(frame["seats"], frame["table"], strict=True):
            assert table["pile"] == seat["pile"]
            assert table["tokens"] == seat["tokens"]
        if number < game.turn:
            assert again.seat is not None
            hand = again.view(again.seat).seats[again.seat].hand
            assert shown["hands"][number][again.seat] == list(hand)
            before, taken = again.state, len(again.decisions)
            again.play(game.moves[number])
            steps = standings_of(before, again.decisions[taken:])
            assert shown["standings"][number] == as_json(steps)
            assert [each["total"] for each in shown["scores"][number + 1]] == [
                each.total - (0 if again.is_over else each.minus) for each in again.scores()
            ]
    assert shown["hands"][-1] == [[]] * players
    assert shown["scores"][0] == [dict.fromkeys(shown["scores"][0][0], 0)] * players
    assert shown["scores"][-1] == shown["outcome"]["scores"]


def test_an_unfinished_record_with_comments_is_shown_too(guest: Make) -> None:
    game = Game(Options(players=2), seed=3)
    first = game.legal_moves[0]
    game.play(first)
    comments = "{after} {%shares 50.0/50.0} {%why all}"  # figures are not for reading
    text = str(game.record()).replace(str(first), f"{{before}} {first} {comments}")
    shown = guest().ask("POST", "/api/records/replay", json={"record": text})
    assert shown["outcome"] is None
    assert shown["names"] == []
    assert shown["comments"] == [["before"], ["after", "all"]]
    assert len(shown["frames"]) == 2


def test_a_broken_record_is_refused_with_its_line(guest: Make) -> None:
    anna = guest()
    text = str(finished_record().record())
    moves = text.split("\n\n")[1]
    first = moves.split()[1]
    bad = text.replace(first, "BO9:L", 1)
    line = text[: text.index(first)].count("\n") + 1
    problem = anna.ask("POST", "/api/records/replay", status=422, json={"record": bad})
    assert f"line {line}" in problem["text"]
    assert problem["reason"] == "form-card"
    assert problem["values"] == {"card": "BO9", "line": line, "why": problem["text"]}
    cut = text.replace('[Players "2"]\n', "")
    problem = anna.ask("POST", "/api/records/replay", status=422, json={"record": cut})
    assert (problem["reason"], problem["values"]["tag"]) == ("record-missing", "Players")
    for record in ("", " ", "hello", text + text, "x" * 60_001, "[Game \ud800"):
        body = json.dumps({"record": record})
        headers = {"Content-Type": "application/json"}
        path = "/api/records/replay"
        assert anna.ask("POST", path, status=422, content=body, headers=headers)["text"]
    anna.ask("POST", "/api/records/replay", status=413, json={"record": "x" * 70_000})


def test_a_finished_table_is_shown_to_those_who_may_see_it(guest: Make) -> None:
    anna, ben, stranger = guest("Anna"), guest("Ben"), guest("Stranger")
    table = anna.create(watch="link")["table"]
    ben.act(table, "join", contribution="2" * 64)
    anna.ask("GET", f"/api/tables/{table}/replay", status=409)
    rng = Random(1)
    for _ in range(48):
        message = anna.look(table)
        who = anna if message["you"]["to_move"] is not None else ben
        who.act(table, "play", **next_turn(who.look(table), rng))
    shown = anna.ask("GET", f"/api/tables/{table}/replay")
    assert shown["names"] == ["Anna", "Ben"]
    assert len(shown["frames"]) == 49
    record = anna.http.get(f"/api/tables/{table}/record").text
    assert shown == anna.ask("POST", "/api/records/replay", json={"record": record})
    stranger.ask("GET", f"/api/tables/{table}/replay", status=403)
    key = anna.look(table)["you"]["watch_key"]
    stranger.ask("GET", f"/api/tables/{table}/replay", params={"key": key})


# -- lessons and the server


def test_a_page_learns_all_lessons_by_requests(guest: Make) -> None:
    anna = guest()
    listed = anna.ask("GET", "/api/lessons")["lessons"]
    assert [line["name"] for line in listed] == [
        "build", "complete", "tie", "empty-site", "free-draw", "move", "portraits", "double",
        "last-cards", "messenger",
    ]  # fmt: skip
    for line in listed:
        path = f"/api/lessons/{line['name']}/play"
        begun = anna.ask("POST", path, json={})
        assert anna.ask("GET", path.removesuffix("/play")) == begun
        jsonschema.validate(begun["view"], SCHEMA)
        assert (begun["done"], begun["reached"], begun["why"]) == (False, False, "")
        assert begun["goal"] == line["goal"]
        legal = {move.partition(">")[0].partition("+")[0] for move in begun["view"]["legal"]}
        assert {move.partition("@")[0] for move in legal} <= set(begun["standings"])
        answers = [
            anna.ask("POST", path, json={"moves": [move]}) for move in begun["view"]["legal"][:40]
        ]
        assert all(answer["done"] for answer in answers)
        for answer in answers:
            move = Move(answer["record"]["move"])
            steps = {f"{move.card}:{move.sites}"} | {f"{move.card}:{site}" for site in move.sites}
            assert set(answer["standings"]) == steps | ({f">{move.moved}"} if move.moved else set())
        assert all(answer["reached"] == (answer["why"] == "") for answer in answers)
        problem = anna.ask("POST", path, status=422, json={"moves": ["BO9:L"]})
        assert problem["code"] == "invalid"
    anna.ask("GET", "/api/lessons/unknown", status=422)
    anna.ask("POST", "/api/lessons/unknown/play", status=422, json={})
    anna.ask("POST", "/api/lessons/tie/play", status=422, json={"moves": ["BO1:L"] * 2})


def test_a_page_is_told_of_the_server(server: Serving, guest: Make, tmp_path: Path) -> None:
    told = guest().ask("GET", "/api/config")
    has_docs = (DOCS / "index.html").is_file()
    assert told == {"version": __version__, "mail": False, "docs": has_docs}
    with serving(tmp_path, smtp_url="smtp://localhost:1", mail_from="a@b.example") as other:
        anna = Guest(other)
        assert anna.ask("GET", "/api/config")["mail"] is True
        anna.close()
