"""On phones and tablets: everything important is visible, and what is played scrolls into view."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.house import PHONE, SETTLED, Client, Json, Visits, bots, wait_until
from browser.player import Player

BARS = (390, 664)  # a telephone with its browser's bars
SMALL = (360, 640)
ACROSS = (844, 390)
LOWEST = (667, 375)  # in landscape
TABLET = (820, 1180)
CLOCK = {"kind": "realtime", "base": 3000, "increment": 10}

# What a player's field shows, and what of it lies outside of the field or on something else.
_FIELDS = """() => [...document.querySelectorAll('.players > li')].map((field) => {
  const seen = (each) => each && each.checkVisibility() && each.getBoundingClientRect().width > 1;
  const find = (part) => field.querySelector(part);
  const words = (part) => (seen(find(part)) ? find(part).innerText.trim() : null);
  const room = field.getBoundingClientRect();
  const parts = ['.name', '.mark svg', '.supply', '.sum', '.top svg', '.status', '.clock']
    .map(find)
    .concat([...field.querySelectorAll('.laying svg')])
    .filter(seen);
  const boxes = parts.map((each) => [each.className.baseVal ?? each.className, ink(each)]);
  function ink(each) {
    const range = document.createRange();
    range.selectNodeContents(each);
    const whole = each.getBoundingClientRect();
    const { left, right, top, bottom } =
      each.tagName === 'svg' ? whole : range.getBoundingClientRect();
    return { left, right: Math.min(right, whole.right), top, bottom };
  }
  const wrong = [];
  for (const [name, box] of boxes) {
    if (box.left < room.left - 0.5 || box.right > room.right + 0.5 || box.bottom > room.bottom + 1)
      wrong.push(`${name} lies outside`);
    for (const [other, its] of boxes)
      if (box !== its && box.left + 1 < its.right && its.left + 1 < box.right
          && box.top + 4 < its.bottom && its.top + 4 < box.bottom)
        wrong.push(`${name} lies on ${other}`);
  }
  return {
    name: words('.name'), supply: words('.supply') && parseInt(words('.supply')),
    tokens: parseInt(words('.sum')),
    status: words('.status'), clock: words('.clock'), top: seen(find('.top svg')),
    messengers: [...field.querySelectorAll('.laying svg')].filter(seen).length, wrong,
  };
})"""

# Where the pile and its number lie.
_PILE = """() => ['.pile', '.count b'].map((part) => {
  const { x, y } = document.querySelector(`.middle ${part}`).getBoundingClientRect();
  return [Math.round(x), Math.round(y)];
})"""

# Notes of every sentence that is told: itself, its size, and the room that is left below it.
_SIZES_TOLD = """() => {
  const told = (window.told = []);
  const hear = () => {
    const place = document.querySelector('.desk .prompt');
    const line = place.querySelector('.told')?.textContent;
    if (!line || line === told.at(-1)?.[0]) return;
    const free = document.querySelector('.desk .cards').getBoundingClientRect().top
      - place.getBoundingClientRect().bottom;
    told.push([line, place.style.getPropertyValue('--fit'), free]);
  };
  new MutationObserver(() => requestAnimationFrame(hear)).observe(
    document.querySelector('.desk .prompt'),
    { subtree: true, childList: true, characterData: true },
  );
}"""

# Whether something can be seen whole, above what lies on top of the page.
_IN_VIEW = """(each) => {
  const box = each.getBoundingClientRect();
  const at = (x, y) => each.contains(document.elementFromPoint(x, y));
  return box.top >= 0 && box.bottom <= innerHeight + 1
    && at(box.left + box.width / 2, box.top + 4) && at(box.left + box.width / 2, box.bottom - 4);
}"""


def open_at(visits: Visits, table: str, size: tuple[int, int], **options: Any) -> Page:
    return visits.open(f"/t/{table}", size=size, has_touch=True, is_mobile=True, **options)


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
@pytest.mark.parametrize("size", [SMALL, PHONE, TABLET])
def test_players_have_all_that_lies_before_them(
    visits: Visits, client: Client, size: tuple[int, int], language: str
) -> None:
    message = client.play(client.create(bots(5, messengers=True, pace=CLOCK)), turns=7)
    page = open_at(visits, message["table"], size, person=client, locale=language)
    Player(page).wait()
    page.evaluate(SETTLED)
    fields = page.evaluate(_FIELDS)
    view = message["views"][0]["view"]
    assert len(fields) == 5
    for field, seat, shown in zip(fields, view["seats"], view["table"], strict=True):
        assert field["wrong"] == []
        assert field["supply"] == (seat["supply"] if size == TABLET else None)
        assert field["tokens"] == shown["tokens_won"]
        assert field["messengers"] == seat["messengers_left"]
        assert field["top"] == (shown["top"] is not None and size == TABLET)
    assert fields[0]["clock"]
    level = "Apprentice" if language == "en-GB" else "Lehrling"
    assert {field["status"] for field in fields[1:]} == {level}


def test_only_what_is_comparable_stands_side_by_side(visits: Visits, client: Client) -> None:
    """Beside all my points nobody else's tokens alone: in the end everybody has all of them."""
    setup = bots(2, rules=["messengers", "open-tokens"])
    message = client.play(client.create(setup), turns=20)
    page = open_at(visits, message["table"], PHONE, person=client)
    fields = page.locator(".players > li")
    own = message["views"][0]["view"]["sums"]["total"]
    expect(fields.nth(0).locator(".worth")).to_have_text(f" · {own}", use_inner_text=True)
    expect(fields.nth(1).locator(".worth")).to_have_count(0)
    message = client.play(message)
    page.get_by_role("button", name="Look at the board").last.tap()
    for field, score in zip(fields.all(), message["result"]["outcome"]["scores"], strict=True):
        total = score["total"]
        expect(field.locator(".worth")).to_have_text(f" · {total}", use_inner_text=True)
        expect(field.get_by_role("button").first).to_have_accessible_name(
            re.compile(rf"\b{total} points?\b")
        )


