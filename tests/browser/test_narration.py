"""What happened: turns in words, marked changes, the last round again, known hands."""

import re

from playwright.sync_api import Page, expect

from browser.house import Client, Json, Visits, bots, wait_until
from browser.player import Player
from patrizier.rules.board import CITIES

NAMES = {city.code: city.name for city in CITIES}

# Records every sentence that the prompt shows.
LISTEN = """() => {
  const told = (window.told = []);
  const hear = () => {
    const line = document.querySelector('.prompt h2.told')?.textContent;
    if (line && line !== told.at(-1)) told.push(line);
  };
  new MutationObserver(hear).observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true,
  });
}"""


def turns(message: Json) -> list[Json]:
    """Return the records of turns in a message."""
    return [entry["record"] for entry in message["log"] if entry["kind"] == "turn"]


def tells(page: Page, sentence: str, record: Json) -> bool:
    """Whether a sentence is about this turn: who, where, and which card was taken."""
    names = page.locator(".players .name").all_inner_texts()
    seats = ["You" if index == 0 else name for index, name in enumerate(names)]
    built, drawn = NAMES[record["move"][:2]], record["drawn"]
    words = rf"{re.escape(seats[record['seat']])} builds? .*\b{built}\b"
    taken = rf".* takes? the {NAMES[drawn[:2]]} card" if drawn else ""
    return re.match(words + taken, sentence) is not None


def opened(visits: Visits, client: Client, players: int, pace: str) -> Player:
    message = client.play(client.create(bots(players)), turns=3)
    player = Player(visits.open(f"/t/{message['table']}", person=client, pace=pace))
    assert player.wait() == "turn"
    return player


def test_the_prompt_tells_what_others_do(visits: Visits, client: Client) -> None:
    player = opened(visits, client, 4, "brisk")
    page, before = player.page, player.look()["turn"]
    page.evaluate(LISTEN)
    player.play_turn()
    wait_until(page, lambda: player.look()["turn"] >= before + 4, "the bots do not play")
    player.wait()
    records = turns(player.look())[before:]
    told = page.evaluate("window.told")
    others = [line for line in told if not line.startswith("You ")]
    assert len(others) == 3, told
    assert all(
        tells(page, line, record) for line, record in zip(others, records[1:], strict=True)
    ), (told, records)
    expect(page.locator(".prompt h2")).to_have_text("Choose a card to play")


def fresh_cards(page: Page) -> set[str]:
    """The cities whose card is said to be new."""
    found = page.locator("[data-city]").filter(
        has=page.locator("[aria-label^='Face up'][aria-label$='new since your turn']")
    )
    return {str(each.get_attribute("data-city")) for each in found.all()}


def test_what_has_changed_is_marked_until_i_act(visits: Visits, client: Client) -> None:
    player = opened(visits, client, 3, "instant")
    page = player.page
    message = player.look()
    records = turns(message)[-2:]
    (cities,) = [each["view"]["cities"] for each in message["views"]]
    shown = {city["card"]: city["code"] for city in cities}
    refilled = {shown[each["refill"]] for each in records if each["refill"] in shown}
    assert fresh_cards(page) == refilled != set()
    for record in records:
        site = page.locator(f"[data-site^='{record['move'][:2]}.'][aria-label*='new since']")
        assert site.count() >= 1
    marks = page.locator(".board .trace")
    assert marks.count() >= len(refilled) + len(records)
    page.reload()  # works without having seen the turns
    player.wait()
    assert fresh_cards(page) == refilled
    player.pick()
    expect(marks).to_have_count(0)
    assert page.locator("[aria-label*='new since']").count() == 0
    player.button("Take back").click()
    expect(marks).not_to_have_count(0)


def test_the_last_round_is_shown_again(visits: Visits, client: Client) -> None:
    player = opened(visits, client, 3, "instant")
    page = player.page
    records = turns(player.look())[-2:]
    page.evaluate(LISTEN)
    page.keyboard.press("r")
    player.wait()
    told = page.evaluate("window.told")
    assert len(told) == 2
    assert all(tells(page, line, record) for line, record in zip(told, records, strict=True))
    again = page.get_by_role("button", name="Last round again")
    again.click()
    expect(page.locator(".prompt h2.told")).to_be_visible()
    player.button("Skip ahead").click()
    expect(page.locator(".prompt h2")).to_have_text("Choose a card to play")
    player.play_turn()


def held(page: Page) -> dict[int, list[str | None]]:
    """The cards that are shown of others' hands, by seat."""
    return {
        int(str(each.get_attribute("data-held"))): [
            card.get_attribute("aria-label") for card in each.locator("svg.card").all()
        ]
        for each in page.locator("[data-held]").all()
    }


def check_held(page: Page, message: Json) -> None:
    """No more of a hand is shown than the view knows, and all of that."""
    (view,) = [each["view"] for each in message["views"]]
    shown = held(page)
    assert set(shown) == {seat["seat"] for seat in view["seats"]} - {view["viewer"]}
    for seat, cards in shown.items():
        known = view["seats"][seat]
        assert cards.count(None) == known["unknown"]
        named = [card for card in cards if card]
        assert len(named) == len(known["hand"])
        for card, label in zip(known["hand"], named, strict=True):
            assert label.startswith(NAMES[card[:2]])


def test_hands_that_are_known_lie_beside_the_players(visits: Visits, client: Client) -> None:
    player = opened(visits, client, 4, "instant")
    check_held(player.page, player.look())
    player.play_turn()
    player.wait()
    check_held(player.page, player.look())


def test_no_hand_is_shown_where_the_table_does_not_help(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(3, memory_help=False)), turns=4)
    page = visits.open(f"/t/{message['table']}", person=client)
    Player(page).wait()
    assert held(page) == {}
    page.locator(".players > li > button").last.click()
    expect(page.locator(".more", has_text="3 cards in hand")).to_be_visible()
    assert held(page) == {}


def test_with_five_a_hand_is_one_press_away(visits: Visits, client: Client) -> None:
    player = opened(visits, client, 5, "instant")
    assert held(player.page) == {}
    player.page.locator(".players > li > button").nth(2).click()
    (view,) = [each["view"] for each in player.look()["views"]]
    known = view["seats"][2]
    cards = held(player.page)[2]
    assert (len(cards), cards.count(None)) == (3, known["unknown"])
