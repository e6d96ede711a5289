"""The socket: following, playing, losing the connection, and garbage."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic import SecretStr

from server.support.postgres import Postgres
from server.support.serving import Guest, Json, Line, Serving, new_id, next_turn, serving

Make = Callable[..., Guest]


def is_table(message: Json) -> bool:
    return bool(message["kind"] == "table")


def turns_in(messages: list[Json]) -> list[Json]:
    """Return the finished turns in these messages, each once and in order."""
    entries = {
        entry["seq"]: entry["record"]
        for message in messages
        if is_table(message)
        for entry in message["log"]
        if entry["kind"] == "turn"
    }
    return [entries[seq] for seq in sorted(entries)]


def sit_down(guest: Make, **setup: Any) -> tuple[Guest, Guest, str]:
    anna, ben = guest("Anna"), guest("Ben")
    table = anna.create(**setup)["table"]
    return anna, ben, table


def test_two_people_play_a_whole_game_and_one_loses_the_connection(guest: Make) -> None:
    anna, ben, table = sit_down(guest)
    rng = Random(2)
    heard: dict[str, list[Json]] = {"anna": [], "ben": []}
    with anna.live() as first:
        first.say("watch", table=table)
        assert first.hear(is_table)["phase"] == "open"
        since, finished = 0, False
        while not finished:
            with ben.live() as second:  # again and again
                second.say("watch", table=table, since=since)
                message = second.hear(is_table)
                assert message["log_since"] == since
                assert all(entry["seq"] > since for entry in message["log"])
                if message["phase"] == "open":
                    second.act(table, "join", contribution="2" * 64)
                    message = second.hear(is_table)
                for _ in range(5):
                    finished = _play_on(first, second, table, rng)
                    if finished:
                        break
                if finished and _latest(second)["phase"] != "finished":
                    second.hear(is_table)
                heard["ben"] += second.heard
                since = max(each["seq"] for each in second.heard if is_table(each))
        if _latest(first)["phase"] != "finished":
            first.hear(is_table)
        heard["anna"] = first.heard
    ends = [[m for m in heard[name] if is_table(m)][-1] for name in ("anna", "ben")]
    assert [end["phase"] for end in ends] == ["finished", "finished"]
    assert ends[0]["result"] == ends[1]["result"]
    turns = turns_in(heard["anna"])
    assert [turn["turn"] for turn in turns] == list(range(1, 49))
    assert turns_in(heard["ben"]) == turns


def _play_on(first: Line, second: Line, table: str, rng: Random) -> bool:
    """Play one turn; return whether the game is over."""
    latest = {line: _latest(line) for line in (first, second)}
    newest = max(message["seq"] for message in latest.values())
    for line in latest:
        while latest[line]["seq"] < newest:
            latest[line] = line.hear(is_table)
    for line, message in latest.items():
        if message["phase"] == "finished":
            return True
        if message["you"]["to_move"] is not None:
            command = line.act(table, "play", **next_turn(message, rng))
            answer = line.hear_answer(command)
            assert answer["turn"] == message["turn"] + 1
            return bool(answer["phase"] == "finished")
    raise AssertionError("nobody is to move")


def _latest(line: Line) -> Json:
    return max((m for m in line.heard if is_table(m)), key=lambda m: int(m["seq"]))


def test_the_other_player_hears_of_a_turn(guest: Make) -> None:
    anna, ben, table = sit_down(guest)
    ben.act(table, "join", contribution="2" * 64)
    with anna.live() as first, ben.live() as second:
        lines = {}
        for line in (first, second):
            line.say("watch", table=table)
            lines[line] = line.hear(is_table)
        mover = first if lines[first]["you"]["to_move"] is not None else second
        other = second if mover is first else first
        mover.act(table, "play", **next_turn(lines[mover], Random(3)))
        told = other.hear(lambda m: is_table(m) and m["turn"] == 1)
        assert told["answers"] is None
        assert told["you"]["to_move"] is not None
        assert [entry["kind"] for entry in told["log"]] == ["turn"]


def test_a_command_is_answered_once_and_a_refusal_names_it(guest: Make) -> None:
    anna, _, table = sit_down(guest)
    with anna.live() as line:
        line.say("watch", table=table)
        line.hear(is_table)
        command = line.act(table, "say", text="hello")
        answer = line.hear(is_table)
        assert answer["answers"] == command
        assert [entry["text"] for entry in answer["log"] if entry["kind"] == "said"] == ["hello"]
        line.say("ping", nonce=7)
        assert line.hear(lambda m: m["kind"] in ("pong", "table"))["nonce"] == 7
        command = line.act(table, "play", seat=0, move="BO4:L", at_turn=0)
        refused = line.hear_kind("refused")
        assert (refused["command"], refused["table"]) == (command, table)
        assert refused["code"] == "closed"
        assert refused["text"]


def test_commands_work_without_watching(guest: Make) -> None:
    _, ben, table = sit_down(guest)
    with ben.live() as line:
        command = line.act(table, "join", contribution="2" * 64)
        answer = line.hear(is_table)
        assert (answer["answers"], answer["phase"]) == (command, "playing")


def test_who_stops_watching_hears_no_more(guest: Make) -> None:
    anna, ben, table = sit_down(guest)
    with anna.live() as line:
        line.say("watch", table=table)
        line.hear(is_table)
        line.say("unwatch", table=table)
        line.say("ping", nonce=1)
        line.hear_kind("pong")
        line.heard.clear()
        ben.act(table, "join", contribution="2" * 64)
        line.say("ping", nonce=2)
        line.hear_kind("pong")
        assert not any(is_table(message) for message in line.heard)


def test_your_turn_is_told_at_other_tables(guest: Make) -> None:
    anna, ben, table = sit_down(guest)
    with anna.live() as first, ben.live() as second:
        for line in (first, second):
            line.say("ping")
            line.hear_kind("pong")
        ben.act(table, "join", contribution="2" * 64)
        starter = anna.look(table)["you"]["to_move"]
        line = first if starter is not None else second
        told = line.hear_kind("your-turn")
        assert (told["table"], told["seat"]) == (table, 0 if line is first else 1)


def told(line: Line, seats: list[int], watchers: int = 0) -> None:
    """Wait for a presence message."""
    line.hear(
        lambda m: m["kind"] == "presence" and (m["seats"], m["watchers"]) == (seats, watchers)
    )


def test_presence_is_told(guest: Make) -> None:
    anna, ben, table = sit_down(guest)
    ben.act(table, "join", contribution="2" * 64)
    cleo = guest("Cleo")
    with anna.live() as first:
        first.say("watch", table=table)
        first.hear(lambda m: m["kind"] == "presence" and m["seats"] == [0])
        with ben.live() as second, cleo.live() as third:
            second.say("watch", table=table)
            third.say("watch", table=table)
            first.hear(
                lambda m: m["kind"] == "presence" and (m["seats"], m["watchers"]) == ([0, 1], 1)
            )
        first.hear(lambda m: m["kind"] == "presence" and m["seats"] == [0])


def test_presence_follows_sitting_down_and_standing_up(guest: Make) -> None:
    anna, ben, table = sit_down(guest, players=3)

    with anna.live() as first, ben.live() as second:
        first.say("watch", table=table)
        told(first, [0])
        second.say("watch", table=table)
        for line in (first, second):
            told(line, [0], watchers=1)
        second.act(table, "join", contribution="2" * 64)  # on the socket that follows the table
        for line in (first, second):
            told(line, [0, 1])
        ben.act(table, "leave", seat=1)  # by a request
        for line in (first, second):
            told(line, [0], watchers=1)


def test_a_watcher_gets_what_a_watcher_may_know(guest: Make) -> None:
    anna, ben, table = sit_down(guest)
    ben.act(table, "join", contribution="2" * 64)
    anna.act(table, "say", text="only for players")
    with guest("Cleo").live() as line:
        line.say("watch", table=table)
        message = line.hear(is_table)
        assert message["you"]["role"] == "watcher"
        assert [view["seat"] for view in message["views"]] == [None]
        assert "only for players" not in json.dumps(line.heard)
        hand = anna.look(table)["views"][0]["view"]["seats"][0]["hand"]
        assert hand
        assert message["views"][0]["view"]["seats"][0]["hand"] == []


@pytest.mark.parametrize(
    "garbage",
    [
        "",
        "null",
        "[]",
        "{}",
        "{",
        '"watch"',
        '{"kind": "dance"}',
        '{"kind": "watch"}',
        '{"kind": "watch", "table": "../../etc/passwd"}',
        '{"kind": "watch", "table": "' + "x" * 24 + '", "since": -1}',
        '{"kind": "watch", "table": "' + "x" * 24 + '", "since": 1e400}',
        '{"kind": "act", "table": "' + "x" * 24 + '", "command": {"kind": "say"}}',
        '{"kind": "ping", "nonce": NaN}',
        "[" * 10_000,
        '{"kind": "ping", "nonce": "\\ud800"}',
        "\x00",
    ],
)
def test_garbage_is_refused_and_the_socket_lives_on(guest: Make, garbage: str) -> None:
    with guest().live() as line:
        line.socket.send(garbage)
        refused = line.hear()
        assert (refused["kind"], refused["code"]) == ("refused", "invalid")
        line.socket.send(garbage.encode())  # and as bytes
        assert line.hear()["code"] == "invalid"
        line.say("ping", nonce=5)
        assert line.hear()["nonce"] == 5


def test_unknown_tables_are_refused_by_name(guest: Make) -> None:
    with guest().live() as line:
        line.say("watch", table="x" * 24)
        refused = line.hear()
        assert (refused["code"], refused["table"]) == ("unknown", "x" * 24)
        line.act("x" * 24, "join")
        refused = line.hear()
        assert refused["code"] == "unknown"


def test_a_person_is_asked_by_the_name_of_now(guest: Make) -> None:
    anna, ben, table = sit_down(guest)
    with ben.live() as line:
        line.say("ping")
        line.hear_kind("pong")
        ben.know(ben.http.put("/api/me/name", json={"name": "Benjamin"}))
        line.act(table, "join", contribution="2" * 64)
        assert line.hear(is_table)["seats"][1]["name"] == "Benjamin"
    with anna.live() as line:
        line.say("ping")
        line.hear_kind("pong")
        anna.know(anna.http.post("/api/me/erase", json={}))
        assert line.hear_kind("bye")["reason"] == "signed-out"


def test_players_on_two_servers_see_each_other(tmp_path: Path, postgres: Postgres) -> None:
    url = asyncio.run(postgres.new_database())
    shared: dict[str, Any] = {"database": url, "secret": SecretStr("s" * 40)}
    with serving(tmp_path / "a", **shared) as one, serving(tmp_path / "b", **shared) as two:
        anna, ben = Guest(one, "Anna"), Guest(two, "Ben")
        table = anna.create()["table"]
        with anna.live() as first, ben.live() as second:
            first.say("watch", table=table)
            second.say("watch", table=table)
            for line in (first, second):
                assert line.hear(is_table)["phase"] == "open"
            second.act(table, "join", contribution="2" * 64)
            for line in (first, second):
                line.hear(lambda m: is_table(m) and m["phase"] == "playing")
            rng = Random(5)
            for _ in range(10):
                assert not _play_on(first, second, table, rng)
        anna.close()
        ben.close()


def test_presence_is_told_across_servers(tmp_path: Path, postgres: Postgres) -> None:
    url = asyncio.run(postgres.new_database())
    shared: dict[str, Any] = {"database": url, "secret": SecretStr("s" * 40)}

    with serving(tmp_path / "a", **shared) as one, serving(tmp_path / "b", **shared) as two:
        anna, ben, eve = Guest(one, "Anna"), Guest(two, "Ben"), Guest(two, "Eve")
        table = anna.create(players=3)["table"]
        ben.act(table, "join", contribution="2" * 64)
        with anna.live() as first:
            first.say("watch", table=table)
            told(first, [0])
            with ben.live() as second, eve.live() as third:
                second.say("watch", table=table)
                for line in (first, second):  # who comes later learns of who was there
                    told(line, [0, 1])
                third.say("watch", table=table)
                for line in (first, second, third):
                    told(line, [0, 1], watchers=1)
                eve.http.base_url = one.url  # she sits down there, and is connected here
                eve.act(table, "join", contribution="3" * 64)
                for line in (first, second, third):
                    told(line, [0, 1, 2])
            told(first, [0])
        for person in (anna, ben, eve):
            person.close()


def test_refusals_name_the_table_and_the_command(guest: Make) -> None:
    anna, _, table = sit_down(guest)
    with anna.live() as line:
        wrong = line.act(table, "dance")
        refused = line.hear_kind("refused")
        assert (refused["code"], refused["table"]) == ("invalid", table)
        assert refused["command"] == wrong
        late = line.act(table, "join")
        assert line.hear_kind("refused")["command"] == late
        line.say("act", table=5, command={"kind": "say", "id": "x" * 65})
        refused = line.hear_kind("refused")
        assert (refused["table"], refused["command"]) == (None, None)


def test_refusals_of_too_much_name_the_command(tmp_path: Path) -> None:
    with serving(tmp_path, rate_per_person=1) as server:
        anna = Guest(server)
        table = "t" * 24
        with anna.live() as line:
            sent = [line.act(table, "start") for _ in range(30)]
            refused = line.hear(lambda message: message.get("code") == "too-much")
            assert (refused["table"], refused["command"] in sent) == (table, True)
        anna.close()


def test_one_socket_follows_only_so_many_tables(server: Serving, guest: Make) -> None:
    anna = guest("Anna")
    tables = [
        anna.ask("POST", "/api/tables", status=201, json={"id": new_id()})["table"]
        for _ in range(server.settings.subscriptions_per_connection + 1)
    ]
    with anna.live() as line:
        for table in tables:
            line.say("watch", table=table)
        refused = line.hear_kind("refused")
        assert (refused["code"], refused["table"]) == ("too-much", tables[-1])
