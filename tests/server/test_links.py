"""Links to tables: those in mails work on the page and for `patrizier verify`."""

from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from patrizier.cli.main import app
from patrizier.server.links import record_link, table_link
from server.support.serving import Guest, next_turn, serving

SITE = "https://patrizier.example:8443"
RECORD = f"{SITE}/api/tables/2Kd0_x-9/record"


@pytest.mark.parametrize(
    "link",
    [
        table_link(SITE, "2Kd0_x-9"),
        f"{SITE}/t/2Kd0_x-9/",
        f"{SITE}/t/2Kd0_x-9#chat",
        f"{SITE}/api/tables/2Kd0_x-9",
        f"{SITE}/api/tables/2Kd0_x-9/",
        RECORD,
    ],
)
def test_every_link_to_a_table_leads_to_its_record(link: str) -> None:
    assert record_link(link) == RECORD


def test_the_key_of_a_watchers_link_goes_along() -> None:
    assert record_link(f"{SITE}/t/2Kd0_x-9?key=abc#x") == f"{RECORD}?key=abc"


@pytest.mark.parametrize(
    "link",
    [
        f"{SITE}/games/one.ptr",
        f"{SITE}/tables",
        f"{SITE}/t/",
        f"{SITE}/t/a/b",
        f"{SITE}/t/../secret",
        "https:///t/2Kd0_x-9",
        "ftp://patrizier.example/t/2Kd0_x-9",
    ],
)
def test_other_links_stay_as_they_are(link: str) -> None:
    assert record_link(link) == link


def test_a_finished_game_is_verified_by_the_link_of_its_page(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        anna, ben = Guest(server, "Anna"), Guest(server, "Ben")
        table, rng = anna.create()["table"], Random(1)
        message = ben.act(table, "join", contribution="2" * 64)
        while message["phase"] == "playing":
            told = [(who, who.look(table)) for who in (anna, ben)]
            ((who, view),) = [each for each in told if each[1]["you"]["to_move"] is not None]
            message = who.act(table, "play", **next_turn(view, rng))
        for link in (table_link(server.url, table), f"{server.url}/api/tables/{table}"):
            done = CliRunner().invoke(app, ["verify", link])
            assert done.exit_code == 0, done.output
            assert "Game 1: the record is consistent" in done.output
        anna.close()
        ben.close()
