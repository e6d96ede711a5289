"""At the table: one screen for all, watching, taking back, hints."""

import re

import pytest
from playwright.sync_api import expect

from browser.house import Client, Visits, bots, wait_until
from browser.player import Player

# What beside the board is seen in part only; hints and chronicle scroll.
CUT_OFF = """() => [...document.querySelectorAll('aside .hints, aside button')]
  .filter((each) => each.checkVisibility() && !each.parentElement.closest('.hints, .page'))
  .filter((each) => each.getBoundingClientRect().bottom > innerHeight)
  .map((each) => each.innerText)"""


def test_one_screen_goes_round(visits: Visits) -> None:
    page = visits.open("/new?here=1")
    page.get_by_label("Name on seat 1").fill("Anna")
    page.get_by_label("Name on seat 2").fill("Ben")
    page.locator("form button[type=submit]").click()
    player = Player(page)
    hands: dict[str, set[str]] = {}
    for _ in range(4):
        assert player.wait() == "curtain"
        assert player.hand == []
        curtain = page.get_by_role("dialog")
        name = curtain.get_by_role("button").inner_text().removeprefix("I am ")
        content = page.content()
        for cards in hands.values():
            assert not [card for card in cards if re.search(rf"\b{card}\b", content)]
        player.uncover()
        expect(curtain).to_be_hidden()
        hand = set(player.hand)
        assert len(hand) == 3
        for other, cards in hands.items():
            assert other == name or not cards & hand
        player.play_turn()
        hands[name] = hand - played(player)
    assert set(hands) == {"Anna", "Ben"}


def test_while_the_device_changes_hands_only_the_hand_is_covered(
    visits: Visits, client: Client
) -> None:
    message = client.create({"players": 2, "seats": ["person", "person"]})
    table = message["table"]
    message = client.act(table, "join", seat=1, contribution="2" * 64, hot_seat=True, name="Ben")
    while not any(seat["tokens_won"] for seat in message["views"][0]["view"]["table"]):
        message = client.turn(message)
    page = visits.open(f"/t/{table}", person=client)
    player = Player(page)
    assert player.wait() == "curtain"
    curtain, board = (
        page.get_by_role("dialog").bounding_box(),
        page.locator(".board").bounding_box(),
    )
    assert curtain is not None
    assert board is not None
    assert board["y"] + board["height"] <= curtain["y"] + 1
    expect(page.locator(".board")).to_be_in_viewport(ratio=1)
    expect(page.locator(".players .tokens svg")).not_to_have_count(0)
    expect(page.locator(".players .tokens text")).to_have_count(0)  # all face down
    status = page.locator(".players .status").all_inner_texts()
    assert sorted(status) == ["", "to play"]
    player.uncover()
    mine = message["you"]["to_move"]
    values = page.locator(".players > li").nth(mine).locator(".tokens text").all_text_contents()
    view = next(each["view"] for each in message["views"] if each["seat"] == mine)
    assert [int(value) for value in values] == view["table"][mine]["tokens"]


def test_nobody_is_you_among_several_at_one_screen(visits: Visits, client: Client) -> None:
    table = client.create({"players": 3, "seats": ["person"] * 3})["table"]
    page = visits.open(f"/t/{table}", person=client)
    you = page.get_by_role("listitem").get_by_text("you", exact=True)
    expect(you).to_have_count(1)
    client.act(table, "join", seat=1, contribution="2" * 64, hot_seat=True, name="Ben")
    expect(page.get_by_text("Ben", exact=True)).to_be_visible()
    expect(you).to_have_count(0)


def played(player: Player) -> set[str]:
    """The cards that everybody has seen played."""
    return {
        entry["record"]["move"][:3] for entry in player.look()["log"] if entry["kind"] == "turn"
    }


def test_a_watcher_sees_no_hand_and_cannot_act(visits: Visits, client: Client) -> None:
    message = client.create(bots(3, watch="everyone"))
    message = client.play(message, turns=2)
    page = visits.open(f"/t/{message['table']}")
    expect(page.get_by_role("heading", name="You are watching.")).to_be_visible()
    told = page.get_by_role("tabpanel").locator("li button")
    expect(told).not_to_have_count(0)
    before = told.count()
    assert page.locator("[data-card], [data-choice]").count() == 0
    for name in ("End turn", "Give up", "Hint", "Take back my turn"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    client.play(message, turns=1)
    wait_until(page, lambda: told.count() > before, "the watcher is not told")
    assert page.locator("[data-card], [data-choice]").count() == 0


def test_watching_by_link_needs_the_key(visits: Visits, client: Client) -> None:
    message = client.create(bots(2, watch="link"))
    page = visits.open(f"/t/{message['table']}")
    expect(page.get_by_role("heading")).to_contain_text("no such table")
    key = client.look(message["table"])["you"]["watch_key"]
    page.goto(f"/t/{message['table']}?key={key}")
    expect(page.get_by_role("heading", name="You are watching.")).to_be_visible()


def test_the_link_for_watchers_is_copied(visits: Visits, client: Client) -> None:
    message = client.create(bots(2, watch="link"))
    page = visits.open(
        f"/t/{message['table']}",
        person=client,
        permissions=["clipboard-read", "clipboard-write"],
    )
    page.get_by_role("button", name="Link for watchers").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert len(page.context.pages) == 1
    watcher = visits.open(link.removeprefix(visits.url))
    expect(watcher.get_by_role("heading", name="You are watching.")).to_be_visible()


def test_in_the_end_all_tokens_lie_open(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(2, messengers=True)))
    page = visits.open(f"/t/{message['table']}", person=client)
    page.get_by_role("button", name="Look at the board").last.click()
    shown = [
        [int(value) for value in field.locator(".tokens text").all_text_contents()]
        for field in page.locator(".players > li").all()
    ]
    scores = message["result"]["outcome"]["scores"]
    assert [sum(values) for values in shown] == [score["tokens"] for score in scores]
    assert sum(map(len, shown)) == 18


