"""Analyses by requests to the real server, with the real process."""

import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from analysis.games import random_game
from patrizier.server.http.collaborators import Collaborators
from patrizier.server.workers.analyst import Analyst, Step
from server.http.routes.test_games import rated_game
from server.support.serving import Guest, Serving, serving

Make = Callable[..., Guest]


def record(seed: int, turns: int = 3) -> str:
    return str(random_game(2, seed, turns=turns).record(("Anna", "Ben")))


def until_done(who: Guest, key: str) -> Any:
    """Wait for the end, as a page does; return all answers."""
    answers = [who.ask("GET", f"/api/analyses/{key}")]
    while answers[-1]["state"] in ("waiting", "running"):
        answers.append(who.ask("GET", f"/api/analyses/{key}?after={answers[-1]['judged']}"))
    return answers


def test_an_analysis_grows_and_is_there_for_everybody(server: Serving, guest: Make) -> None:
    anna, ben = guest(), guest()
    asked = anna.ask("POST", "/api/analyses", json={"record": record(1)})
    assert (asked["turns"], asked["judged"]) == (3, 0)
    last = until_done(anna, asked["key"])[-1]
    assert (last["state"], last["judged"], last["ahead"]) == ("done", 3, 0)
    assert last["analysis"]["complete"]
    assert last["analysis"]["names"] == []
    begun = server.app.state.parts.analyses.computed
    again = ben.ask("POST", "/api/analyses", json={"record": record(1).replace("Anna", "Carla")})
    assert again == last
    assert server.app.state.parts.analyses.computed == begun


@pytest.mark.parametrize(
    "body",
    [{}, {"record": record(1), "table": "a" * 16}, {"record": ""}, {"record": "x" * 65_000}],
)
def test_a_request_names_one_game(guest: Make, body: dict[str, Any]) -> None:
    guest().ask("POST", "/api/analyses", json=body, status=422)


def test_a_longer_request_is_not_read(guest: Make) -> None:
    body = {"record": "x" * 70_000}
    problem = guest().ask("POST", "/api/analyses", json=body, status=413)
    assert problem["reason"] == "too-large"


def test_an_unreadable_record_is_refused_with_its_line(guest: Make) -> None:
    broken = record(1).replace("[Start", "[Stop")
    problem = guest().ask("POST", "/api/analyses", json={"record": broken}, status=422)
    assert problem["values"]["line"] == 1


def test_nobody_has_asked_for_it(guest: Make) -> None:
    problem = guest().ask("GET", f"/api/analyses/{'0' * 64}-1", status=404)
    assert problem["reason"] == "no-analysis"


def test_the_refusal_of_a_second_one_tells_which_to_cancel_instead(tmp_path: Path) -> None:
    class Slow(Analyst):
        def step(self) -> Step:
            stopped.wait(30)
            raise EOFError

        def kill(self) -> None:
            stopped.set()
            super().kill()

    stopped = threading.Event()
    with serving(tmp_path, Collaborators(analyst=Slow)) as server, closing(Guest(server)) as anna:
        running = anna.ask("POST", "/api/analyses", json={"record": record(3)})["key"]
        problem = anna.ask("POST", "/api/analyses", json={"record": record(4)}, status=429)
        assert (problem["reason"], problem["values"]) == ("analysis-running", {"key": running})
        anna.http.delete(f"/api/analyses/{running}").raise_for_status()
        assert anna.ask("POST", "/api/analyses", json={"record": record(4)})["turns"] == 3


def test_a_finished_table_tells_whether_it_was_analysed(guest: Make) -> None:
    anna = guest()
    finished = rated_game(anna, guest())
    path = f"/api/analyses/of/{finished}"
    assert anna.ask("GET", path) is None
    key = anna.ask("POST", "/api/analyses", json={"table": finished})["key"]
    assert anna.ask("GET", path)["key"] == key
    anna.http.delete(f"/api/analyses/{key}").raise_for_status()
    assert anna.ask("GET", path) is None


def test_my_games_tell_of_luck_and_errors(guest: Make) -> None:
    anna, ben = guest(), guest()
    table = rated_game(anna, ben)
    assert anna.ask("GET", "/api/analyses/mine") == {"games": [], "others": 1}
    key = ben.ask("POST", "/api/analyses", json={"table": table})["key"]
    seats = until_done(ben, key)[-1]["analysis"]["seats"]
    for who, seat in ((anna, 0), (ben, 1)):
        told = who.ask("GET", "/api/analyses/mine")
        (game,) = told["games"]
        assert (told["others"], game["table"], game["seat"]) == (0, table, seat)
        assert game["account"] == seats[seat]
    assert guest().ask("GET", "/api/analyses/mine") == {"games": [], "others": 0}


def test_a_stopped_server_finishes_after_its_restart(tmp_path: Path) -> None:
    class Stuck(Analyst):
        def step(self) -> Step:
            stopped.wait(30)
            raise EOFError

        def kill(self) -> None:
            if working.is_set():
                stopped.set()
            super().kill()

        def begin(self, record: str, *, deep: bool) -> None:
            super().begin(record, deep=deep)
            working.set()

    working, stopped = threading.Event(), threading.Event()
    with (
        serving(tmp_path, Collaborators(analyst=Stuck)) as first,
        closing(Guest(first)) as anna,
    ):
        key = anna.ask("POST", "/api/analyses", json={"record": record(2)})["key"]
        assert working.wait(30)
        assert anna.ask("GET", f"/api/analyses/{key}")["state"] == "running"
    with serving(tmp_path) as second, closing(Guest(second)) as ben:
        assert until_done(ben, key)[-1]["state"] == "done"
