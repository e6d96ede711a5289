"""axe finds nothing serious on any page, light or dark."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.house import AXE, SCHEMES, SETTLED, Client, Visits, bots, lacking
from browser.player import Player

PLAIN = ["/", "/tables", "/new", "/learn/build", "/replay", "/rules", "/you", "/about"]
RUN = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
  .filter((each) => each.impact === 'serious' || each.impact === 'critical')
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