def test_again_seats_the_same_rivals(visits: Visits, client: Client) -> None:
    message = client.create({"players": 3, "seats": ["person", "person", "merchant"]})
    table = message["table"]
    message = client.act(table, "seat-bot", seat=1, level="apprentice")
    page = visits.open(f"/t/{table}", person=client)
    names = page.locator(".players .name")
    expect(names).to_have_count(3)
    rivals = names.all_inner_texts()
    client.play(client.look(table))
    page.reload()
    page.get_by_role("button", name="Again").click()
    page.wait_for_url(lambda url: not url.endswith(table))
    expect(names).to_have_text(rivals)
    expect(page.locator("[data-card]")).to_have_count(3)
    client.play(client.look(page.url.rsplit("/", 1)[-1]))
    expect(page.locator(".evening")).to_contain_text("after 2")


# Notes every card that lies in its place while it is still on its way there.
_WATCH_FLIGHTS = """() => {
  const flights = (window.flights = { seen: 0, wrong: [] });
  const look = () => {
    for (const each of document.querySelectorAll('.flight')) {
      flights.seen += 1;
      const { to } = each.dataset;
      const alone = to === 'played' || to.startsWith('city-'); // no other card lies there
      if (alone && document.querySelector(`[data-anchor="${to}"] .card`)) flights.wrong.push(to);
    }
    requestAnimationFrame(look);
  };
  look();
}"""


def test_a_card_lies_in_its_place_when_it_has_arrived(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(2)), turns=1)
    page = visits.open(
        f"/t/{message['table']}", person=client, pace="calm", reduced_motion="no-preference"
    )
    player = Player(page)
    player.wait()
    page.evaluate(_WATCH_FLIGHTS)
    player.play_turn()
    player.wait()
    flights = page.evaluate("window.flights")
    assert flights["seen"] > 0
    assert flights["wrong"] == []


def test_a_turn_is_taken_back_step_by_step(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(3)), turns=5)
    player = Player(visits.open(f"/t/{message['table']}", person=client), seed=3)
    player.wait()
    prompts = [player.prompt]
    while not any(each.kind == "end" for each in player.next_choices()):
        player.pick()
        prompts.append(player.prompt)
    assert len(prompts) > 2
    before = player.look()
    for prompt in reversed(prompts[:-1]):
        player.button("Take back").click()
        assert player.prompt == prompt
    expect(player.button("Take back")).to_be_hidden()
    after = player.look()
    assert (after["turn"], after["step"], after["seq"]) == (
        before["turn"],
        before["step"],
        before["seq"],
    )


def test_an_ended_turn_is_taken_back_against_bots(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(3)), turns=3)
    player = Player(visits.open(f"/t/{message['table']}", person=client))
    player.wait()
    hand, turn = player.hand, player.look()["turn"]
    player.play_turn()
    player.wait()
    assert player.hand != hand
    player.button("Take back my turn").click()
    wait_until(player.page, lambda: player.look()["turn"] == turn, "it is not taken back")
    wait_until(player.page, lambda: player.hand == hand, "the old hand is not shown")
    player.play_turn()


@pytest.mark.parametrize("size", [(1024, 768), (1366, 768), (1440, 900)], ids=str)
def test_hints_are_whole_beside_five_players(
    visits: Visits, client: Client, size: tuple[int, int]
) -> None:
    message = client.play(client.create(bots(5, messengers=True)), turns=1)
    page = visits.open(f"/t/{message['table']}", person=client, size=size)
    player = Player(page)
    player.wait()
    player.button("Hint").click()
    hints = page.get_by_role("region", name="What I would do")
    expect(hints.locator("li").last).to_be_visible()
    assert page.evaluate(CUT_OFF) == []
    hints.get_by_role("button", name="Close").click()
    expect(page.get_by_role("tab", name="Chronicle")).to_be_visible()


def test_a_hint_can_be_laid_out(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(2)), turns=4)
    player = Player(visits.open(f"/t/{message['table']}", person=client))
    player.wait()
    turn = player.look()["turn"]
    player.button("Hint").click()
    hints = player.page.get_by_role("region", name="What I would do")
    candidates = hints.locator("li button")
    expect(candidates.first).to_contain_text(re.compile(r"about \d+ points"))
    assert 1 <= candidates.count() <= 3
    candidates.first.hover()
    expect(player.page.locator("[data-card][aria-pressed=true]")).to_have_count(1)
    assert player.prompt == "This is what the hint would do"
    candidates.first.click()
    expect(hints).to_be_hidden()
    assert [each.kind for each in player.next_choices()] == ["end"]
    player.pick()
    wait_until(player.page, lambda: player.look()["turn"] > turn, "the hint is not played")


def test_what_cannot_be_done_says_why(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(2)), turns=1)
    player = Player(visits.open(f"/t/{message['table']}", person=client))
    player.wait()
    player.page.locator("[data-site]").first.click()
    expect(player.page.get_by_role("alert")).to_have_text("First choose a card from your hand.")


def test_a_card_is_dragged_to_its_site(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(2)), turns=1)
    player = Player(visits.open(f"/t/{message['table']}", person=client))
    player.wait()
    card = player.page.locator("[data-card]").first
    code = str(card.get_attribute("data-card"))[:2]
    before = player.prompt
    site = player.page.locator(f'[data-site="{code}.L"]')
    card.drag_to(site)
    assert player.prompt != before
    expect(player.page.locator("[data-card][aria-pressed=true]")).to_have_count(1)
