"""What if: lines that play on from a record, by requests to the real server."""

from collections.abc import Callable
from typing import Any

import pytest

from analysis.games import random_game
from patrizier.game import Game
from patrizier.server.protocol.messages import LineAnswer
from server.support.serving import Guest

Make = Callable[..., Guest]
_GAME = random_game(3, 5, ("messengers",))
RECORD = str(_GAME.record(("Anna", "Ben", "Carla")))


def at(turns: int, *moves: str) -> Game:
    """The game as it stood, and what is played from there on."""
    game = Game(_GAME.options, deal=_GAME.deal)
    for played in _GAME.moves[:turns]:
        game.play(played)
    for move in moves:
        game.play(move)
    return game


def test_a_line_plays_on_from_any_position(guest: Make) -> None:
    anna = guest()
    other = next(m for m in at(7).legal_moves if m != _GAME.moves[7] and "@" not in m.text).text
    body = {"record": RECORD, "at": 7, "moves": [other]}
    told = LineAnswer.model_validate(anna.ask("POST", "/api/lines", json=body))
    game = at(7, other)
    assert told.seat == game.seat
    assert told.view.root["legal"] == [move.text for move in game.legal_moves]
    assert told.record is not None
    assert told.record["move"] == other
    assert other.partition("+")[0].partition(">")[0] in told.steps
    assert set(told.standings) >= {step.split(">")[0].split("+")[0].split("@")[0]
                                   for step in told.view.root["legal"]}  # fmt: skip
    assert sorted(map(len, told.hands)) == [3, 3, 3]
    assert told.outcome is None


def test_decisions_of_a_turn_show_the_refill_before_the_messenger(guest: Make) -> None:
    anna = guest()
    turn = next(
        n for n in range(len(_GAME.moves)) if any("@" in move.text for move in at(n).legal_moves)
    )
    move = next(move for move in at(turn).legal_moves if "@" in move.text)
    game, decisions = at(turn), list[str]()
    while game.phase != "messenger":
        code = move.decision(game.phase)
        decisions.append(game.state.decision_text(code))
        game.decide(code)
    body = {"record": RECORD, "at": turn, "decisions": decisions}
    told = anna.ask("POST", "/api/lines", json=body)
    assert told["view"]["phase"] == "messenger"
    assert decisions[0] in told["steps"]


def test_the_end_of_a_line_has_an_outcome(guest: Make) -> None:
    told = guest().ask("POST", "/api/lines", json={"record": RECORD, "at": len(_GAME.moves)})
    outcome = _GAME.outcome()
    assert outcome is not None
    assert told["seat"] is None
    assert [score["total"] for score in told["outcome"]["scores"]] == list(outcome.points)
    advice = {"record": RECORD, "at": len(_GAME.moves)}
    assert guest().ask("POST", "/api/lines/advice", json=advice)["candidates"] == []
    reply = {**advice, "level": "apprentice"}
    assert guest().ask("POST", "/api/lines/reply", json=reply, status=422)["reason"] == "rule-over"


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({"at": 55}, 404, "no-such-turn"),
        ({"at": 3, "moves": ["BO1:LLL"]}, 422, "form-turn"),
        ({"at": 3, "moves": [_GAME.moves[0].text]}, 422, "rule-hand"),
        ({"at": 3, "decisions": ["nonsense"]}, 422, "unreadable-turn"),
    ],
)
def test_what_cannot_be_is_refused(
    guest: Make, body: dict[str, Any], status: int, reason: str
) -> None:
    body = {"record": RECORD, **body}
    problem = guest().ask("POST", "/api/lines", json=body, status=status)
    assert problem["reason"] == reason


def test_long_lines_are_kept_under_a_link(guest: Make) -> None:
    anna, ben = guest(), guest()
    study = "1." + "aZ_-9" * 2000
    kept = anna.ask("POST", "/api/lines/kept", json={"study": study}, status=201)
    assert ben.ask("GET", f"/api/lines/kept/{kept['id']}") == kept == {**kept, "study": study}
    problem = ben.ask("GET", f"/api/lines/kept/{'A' * 16}", status=404)
    assert problem["reason"] == "no-lines"


@pytest.mark.parametrize("study", ["", "1.", "<b>", "1." + "a" * 60_000])
def test_only_packed_lines_are_kept(guest: Make, study: str) -> None:
    guest().ask("POST", "/api/lines/kept", json={"study": study}, status=422)
