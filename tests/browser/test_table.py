"""At the table: one screen for all, watching, taking back, hints."""

import re

from playwright.sync_api import expect

from browser.house import Client, Visits, bots, wait_until
from browser.player import Player


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
