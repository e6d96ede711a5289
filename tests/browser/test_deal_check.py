"""The page distinguishes stacked from honest deals, however somebody came to the table."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.house import Visits, need_page
from browser.player import Player
from patrizier import Deal, Options
from patrizier.server.deal import provably_fair
from patrizier.server.deal.dealer import Dealer
from patrizier.server.http.collaborators import Collaborators
from server.support.serving import serving

HONEST = "The deal was the committed one: nobody stacked the cards."
STACKED = "The deal cannot be vouched for."
CHANGED = "The commitment is not the one this browser saw before the game."
UNSEEN = "cannot be checked, because this browser did not note before the game"
NOT_MINE = "cannot be checked, because none of the numbers comes from this browser"


class StackingDealer(Dealer):
    """Cheats: it chooses the secret when it has seen the contributions, so that seat 0 begins.

    The record it publishes is consistent: it has the commitment to the chosen secret.
    """

    def __init__(self) -> None:
        self._chosen: dict[str, bytes] = {}  # by table

    def derive(
        self,
        _secret: bytes,
        table_id: str,
        options: Options,
        contributions: Mapping[int, str],
        not_first: int | None = None,
    ) -> Deal:
        if table_id not in self._chosen:
            tries = (Random(number).randbytes(32) for number in range(30))
            self._chosen[table_id] = next(
                secret
                for secret in tries
                if provably_fair.derive(secret, table_id, options, contributions).start == 0
            )
        return super().derive(self._chosen[table_id], table_id, options, contributions, not_first)

    def proof(
        self,
        _secret: bytes,
        table_id: str,
        options: Options,
        contributions: Mapping[int, str],
        not_first: int | None = None,
    ) -> dict[str, str]:
        return super().proof(self._chosen[table_id], table_id, options, contributions, not_first)


@pytest.fixture(params=[Dealer, StackingDealer])
def house(
    request: pytest.FixtureRequest, browser: Browser, tmp_path: Path
) -> Iterator[tuple[Visits, str]]:
    """Pages of an honest server and of one that cheats; what the page is to say of its deals."""
    need_page()
    with serving(tmp_path, Collaborators(dealer=request.param())) as server:
        visits = Visits(browser, server.url)
        yield visits, HONEST if request.param is Dealer else STACKED
        visits.close()
        assert visits.errors == []


class Asking:
    """Sends requests as the person of a page, without loading its pictures."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._token = str(page.request.get("/api/me").json()["token"])

    def __call__(self, path: str, body: object = None) -> Any:
        headers = {"X-Patrizier-Token": self._token}
        method = "POST" if body else "GET"
        answer = self._page.request.fetch(path, method=method, data=body, headers=headers)
        assert answer.ok, answer.text()
        return answer.json()


def play_out(table: str, *pages: Page) -> None:
    """Let the people of these pages play the game to its end."""
    rng, people = Random(1), [Asking(page) for page in pages]
    for number in range(1000):
        ask, told = people[0], people[0](f"/api/tables/{table}")
        if told["phase"] == "finished":
            return
        if told["you"]["to_move"] is None:
            ask, told = people[-1], people[-1](f"/api/tables/{table}")
        seat = told["you"]["to_move"]
        (legal,) = [each["view"]["legal"] for each in told["views"] if each["seat"] == seat]
        turn = {"kind": "play", "id": f"p{number}", "seat": seat, "move": rng.choice(legal)}
        ask(f"/api/tables/{table}/commands", turn | {"at_turn": told["turn"]})
    pytest.fail("the game does not end")


def verdict(page: Page) -> str:
    """Check the deal at the end of a game; return what the page says."""
    page.get_by_role("button", name="Check the deal").click()
    told = page.locator(".check .verdict")
    expect(told).to_be_visible()
    return told.inner_text()


def at_the_table(page: Page) -> str:
    """Wait until the cards are dealt; return the table."""
    expect(page.locator("[data-card]").first).to_be_visible()
    return Player(page).table


def with_a_friend(visits: Visits) -> tuple[Page, Page, str]:
    """Let a host make a table, and a friend sit down by the link."""
    host = visits.open("/new?friends=1")
    host.get_by_role("radio", name="2", exact=True).check()
    host.locator("form button[type=submit]").click()
    link = host.get_by_label("Send this link to your friends").input_value()
    friend = visits.open(link.removeprefix(visits.url))
    friend.get_by_role("button", name="Sit here").click()
    return host, friend, at_the_table(friend)


def test_host_friend_and_the_next_game(house: tuple[Visits, str]) -> None:
    visits, says = house
    host, friend, table = with_a_friend(visits)
    play_out(table, host, friend)
    for page in (host, friend):
        assert verdict(page) == says
        assert (page.get_by_text(CHANGED).count() == 1) == (says == STACKED)
        page.get_by_role("button", name="Close").click()

    for page in (host, friend):
        page.get_by_role("button", name="Again", exact=True).click()
    for page in (host, friend):  # both are led to the new game
        expect(page).not_to_have_url(re.compile(table))
    friend.go_back()
    expect(friend).to_have_url(re.compile(table))
    friend.go_forward()
    again = at_the_table(host)
    play_out(again, host, friend)
    for page in (host, friend):
        assert verdict(page) == says


def test_everybody_at_one_screen(house: tuple[Visits, str]) -> None:
    visits, says = house
    page = visits.open("/new?here=1")
    page.locator("form button[type=submit]").click()
    page.get_by_role("dialog").get_by_role("button").wait_for()
    table = Player(page).table
    play_out(table, page)
    assert verdict(page) == says


def test_who_only_watches_cannot_tell(house: tuple[Visits, str]) -> None:
    visits, says = house
    host, friend, table = with_a_friend(visits)
    watcher = visits.open(f"/t/{table}")
    play_out(table, host, friend)
    assert UNSEEN in verdict(watcher)
    watcher.goto(f"/replay/{table}")
    watcher.get_by_text("About this record").click()
    assert UNSEEN in verdict(watcher)
    forget = "localStorage['patrizier.deals'] = localStorage['patrizier.deals'].replace(/{[^{}]*}/"
    host.evaluate(forget + ", '{}')")
    assert (NOT_MINE in verdict(host)) == (says == HONEST)


def test_a_quick_game_is_noted_before_it_begins(visits: Visits) -> None:
    page = visits.open("/")
    numbers: list[str] = []

    def sent(text: str | bytes) -> None:
        if '"contribute"' in str(text):
            numbers.append(json.loads(text)["command"]["contribution"])

    page.on("websocket", lambda line: line.on("framesent", sent))
    page.get_by_role("button", name="Play now").click()
    table = at_the_table(page)
    (note,) = page.evaluate("JSON.parse(localStorage['patrizier.deals'])")
    assert note["table"] == table
    assert note["commitment"] == Asking(page)(f"/api/tables/{table}")["deal"]["commitment"]
    assert note["numbers"] == {"0": numbers[0]}
