"""Pictures of finished games, and what links to tables tell."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from random import Random

import pytest

from patrizier.printing.fonts import FACES, FontsMissing, find
from patrizier.server.http.collaborators import Collaborators
from server.support.serving import Guest, Serving, next_turn, serving

Make = Callable[..., Guest]
TAG = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">')


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with a page of its own."""
    static = tmp_path_factory.mktemp("static")
    (static / "index.html").write_text("<!doctype html><head></head><body>the page")
    with serving(tmp_path_factory.mktemp("house"), Collaborators(static=static)) as running:
        yield running


@pytest.fixture
def guest(house: Serving) -> Iterator[Make]:
    """Makes guests."""
    guests: list[Guest] = []

    def make(name: str = "") -> Guest:
        guests.append(Guest(house, name))
        return guests[-1]

    yield make
    for each in guests:
        each.close()


def finished(anna: Guest, **setup: object) -> dict[str, str]:
    """Play a game alone at one screen; return its table and the watchers' key."""
    message = anna.create(players=2, **setup)
    message = anna.act(message["table"], "join", name="Ben", hot_seat=True, contribution="2" * 64)
    rng, table = Random(5), message["table"]
    while message["phase"] != "finished":
        message = anna.act(table, "play", **next_turn(anna.look(table), rng))
    return {"table": table, "key": message["you"]["watch_key"]}


def tags(who: Guest, path: str, **headers: str) -> dict[str, str]:
    answer = who.http.get(path, headers=headers)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"
    return {name: unescape(value) for name, value in TAG.findall(answer.text)}


def has_fonts() -> bool:
    try:
        return bool(find(FACES[0]))
    except FontsMissing:
        return False


def test_an_end_can_be_shared(house: Serving, guest: Make) -> None:
    anna, eve = guest("Anna & <Co>"), guest()
    game = finished(anna, watch="link")
    table, key = game["table"], game["key"]
    told = tags(eve, f"/replay/{table}?key={key}&lang=de")
    assert re.fullmatch(r"(Anna & <Co>|Ben) gewinnt mit \d+ Punkten", told["og:title"])
    assert told["og:description"].startswith("Anna & <Co> und Ben · 2 Spieler")
    assert told["og:locale"] == "de_DE"
    assert told["og:url"] == f"{house.url}/replay/{table}?key={key}&lang=de"
    assert told["twitter:card"] == "summary_large_image"
    assert told["og:image"] == told["twitter:image"]
    assert " wins with " in tags(eve, f"/t/{table}?key={key}")["og:title"]
    italian = tags(eve, f"/t/{table}?key={key}", **{"Accept-Language": "it"})
    assert " vince con " in italian["og:title"]
    # The picture is there for whoever has the link, and for nobody else.
    picture = told["og:image"].removeprefix(house.url)
    answer = eve.http.get(picture)
    if has_fonts():
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "image/png"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert answer.content.startswith(b"\x89PNG")
    else:
        assert answer.status_code == 404
    eve.ask("GET", f"/api/tables/{table}/picture", status=403)
    assert tags(eve, f"/replay/{table}") == {}
    assert tags(eve, f"/replay/{table}?key=wrong") == {}


def test_an_invitation_says_who_invites(house: Serving, guest: Make) -> None:
    anna, eve = guest("Anna"), guest()
    table = anna.create(players=3, rules=["messengers"], watch="nobody")["table"]
    told = tags(eve, f"/t/{table}?lang=nl")
    assert told["og:title"] == "Anna nodigt je uit voor een partij Patrizier"
    assert told["og:description"] == "3 spelers · Boden"
    assert told["og:image"] == f"{house.url}/icon-512.png"
    eve.ask("GET", f"/api/tables/{table}/picture", status=403)
    assert tags(eve, "/t/abcdefghijklmnopqrst") == {}
    anna.ask("GET", f"/api/tables/{table}/picture", status=409)


def test_a_running_game_tells_who_plays_unless_nobody_may_watch(guest: Make) -> None:
    anna, eve = guest("Anna"), guest()
    seats = ["person", "doge", "doge"]
    shown = anna.create(players=3, seats=seats)["table"]
    hidden = anna.create(players=3, seats=seats, watch="nobody")["table"]
    told = tags(eve, f"/t/{shown}?lang=en")
    assert told["og:title"] == "A game of Patrizier: Anna, Simonetta and Niccolò"
    assert tags(eve, f"/t/{hidden}?lang=en") == {}


def test_pictures_are_limited(tmp_path: Path) -> None:
    with serving(tmp_path, rate_factor=1) as server:
        eve = Guest(server)
        path = "/api/tables/abcdefghijklmnopqrst/picture"
        assert {eve.http.get(path).status_code for _ in range(40)} == {404, 429}
        eve.close()
