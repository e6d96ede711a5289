"""Guest bots at the tables of a server: chosen like levels, and none of them stops a game."""

import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest

from analysis.games import random_game
from patrizier.ptr import read_games
from patrizier.server.http.collaborators import Collaborators
from patrizier.server.workers.guest_bots import invite
from patrizier.server.workers.pool import WorkerPool
from server.support.serving import Guest, Json, Serving, next_turn, serving

BOTS = """
import os
from patrizier.bots.base import Bot

class First(Bot):
    name, about = "first", "Plays the first turn."
    def choose(self, view, rng):
        return view.legal[0]

class Moody(First):
    name, about = "moody", "Loses its temper in the middle of a game."
    def choose(self, view, rng):
        match view.turn // view.options.players:
            case 3:
                raise RuntimeError(f"my hand is {view.seats[view.viewer].hand}")
            case 4:
                return view.history[0].move  # its card is gone
            case 5:
                os._exit(1)
        return view.legal[-1]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with bots that processes find."""
    folder = tmp_path_factory.mktemp("guests")
    (folder / "guests_at_tables.py").write_text(BOTS, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Serving]:
    guests = invite(["first=guests_at_tables.First", "moody=guests_at_tables.Moody"])
    given = Collaborators(workers=partial(WorkerPool, guests=guests))
    with serving(folder, given) as server:
        yield server


@pytest.fixture
def anna(server: Serving) -> Iterator[Guest]:
    anna = Guest(server, "Anna")
    yield anna
    anna.close()


def play_to_the_end(guest: Guest, message: Json) -> Json:
    rng = Random(1)
    assert message["you"]["seats"], "a stranger would wait forever"
    while message["phase"] == "playing":
        if message["you"]["to_move"] is None:
            message = guest.look(message["table"], since=message["seq"], wait=20)
        else:
            message = guest.act(message["table"], "play", **next_turn(message, rng))
    return message


def test_pages_learn_of_guests(anna: Guest) -> None:
    assert anna.ask("GET", "/api/config")["bots"] == [
        {"level": "guest:first", "about": "Plays the first turn."},
        {"level": "guest:moody", "about": "Loses its temper in the middle of a game."},
    ]
    ready = anna.ask("GET", "/api/preparing", params={"level": ["guest:first", "merchant"]})
    assert 0 <= ready["progress"] <= 1


def test_a_game_with_guests_is_played_to_its_end_and_none_of_them_stops_it(
    anna: Guest, caplog: pytest.LogCaptureFixture
) -> None:
    message = anna.create(players=3, seats=["person", "guest:first", "guest:moody"])
    assert [seat["level"] for seat in message["seats"]] == [None, "guest:first", "guest:moody"]
    message = play_to_the_end(anna, message)
    assert message["phase"] == "finished"
    bad = [each.__dict__ for each in caplog.records if "no legal move" in each.getMessage()]
    assert {each["kind"] for each in bad} == {"guests_at_tables.Moody"}
    assert [each["code"] for each in bad] == ["!RuntimeError", "illegal", "!EOFError"]
    text = anna.http.get(f"/api/tables/{message['table']}/record").text
    (record,) = read_games(text)
    assert record.names == ("Anna", "Bot (first)", "Bot (moody)")
    assert record.game().is_over
    while not anna.ask("GET", "/api/my/games")["games"]:
        time.sleep(0.02)  # until the result is stored
    figures = anna.ask("GET", "/api/my/figures")
    assert (figures["games"], figures["tallies"]) == (1, [])


def test_guests_sit_down_in_the_waiting_room(anna: Guest) -> None:
    table = anna.create(players=3)["table"]
    assert anna.act(table, "seat-bot", seat=1, level="guest:first")["phase"] == "open"
    message = anna.act(table, "fill-with-bots", level="guest:first")
    assert message["phase"] == "playing"
    assert [seat["level"] for seat in message["seats"]] == [None, "guest:first", "guest:first"]
    (line,) = [t for t in anna.ask("GET", "/api/my/tables")["tables"] if t["table"] == table]
    assert [seat["level"] for seat in line["seats"]] == [None, "guest:first", "guest:first"]


def test_nobody_else_can_be_invited_by_a_request(anna: Guest) -> None:
    setup = {"players": 2, "seats": ["person", "guest:os"]}
    refused = anna.ask("POST", "/api/tables", status=404, json={"id": "x1", "setup": setup})
    assert refused["reason"] == "no-bot"
    assert refused["text"] == "There is no bot os at this server."
    table = anna.create(players=3)["table"]
    for fields in ({"kind": "seat-bot", "seat": 1}, {"kind": "fill-with-bots"}):
        answer = anna.act(table, status=404, level="guest:os", **fields)
        assert answer["reason"] == "no-bot"
    for level in ("guest:", "guest:a.b", f"guest:{'x' * 25}", "greedy", "guests_at_tables.First"):
        anna.act(table, "fill-with-bots", status=422, level=level)
    setup = {"players": 2, "stand_in": "guest:first"}  # stand-ins are ours
    anna.ask("POST", "/api/tables", status=422, json={"id": "x2", "setup": setup})
    assert [seat["state"] for seat in anna.look(table)["seats"]] == ["person", "free", "free"]


def test_guests_play_on_in_a_line(anna: Guest) -> None:
    record = str(random_game(2, 1).record(("Anna", "Ben")))
    body = {"record": record, "at": 0, "level": "guest:first"}
    position = anna.ask("POST", "/api/lines", json={"record": record, "at": 0})
    move = anna.ask("POST", "/api/lines/reply", json=body)["move"]
    assert move.partition("@")[0] == position["view"]["legal"][0].partition("@")[0]
    body["level"] = "guest:os"
    assert anna.ask("POST", "/api/lines/reply", status=404, json=body)["reason"] == "no-bot"


def test_a_guest_no_longer_invited_is_played_by_another_bot(
    tmp_path: Path, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    guests, secret = invite(["first=guests_at_tables.First"]), "s" * 40
    given = Collaborators(workers=partial(WorkerPool, guests=guests))
    with serving(tmp_path, given, secret=secret) as one:
        ben = Guest(one, "Ben")
        message = ben.create(seats=["person", "guest:first"])
        cookies = dict(ben.http.cookies)
        ben.close()
    with serving(tmp_path, secret=secret) as two:
        ben = Guest(two)
        ben.http.cookies.clear()
        ben.http.cookies.update(cookies)
        ben.know(ben.http.get("/api/me"))
        message = play_to_the_end(ben, ben.look(message["table"]))
        assert message["phase"] == "finished"
        assert message["seats"][1]["level"] == "guest:first"
        ben.close()
    assert not [each for each in caplog.records if "no legal move" in each.getMessage()]


def test_a_server_does_not_start_with_a_bot_that_cannot_play(tmp_path: Path) -> None:
    program = "from patrizier.cli.main import app; app()"
    command = [sys.executable, "-c", program, "serve", "--port", "0"]
    settings = ["--data-dir", str(tmp_path), "--bots", "x=no_such_module.Bot"]
    done = subprocess.run([*command, *settings], capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: a guest bot (--bots, PATRIZIER_BOTS) cannot play: x: ")
    assert "no module no_such_module is here or installed" in done.stderr
    assert not (tmp_path / "patrizier.db").exists()
