"""Puzzles by requests to the real server."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from patrizier.puzzles.collection import fingerprint, shipped
from patrizier.puzzles.selection import of_the_day
from patrizier.server.puzzles.pack import CHUNK
from server.support.serving import Guest

Make = Callable[..., Guest]
PUZZLES = list(shipped().values())


def attempt(index: int, turn: str | None, at: float | None = None) -> dict[str, Any]:
    return {"puzzle": PUZZLES[index].id, "turn": turn, "at": at or time.time()}


def tell(who: Guest, *attempts: dict[str, Any]) -> Any:
    return who.ask("POST", "/api/my/puzzles", json={"attempts": list(attempts)})


def wrong(index: int) -> str:
    trap = PUZZLES[index].trap
    assert trap is not None
    return trap.text


def test_the_list_names_every_puzzle_and_its_chunk(guest: Make) -> None:
    found = guest().ask("GET", "/api/puzzles")
    assert found["version"] == fingerprint()
    assert [each["id"] for each in found["puzzles"]] == sorted(shipped())
    for line in found["puzzles"]:
        puzzle = shipped()[line["id"]]
        assert (line["players"], line["exact"]) == (puzzle.players, puzzle.exact)
        assert tuple(line["themes"]) == puzzle.themes
        assert line["chunk"] == list(shipped()).index(puzzle.id) // CHUNK


def test_a_chunk_has_all_that_is_needed_to_try_its_puzzles(guest: Make) -> None:
    who = guest()
    found = who.ask("GET", f"/api/puzzles/chunks/0?version={fingerprint()}")["puzzles"]
    assert [each["id"] for each in found] == list(shipped())[:CHUNK]
    for each in found:
        puzzle, view = shipped()[each["id"]], each["view"]
        assert view["legal"]
        assert view["viewer"] == view["seat"]
        assert view["unseen"] == list(puzzle.view.unseen)  # what is hidden stays so
        assert set(each["accepted"]) == puzzle.accepted
        assert each["solution"] in each["accepted"]
        assert len(each["scores"]) == puzzle.players
    assert who.ask("GET", "/api/puzzles/chunks/900") == {"puzzles": []}


@pytest.mark.parametrize("coding", ["br", "identity"])
def test_a_chunk_is_kept_by_browsers(guest: Make, coding: str) -> None:
    answer = guest().http.get(
        f"/api/puzzles/chunks/0?version={fingerprint()}", headers={"Accept-Encoding": coding}
    )
    assert answer.headers.get("content-encoding", "identity") == coding
    assert "immutable" in answer.headers["cache-control"]
    assert answer.json()["puzzles"]


@pytest.mark.parametrize("coding", ["br", "identity"])
def test_the_list_travels_compressed(guest: Make, coding: str) -> None:
    answer = guest().http.get("/api/puzzles", headers={"Accept-Encoding": coding})
    assert answer.headers.get("content-encoding", "identity") == coding
    assert (
        "cache-control" not in answer.headers or "immutable" not in answer.headers["cache-control"]
    )
    assert len(answer.json()["puzzles"]) == len(shipped())


def test_nobody_is_made_a_guest_by_looking(guest: Make) -> None:
    who = guest()
    who.http.cookies.clear()
    progress = who.http.get("/api/my/puzzles")
    assert progress.json()["rating"] == 1500
    assert "set-cookie" not in progress.headers


def test_first_attempts_are_checked_and_rated_against_each_other(guest: Make) -> None:
    who = guest()
    before = rating_of(who, 0)
    good = tell(who, attempt(0, PUZZLES[0].solution.text))
    assert good["rating"] > 1500
    assert (good["streak"], good["best"], good["tries"]) == (1, 1, 1)
    assert rating_of(who, 0) < before
    bad = tell(who, attempt(1, wrong(1)))
    assert bad["rating"] < good["rating"]
    assert (bad["streak"], bad["best"], bad["tries"]) == (0, 1, 2)
    assert bad["done"] == {PUZZLES[0].id: 1, PUZZLES[1].id: 1}
    assert who.ask("GET", "/api/my/puzzles") == bad


def rating_of(who: Guest, index: int) -> int:
    lines = who.ask("GET", "/api/puzzles")["puzzles"]
    return next(int(each["rating"]) for each in lines if each["id"] == PUZZLES[index].id)


def test_only_the_first_attempt_is_rated_and_what_comes_twice_counts_once(guest: Make) -> None:
    who = guest()
    first = attempt(2, None, time.time() - 60)
    missed = tell(who, first)
    assert missed["rating"] < 1500
    assert tell(who, first) == missed
    again = tell(who, attempt(2, PUZZLES[2].solution.text))
    assert again["rating"] == missed["rating"]
    assert (again["tries"], again["streak"], again["done"]) == (1, 1, {PUZZLES[2].id: 2})


def test_the_puzzle_of_the_day_makes_days_in_a_row(guest: Make) -> None:
    who, now = guest(), time.time()
    attempts = []
    for ago in (3, 1, 0):
        at = now - ago * 24 * 3600
        puzzle = of_the_day(PUZZLES, int(at // (24 * 3600)))
        attempts.append({"puzzle": puzzle.id, "turn": puzzle.solution.text, "at": at})
    progress = tell(who, *attempts)
    assert (progress["days"], progress["day"]) == (2, int(now // (24 * 3600)))


def test_puzzles_that_are_gone_and_nonsense_turns_do_no_harm(guest: Make) -> None:
    who = guest()
    gone = {"puzzle": "00000000", "turn": "BO1:L", "at": time.time()}
    progress = tell(who, gone, attempt(3, "nonsense"))
    assert (progress["tries"], progress["streak"]) == (1, 0)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"attempts": [{"puzzle": "../etc", "turn": None, "at": 1}]},
        {"attempts": [{"puzzle": "00000000", "turn": "x" * 40, "at": 1}]},
        {"attempts": [{"puzzle": "00000000", "turn": None, "at": 1}] * 51},
    ],
)
def test_other_bodies_are_refused(guest: Make, body: dict[str, Any]) -> None:
    guest().ask("POST", "/api/my/puzzles", json=body, status=422)
