"""Lessons, by requests to the real server."""

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema

from patrizier import Move
from server.support.serving import Guest

Make = Callable[..., Guest]
SCHEMA = json.loads(Path("docs/view.schema.json").read_text("utf-8"))


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
