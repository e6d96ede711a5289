"""Replays of tables and records, by requests to the real server."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from patrizier import Game, Options
from patrizier.standing import Standings, standings_of
from server.support.serving import Guest, next_turn

Make = Callable[..., Guest]
SCHEMA = json.loads(Path("docs/view.schema.json").read_text("utf-8"))


def as_json(steps: Standings) -> Any:
    return json.loads(json.dumps({step: asdict(standing) for step, standing in steps.items()}))


def finished_record(seed: int = 1, players: int = 2, rules: tuple[str, ...] = ()) -> Game:
    game, rng = Game(Options(players, rules), seed=seed), Random(seed)
    while not game.is_over:
        game.play(rng.choice(game.legal_moves))
    return game


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