def test_a_touch_shows_the_card_on_top_of_a_pile(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(5)), turns=2)
    page = open_at(visits, message["table"], PHONE, person=client)
    Player(page).wait()
    field = page.locator(".players > li").nth(1)
    field.get_by_role("button").first.tap()
    top = message["views"][0]["view"]["table"][1]["top"]
    expect(field.locator(".more .top .card")).to_contain_text(top[:2])
    supply = message["views"][0]["view"]["seats"][1]["supply"]
    expect(field.locator(".more .name")).to_contain_text(f"{supply} floors")


def test_held_across_what_is_known_lies_beside_all_players(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(5, messengers=True)), turns=2)
    page = open_at(visits, message["table"], ACROSS, person=client)
    Player(page).wait()
    strip = page.locator(".players").bounding_box()
    assert strip
    for field in page.locator(".players > li").all():
        field.get_by_role("button").first.tap()
        box = field.locator(".more").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= strip["x"]
        field.get_by_role("button").first.tap()


def test_i_am_called_you(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(5)), turns=1)
    page = open_at(visits, message["table"], PHONE, person=client)
    Player(page).wait()
    mine = page.locator(".players > li").first
    expect(mine.locator(".status")).to_have_text("to play")
    expect(mine.locator(".status span")).to_be_visible()  # not dots, as of who thinks
    mine.get_by_role("button").first.tap()
    expect(mine.locator(".more .name")).to_contain_text("You")


@pytest.mark.parametrize("size", [SMALL, BARS, PHONE, ACROSS])
@pytest.mark.parametrize("language", ["en-GB", "de-DE", "nl-NL", "it-IT"])
def test_the_number_of_cards_says_what_it_is(
    visits: Visits, client: Client, size: tuple[int, int], language: str
) -> None:
    message = client.play(client.create(bots(5, messengers=True)), turns=1)
    page = open_at(visits, message["table"], size, person=client, locale=language)
    Player(page).wait()
    words = page.locator(".middle .count small")
    expect(words).to_be_visible()
    box, number = words.bounding_box(), page.locator(".middle .count b").bounding_box()
    assert box
    assert number
    assert box["height"] < 2 * number["height"]  # one line, or two


def test_my_pile_is_laid_before_the_board(visits: Visits, client: Client) -> None:
    """The dialog takes nothing over from the place that it is opened from."""
    message = client.play(client.create(bots(3)), turns=4)
    page = open_at(visits, message["table"], PHONE, person=client)
    Player(page).wait()
    page.locator(".middle [data-heads] button").tap()
    dialog = page.get_by_role("dialog", name="Your pile")
    expect(dialog.locator("li")).to_have_count(4)
    looks = dialog.evaluate("""(each) => {
      const { backgroundColor, pointerEvents, fontSize } = getComputedStyle(each);
      return [backgroundColor, pointerEvents, fontSize];
    }""")
    assert looks == ["rgb(251, 247, 236)", "auto", "16px"]


