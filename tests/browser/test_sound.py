"""Sounds: off until chosen, offered once; then every step, words and the end are heard."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.house import Client, Visits, bots, wait_until
from browser.player import Player

STONE, PAPER, TOKEN, END, WORDS = 150, 420, 880, 392, 740  # Hz

# An audio device that writes down what it would ring.
_DEVICE = """
window.rung = [];
const param = { setValueAtTime() {}, linearRampToValueAtTime() {},
  exponentialRampToValueAtTime() {} };
class Sounder {
  constructor(_, { frequency } = {}) {
    this.gain = param;
    if (frequency) window.rung.push(frequency);
  }
  connect(next) { return next; }
  start() {}
  stop() {}
}
window.OscillatorNode = window.GainNode = Sounder;
window.AudioContext = class { state = 'running'; currentTime = 0; };
"""


def listening(visits: Visits, path: str, *, sound: bool = True, **options: Any) -> Page:
    """Open an address with a device that remembers what it rang."""
    kept = {"settings": {"pace": options.pop("pace", "instant"), "sound": sound}}
    page = visits.open("/about", kept=kept, **options)
    page.context.add_init_script(_DEVICE)
    page.goto(path)
    return page


def rung(page: Page) -> list[int]:
    """What has rung since the last question."""
    found: list[int] = page.evaluate("window.rung.splice(0)")
    return found


@pytest.mark.parametrize("sound", [True, False])
def test_my_own_steps_are_heard(visits: Visits, client: Client, *, sound: bool) -> None:
    page = listening(visits, f"/t/{client.create(bots(2))['table']}", sound=sound, person=client)
    player = Player(page)
    player.wait()
    rung(page)
    assert player.pick().kind == "card"
    expect(page.locator("[data-choice=site]").first).to_be_visible()
    assert rung(page) == [PAPER] * sound
    assert player.pick().kind == "site"
    expect(player.button("Take back")).to_be_visible()
    wait_until(page, lambda: not sound or page.evaluate("window.rung.length") > 0, "no stone")
    assert rung(page) == [STONE] * sound
    player.button("Take back").click()
    player.button("Take back").click()
    expect(player.button("Take back")).to_have_count(0)
    assert rung(page) == []


def test_what_others_say_is_heard(visits: Visits, client: Client, friend: Client) -> None:
    table = client.create({"players": 2, "seats": ["person", "person"]})["table"]
    friend.act(table, "join", seat=1, contribution="2" * 64)
    friend.act(table, "say", text="Before you came")
    page = listening(visits, f"/t/{table}", person=client)
    expect(page.locator(".board")).to_be_visible()
    assert WORDS not in rung(page)
    client.act(table, "say", text="My own words")
    expect(page.get_by_role("tab", name="Chat (2)")).to_be_visible()
    assert WORDS not in rung(page)
    friend.act(table, "say", text="Hello there")
    expect(page.get_by_role("tab", name="Chat (3)")).to_be_visible()
    assert WORDS in rung(page)


def test_the_final_count_is_heard(visits: Visits, client: Client) -> None:
    table = client.play(client.create(bots(2)))["table"]
    path = f"/t/{table}"
    page = listening(visits, path, pace="calm", reduced_motion="no-preference", person=client)
    page.locator("dialog [data-turned=true]").nth(2).wait_for()
    assert rung(page).count(TOKEN) >= 2
    page.keyboard.press("Enter")
    page.locator("dialog[data-over=true]").wait_for()
    assert {END, 523} & set(rung(page))  # lost, or won
    page.reload()  # it has been counted
    page.locator("dialog[data-over=true]").wait_for()
    assert rung(page) == []


def test_a_phone_offers_them_in_sight_and_once(visits: Visits, client: Client) -> None:
    table = client.play(client.create(bots(2)))["table"]
    page = visits.phone(f"/t/{table}", person=client)
    page.set_viewport_size({"width": 390, "height": 664})
    page.locator("dialog[data-over=true]").wait_for()
    offer = page.get_by_role("button", name="Turn sounds on")
    expect(offer).to_be_in_viewport(ratio=1)
    kept = "() => localStorage['patrizier.sound-offer'] === 'true'"
    page.wait_for_function(kept)
    page.reload()  # it was not answered
    page.locator("dialog[data-over=true]").wait_for()
    expect(offer).to_have_count(0)
