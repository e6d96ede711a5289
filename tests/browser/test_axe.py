"""axe finds nothing on any page, whatever lies open there, light or dark."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.house import AXE, PHONE, SCHEMES, SETTLED, WIDE, Client, Visits, bots, lacking
from browser.player import Player
from browser.test_learn import SCENES, follow_the_finger, texts_of, try_wrongly
from browser.test_together import two_people

PLAIN = [
    *("/", "/tables", "/new", "/learn/build", "/replay", "/rules", "/you", "/about"),
    *("/ratings/2", "/friends", "/puzzles", "/missing"),
]
RUN = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
  .map((each) => ({
    id: each.id,
    impact: each.impact,
    where: each.nodes.slice(0, 4).map((node) => `${node.target} ${node.failureSummary}`),
  }))"""


def check(page: Page) -> None:
    """Let axe look at a page, light and dark."""
    page.wait_for_load_state("networkidle")
    page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, Any] = {}
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.evaluate(SETTLED)
        if violations := page.evaluate(RUN):
            found[scheme] = violations
    assert not found, json.dumps(found, indent=1)


@pytest.fixture(autouse=True)
def _axe() -> None:
    if not AXE.is_file():
        lacking("axe-core: `npm ci` in web/ installs it")


@pytest.mark.parametrize("path", PLAIN)
def test_a_page_is_open_to_everyone(visits: Visits, path: str) -> None:
    page = visits.open(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    check(page)


def test_a_gathering_table_is_open_to_everyone(visits: Visits, client: Client) -> None:
    message = client.create({"players": 3, "seats": ["person", "person", "apprentice"]})
    page = visits.open(f"/t/{message['table']}", person=client)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    check(page)


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_a_table_in_play_is_open_to_everyone(visits: Visits, client: Client, size: str) -> None:
    message = client.play(client.create(bots(5, messengers=True)), turns=5)
    path = f"/t/{message['table']}"
    page = visits.open(path, person=client) if size == "wide" else visits.phone(path, person=client)
    player = Player(page)
    player.wait()
    check(page)
    player.pick()
    check(page)


def test_a_finished_table_is_open_to_everyone(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(2, messengers=True)))
    page = visits.open(f"/t/{message['table']}", person=client)
    expect(page.locator("#result-title")).to_be_visible()
    check(page)
    page.goto(f"/replay/{message['table']}")
    expect(page.get_by_role("slider")).to_be_visible()
    check(page)


def test_the_end_of_the_quick_start_is_open_to_everyone(visits: Visits) -> None:
    page = visits.open("/learn", kept={"learn": SCENES})
    expect(page.get_by_role("heading", level=1)).to_have_text("You know the game")
    check(page)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_what_comes_of_a_scene_is_open_to_everyone(visits: Visits, size: tuple[int, int]) -> None:
    texts = texts_of("en")
    page = visits.open("/learn/complete", size=size)
    page.locator("[data-card]").first.wait_for(state="attached")
    if size == PHONE:
        page.get_by_role("button", name=texts["learn.begin"]).click()
    try_wrongly(page, texts, look=check)
    if size == PHONE:
        page.get_by_role("button", name=texts["learn.read"]).click()
    follow_the_finger(page, texts)
    expect(page.locator(".outcome h2")).to_have_text(texts["learn.well"])
    check(page)


def test_a_record_that_cannot_be_read_is_told_to_everyone(visits: Visits) -> None:
    page = visits.open("/replay")
    page.get_by_label("Or paste a record").fill("nonsense")
    page.get_by_role("button", name="Show it").click()
    expect(page.get_by_role("alert")).to_be_visible()
    check(page)
    visits.ignore_errors("status of 4")  # the server refuses it


def test_a_curtain_is_open_to_everyone(visits: Visits, client: Client) -> None:
    message = client.create({"players": 2, "seats": ["person", "person"], "rules": []})
    other = {"hot_seat": True, "name": "Ben", "contribution": "2" * 64}
    client.act(message["table"], "join", seat=1, **other)
    page = visits.open(f"/t/{message['table']}", person=client)
    player = Player(page)
    assert player.wait() == "curtain"
    check(page)
    player.uncover()
    player.wait()
    check(page)


def test_a_request_for_undo_is_open_to_everyone(visits: Visits, client: Client) -> None:
    player = two_people(visits, client, until_pile=0)
    player.play_turn()
    player.button("Ask to take my turn back").click()
    expect(player.page.get_by_role("alertdialog")).to_be_visible()
    check(player.page)


@pytest.mark.parametrize("tab", ["Chronicle", "Chat", "More"])
def test_the_sheet_of_a_phone_is_open_to_everyone(visits: Visits, client: Client, tab: str) -> None:
    message = client.play(client.create(bots(3, messengers=True)), turns=4)
    page = visits.phone(f"/t/{message['table']}", person=client)
    Player(page).wait()
    page.get_by_role("button", name="Chronicle and chat").click()
    page.get_by_role("tab", name=tab).click()
    check(page)


def test_a_link_among_friends_is_open_to_everyone(
    visits: Visits, client: Client, friend: Client
) -> None:
    code = client.http.post("/api/my/friend-link").json()["code"]
    page = visits.open(f"/friend/{code}", person=friend)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    check(page)
    page = visits.open(f"/friend/{'x' * 22}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    check(page)
    visits.ignore_errors("status of 404")