@pytest.mark.parametrize("size", [SMALL, BARS, PHONE])
def test_a_card_that_is_played_out_covers_no_city(
    visits: Visits, client: Client, size: tuple[int, int]
) -> None:
    message = client.play(client.create(bots(3)), turns=1)
    page = open_at(visits, message["table"], size, person=client, pace="calm")
    player = Player(page, touch=True)
    player.wait()
    place = page.evaluate(_PILE)
    player.draft()
    player.button("End turn").tap()
    expect(page.locator(".prompt .told").filter(has_text="to play")).to_be_visible()
    page.locator(".middle .played > svg").wait_for()
    card, words = page.locator(".middle .played").bounding_box(), page.locator(".middle")
    box = words.bounding_box()
    assert card
    assert box
    assert card["x"] + card["width"] <= box["x"] + box["width"] + 1
    assert page.locator(".middle .count").evaluate("(each) => each.classList.contains('away')")
    assert page.evaluate(_PILE) == place  # neither the pile nor its number has moved


def test_no_press_too_many_takes_a_whole_turn_back(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(3)), turns=3)
    page = open_at(visits, message["table"], PHONE, person=client)
    player = Player(page, touch=True)
    player.wait()
    turn = player.look()["turn"]
    player.play_turn()
    player.wait()
    desk = page.locator(".desk")
    expect(desk.get_by_role("button", name="Last round again")).to_be_visible()
    expect(desk.get_by_role("button", name="Take back my turn")).to_have_count(0)
    page.get_by_role("button", name="Chronicle and chat").tap()
    page.get_by_role("tab", name="More").tap()
    page.get_by_role("button", name="Take back my turn").tap()
    wait_until(page, lambda: player.look()["turn"] == turn, "it is not taken back")
    expect(page.get_by_role("tab", name="More")).to_be_hidden()


def test_the_last_round_is_one_press_away_even_where_my_turn_can_be_taken_back(
    visits: Visits, client: Client, friend: Client
) -> None:
    message = client.create({"players": 3, "seats": ["person", "person", "person"]})
    table = message["table"]
    friend.act(table, "join", seat=1, contribution="2" * 64)
    friend.act(table, "join", seat=2, hot_seat=True, name="Cleo", contribution="3" * 64)
    # No hidden card is shown any more, so that turns can still be taken back.
    while (message := client.look(table))["turn"] < 33 or message["you"]["to_move"] is None:
        who = friend if message["you"]["to_move"] is None else client
        who.turn(who.look(table))
    client.turn(message)
    friend.turn(friend.look(table))
    page = open_at(visits, table, (360, 640), person=client, locale="de-DE")
    desk = page.locator(".desk")
    back = desk.get_by_role("button", name="Um Zurücknehmen bitten")
    again = desk.get_by_role("button", name="Letzte Runde noch einmal")
    for button in (back, again, desk.get_by_role("button", name="Chronik und Chat")):
        expect(button).to_be_in_viewport(ratio=1)
    again.tap()
    expect(page.get_by_role("button", name="Überspringen")).to_be_visible()


def test_a_touch_of_the_board_folds_up_what_lies_on_it(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(3)), turns=1)
    page = open_at(visits, message["table"], PHONE, person=client)
    Player(page).wait()
    page.locator(".players > li").nth(1).get_by_role("button").first.tap()
    expect(page.locator(".players .more")).to_be_visible()
    page.locator(".players .more .name").tap()
    expect(page.locator(".players .more")).to_be_visible()
    page.locator("[data-city=RO] .name").tap(force=True)
    expect(page.locator(".players .more")).to_have_count(0)


@pytest.mark.parametrize("language", ["de-DE", "it-IT"])
def test_on_a_tablet_all_that_a_turn_brings_can_be_read(
    visits: Visits, client: Client, language: str
) -> None:
    message = client.play(client.create(bots(3, messengers=True)), turns=9)
    page = open_at(visits, message["table"], TABLET, person=client, locale=language)
    player = Player(page, touch=True)
    for _ in range(3):
        player.wait()
        player.draft()
        page.evaluate(SETTLED)
        told = page.locator("[data-outlook]:visible")
        if told.count() and told.inner_text():
            assert page.locator(".middle [data-outlook]").count() == 1
        cut = "(each) => each.scrollHeight > each.clientHeight + 2"
        for place in page.locator(".prompt, .middle .note").all():
            assert not place.evaluate(cut), place.inner_text()
        player.play_turn()


def test_words_that_have_room_are_not_written_smaller(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(5, messengers=True)), turns=2)
    page = open_at(visits, message["table"], LOWEST, person=client, pace="calm", locale="it-IT")
    player = Player(page, touch=True)
    player.wait()
    page.evaluate(_SIZES_TOLD)
    player.draft()
    page.locator("[data-choice=end]").tap()
    page.wait_for_function("() => window.told.length >= 4")
    for line, size, free in page.evaluate("window.told"):
        assert size == "1.00" or free < 26, (line, size, free)  # a line more and its air


