"""At the table: settings and a legend of all signs, without losing anything of the game."""

import pytest
from playwright.sync_api import Page, expect

from browser.house import Client, Visits, bots
from browser.player import Player
from browser.test_axe import check

NAMES = ("Settings", "Signs and keys")
# Whether the focus is within the dialog after each of many steps of the keyboard.
STAYS = "() => document.querySelector('dialog').contains(document.activeElement)"


def opened(visits: Visits, client: Client, *, phone: bool = False) -> Player:
    message = client.play(client.create(bots(3, messengers=True)), turns=3)
    path = f"/t/{message['table']}"
    page = visits.phone(path, person=client) if phone else visits.open(path, person=client)
    player = Player(page, touch=phone)
    assert player.wait() == "turn"
    return player


def panel(page: Page, name: str, *, phone: bool = False) -> None:
    if phone:  # there it is found in the sheet
        page.get_by_role("button", name="Chronicle and chat").click()
        page.get_by_role("tab", name="More").click()
        name = name.replace("Signs and keys", "What the signs mean")
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.get_by_role("dialog").locator("li, fieldset").first).to_be_visible()


def test_settings_change_in_the_middle_of_a_turn(visits: Visits, client: Client) -> None:
    player = opened(visits, client)
    page = player.page
    player.pick()
    player.pick()
    chosen, before = page.locator("[data-card][aria-pressed=true]"), player.look()
    card = chosen.get_attribute("data-card")
    panel(page, "Settings")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Deutsch").check()
    expect(dialog.get_by_role("heading", level=2)).to_have_text("Einstellungen")
    dialog.get_by_role("radio", name="Dunkel").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dialog.get_by_role("radio", name="Flott").check()
    dialog.get_by_role("switch", name="Töne").click()
    dialog.get_by_role("button", name="Schließen").click()
    expect(dialog).to_be_hidden()
    assert chosen.get_attribute("data-card") == card
    kept = page.evaluate("JSON.parse(localStorage['patrizier.settings'])")
    assert {name: kept[name] for name in ("language", "theme", "pace", "sound")} == {
        "language": "de",
        "theme": "dark",
        "pace": "brisk",
        "sound": True,
    }
    after = player.look()
    assert (after["turn"], after["seq"]) == (before["turn"], before["seq"])
    player.play_turn()


@pytest.mark.parametrize("name", NAMES)
def test_a_panel_keeps_the_focus_and_gives_it_back(
    visits: Visits, client: Client, name: str
) -> None:
    page = opened(visits, client).page
    button = page.get_by_role("button", name=name, exact=True)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("heading", level=2)).to_be_visible()
    inside = []
    for _ in range(12):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.tagName")
        inside.append(focused == "BODY" or page.evaluate(STAYS))  # or in the browser's own bar
    assert all(inside)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(button).to_be_focused()


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
@pytest.mark.parametrize("name", NAMES)
def test_a_panel_is_open_to_everyone(
    visits: Visits, client: Client, name: str, phone: bool
) -> None:
    page = opened(visits, client, phone=phone).page
    panel(page, name, phone=phone)
    check(page)
    dialog = page.get_by_role("dialog")
    assert dialog.evaluate("(each) => each.scrollWidth <= each.clientWidth")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_where_there_are_no_keys_the_legend_tells_gestures(visits: Visits, client: Client) -> None:
    page = opened(visits, client, phone=True).page
    panel(page, "Signs and keys", phone=True)
    legend = page.get_by_role("dialog", name="What the signs mean")
    headings = legend.get_by_role("heading", level=3)
    names = ["Tap and hold", "Cards", "On the board", "With the players"]
    expect(headings).to_have_text(names)
    expect(legend.get_by_text("Hold a tower")).to_be_visible()
    expect(legend.get_by_text("Arrow keys")).to_have_count(0)


def test_the_legend_shows_all_signs_and_keys(visits: Visits, client: Client) -> None:
    page = opened(visits, client).page
    page.keyboard.press("?")
    legend = page.get_by_role("dialog", name="What the signs mean")
    headings = legend.get_by_role("heading", level=3)
    expect(headings).to_have_text(["Cards", "On the board", "With the players", "Keys"])
    signs = (".card", ".token", ".tower", ".trace", ".messenger", "[role=timer]")
    assert all(legend.locator(sign).count() for sign in signs)
    for words in (
        "Two crests",
        "Star",
        "A count in gold",
        "How many floors of a high tower",
        "New or changed since your last turn",
        "Portraits towards the next 6 points",
        "has won the game",
        "the last round again",
    ):
        expect(legend.get_by_text(words).first).to_be_visible()
