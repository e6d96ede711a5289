"""What lies open at a table: one's own pile always, others' tokens and piles by options."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.house import Client, Visits, bots
from patrizier.rules.board import CITIES, CITY_INDEX

ROUNDS = 8


def at_table(visits: Visits, client: Client, *rules: str, phone: bool = False) -> Page:
    """Show a table for two in the middle of a game, without help for the memory."""
    message = client.create(bots(2, rules=rules, memory_help=False))
    message = client.play(message, ROUNDS)
    open_page = visits.phone if phone else visits.open
    return open_page(f"/t/{message['table']}", person=client)


def looked_at(client: Client, page: Page) -> dict[str, Any]:
    """The table as the server shows it."""
    told: dict[str, Any] = client.look(page.url.rsplit("/", 1)[1])["views"][0]["view"]
    return told


def player(page: Page, seat: int) -> Locator:
    return page.locator(".players > li").nth(seat)


def pile_behind(page: Page, button: Locator) -> list[str]:
    """Open a pile; return what its cards are called."""
    button.click()
    dialog = page.get_by_role("dialog")
    names = [str(card.get_attribute("aria-label")) for card in dialog.locator("li svg.card").all()]
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    return names


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_the_own_pile_can_be_looked_through(visits: Visits, client: Client, phone: bool) -> None:
    page = at_table(visits, client, phone=phone)
    own, rival = looked_at(client, page)["table"]
    assert own["pile_size"] == ROUNDS == len(own["pile"])
    assert rival["pile"] is None
    player(page, 0).get_by_role("button").first.click()
    button = player(page, 0).get_by_role("button", name="Look through the pile")
    names = pile_behind(page, button)
    assert len(names) == ROUNDS
    for name, card in zip(names, own["pile"], strict=True):
        assert name.startswith(CITIES[CITY_INDEX[card[:2]]].name)
    if not phone:
        assert pile_behind(page, page.locator(".desk .pile button")) == names
    player(page, 1).get_by_role("button").first.click()
    expect(player(page, 1).get_by_role("button")).to_have_count(1)  # there is none to look through


@pytest.mark.parametrize(("rule", "piles"), [("open-tokens", False), ("open-ledger", True)])
def test_options_open_what_others_have(
    visits: Visits, client: Client, rule: str, piles: bool
) -> None:
    page = at_table(visits, client, rule)
    rival = looked_at(client, page)["table"][1]
    shown = player(page, 1)
    expect(shown.locator(".tokens text.value")).to_have_count(rival["tokens_won"])
    values = shown.locator(".tokens text.value").all_text_contents()
    assert [int(value) for value in values] == rival["tokens"]
    shown.get_by_role("button").first.click()
    expect(shown.locator(".more")).to_be_visible()
    button = shown.get_by_role("button", name="Look through the pile")
    expect(button).to_have_count(int(piles))
    if piles:
        assert len(pile_behind(page, button)) == rival["pile_size"]


def test_a_new_table_helps_the_memory_unless_it_is_rated(visits: Visits) -> None:
    page = visits.open("/new?friends=1")
    aid = page.get_by_role("switch", name="Memory help")
    expect(aid).to_be_checked()
    page.get_by_text("More choices").click()
    rated = page.get_by_role("switch", name="Rated")
    rated.check(force=True)
    expect(aid).not_to_be_checked()
    aid.check(force=True)
    rated.uncheck(force=True)
    expect(aid).to_be_checked()
    aid.uncheck(force=True)
    expect(aid).not_to_be_checked()
