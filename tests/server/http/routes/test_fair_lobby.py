"""Open tables and their list under abuse, with the default limits."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.support.serving import Guest, Serving, new_id, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    with serving(
        tmp_path, rate_factor=1, open_tables_per_person=10, open_tables_per_address=40
    ) as running:
        yield running


def test_nobody_fills_the_list_of_open_tables(server: Serving) -> None:
    anna, made = Guest(server, "Anna"), list[str]()
    table = anna.create(public=True)["table"]
    for _ in range(8):  # strangers, each with as many tables as they get
        stranger = Guest(server)
        for _ in range(15):
            body = {"id": new_id(), "setup": {"players": 2, "public": True}}
            answer = stranger.http.post("/api/tables", json=body)
            if answer.status_code == 429:
                assert answer.json()["reason"] in ("tables-open", "network-tables")
                break
            made.append(answer.json()["table"])
        stranger.close()
    assert len(made) == 39  # and hers
    listed = [line["table"] for line in anna.ask("GET", "/api/tables")["tables"]]
    assert listed.index(table) < 5  # one of every host comes before the second of any
    anna.close()


def test_a_stranger_who_comes_and_goes_is_sent_away_and_harms_nobody(server: Serving) -> None:
    anna, ben, stranger = Guest(server, "Anna"), Guest(server, "Ben"), Guest(server)
    table = anna.create(public=True)["table"]
    path, joined = f"/api/tables/{table}/commands", 0
    while True:
        answer = stranger.http.post(path, json={"kind": "join", "id": new_id()})
        if answer.status_code == 429:
            break
        joined += 1
        stranger.act(table, "leave")
    assert joined < 30
    message = ben.act(table, "join", contribution="2" * 64)
    assert message["phase"] == "playing"
    for each in (anna, ben, stranger):
        each.close()


def test_names_are_changed_only_so_often(server: Serving) -> None:
    anna = Guest(server, "Anna")
    table = anna.create()["table"]
    seq = anna.look(table)["seq"]
    answers = [
        anna.http.put("/api/me/name", json={"name": f"Anna {number}"}).status_code
        for number in range(20)
    ]
    assert answers.count(200) < 12
    assert answers[-1] == 429
    assert anna.look(table)["seq"] - seq == answers.count(200)
    anna.close()