@pytest.mark.parametrize("coach", [True, False], ids=["coached", "alone"])
def test_a_tablets_board_stays_where_it_is(visits: Visits, client: Client, *, coach: bool) -> None:
    message = client.play(client.create(bots(3)), turns=2)
    kept = {"settings": {"pace": "instant", "coach": coach}}
    page = open_at(visits, message["table"], TABLET, person=client, kept=kept, locale="it-IT")
    player = Player(page, touch=True)
    heights = set()
    for _ in range(8):
        player.wait()
        page.evaluate(SETTLED)
        box = page.locator(".board").bounding_box()
        assert box
        heights.add(round(box["height"]))
        player.pick()
    assert len(heights) == 1


def test_a_touch_shows_every_token(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(2)))
    page = open_at(visits, message["table"], PHONE, person=client)
    page.get_by_role("button", name="Look at the board").last.tap()
    for seat, score in enumerate(message["result"]["outcome"]["scores"]):
        field = page.locator(".players > li").nth(seat)
        field.get_by_role("button").tap()
        values = field.locator(".more .tokens text").all_text_contents()
        assert sum(map(int, values)) == score["tokens"]


def test_a_mark_tells_of_unread_lines(visits: Visits, client: Client, friend: Client) -> None:
    message = client.create({"players": 2, "seats": ["person", "person"]})
    friend.act(message["table"], "join", seat=1, contribution="2" * 64)
    page = open_at(visits, message["table"], PHONE, person=client)
    log = page.get_by_role("button", name="Chronicle")
    expect(log).to_be_visible()
    expect(log.locator(".unheard")).to_have_count(0)
    friend.act(message["table"], "say", text="Hello there")
    expect(log.locator(".unheard")).to_have_text("1")
    log.tap()
    expect(page.get_by_text("Hello there")).to_be_visible()
    expect(log.locator(".unheard")).to_have_count(0)
    page.get_by_role("button", name="Close").tap()
    friend.act(message["table"], "say", text="Are you there?")
    expect(log.locator(".unheard")).to_have_text("1")


@pytest.mark.parametrize("size", [BARS, SMALL, ACROSS])
def test_the_city_of_a_card_comes_into_view(
    visits: Visits, client: Client, size: tuple[int, int]
) -> None:
    message = client.play(client.create(bots(5, messengers=True)), turns=2)
    player = Player(open_at(visits, message["table"], size, person=client), touch=True)
    player.wait()
    for card in player.hand:
        player.page.locator(f'[data-card="{card}"]').tap()
        city = player.page.locator(f"[data-city={card[:2]}]")
        player.page.wait_for_function(_IN_VIEW, arg=city.element_handle())
    player.draft()
    expect(player.button("End turn").or_(player.button("Take the card"))).to_be_in_viewport()


@pytest.mark.parametrize("size", [BARS, PHONE])
def test_a_hint_is_looked_at_before_it_is_taken(
    visits: Visits, client: Client, size: tuple[int, int]
) -> None:
    message = client.play(client.create(bots(2)), turns=3)
    page = open_at(visits, message["table"], size, person=client)
    turns = advise(page, message)
    player = Player(page, touch=True)
    player.wait()
    page.evaluate(SETTLED)
    before = page.locator(".desk").bounding_box()
    player.button("Hint").tap()
    panel = page.get_by_role("region", name="What I would do")
    expect(panel).to_contain_text("about 40 points")
    assert page.locator(".desk").bounding_box() == before  # it hides nothing of the board
    for number, turn in enumerate(turns):
        page.get_by_role("group", name="What I would do").get_by_role("button").nth(number).tap()
        expect(page.locator("[data-card][aria-pressed=true]")).to_have_attribute(
            "data-card", turn[:3]
        )
        city = page.locator(f"[data-city={turn[:2]}]")
        page.wait_for_function(_IN_VIEW, arg=city.element_handle())
    page.get_by_role("button", name="Set up this turn").tap()
    expect(panel).to_have_count(0)
    expect(page.locator("[data-card][aria-pressed=true]")).to_have_attribute(
        "data-card", turns[-1][:3]
    )
    assert player.button("End turn").is_enabled()


def advise(page: Page, message: Json) -> list[str]:
    """Let the server answer with three turns that are equally likely to win; the best first."""
    legal: list[str] = message["views"][0]["view"]["legal"]
    cards = dict.fromkeys(turn[:3] for turn in legal)
    turns = [next(turn for turn in legal if turn.startswith(card)) for card in cards]
    candidates = [
        {"move": turn, "share": [0, 1], "points": [40 - number, 60], "exact": False}
        for number, turn in enumerate(turns)
    ]
    answer = {"turn": message["turn"], "step": message["step"], "candidates": candidates[::-1]}
    page.route("**/hint", lambda route: route.fulfill(json=answer))
    return turns
