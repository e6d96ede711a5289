"""The staged ending: counted out tower by tower, or skipped; the same numbers at the end."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.house import SETTLED, Client, Json, Visits, bots
from browser.player import Player
from patrizier.server.loadtest.process import ServerProcess

SIZES = [(390, 664), (360, 640), (844, 390), (667, 375), (820, 1180), (1440, 900), (1920, 1080)]
OVER = "dialog[data-over=true]"
COUNTING = "dialog[data-over=false]"

# Controls of the ending that cannot be seen whole, or touch each other; and whether it is too wide.
_REACHABLE = """() => {
  const wrong = [];
  const boxes = [...document.querySelectorAll('dialog footer .button, dialog .close')].map(
    (each) => [each.innerText || each.ariaLabel, each.getBoundingClientRect()],
  );
  for (const [name, box] of boxes) {
    const across = box.left >= 0 && box.right <= innerWidth;
    if (!across || box.top < 0 || box.bottom > innerHeight) wrong.push(`${name} is cut off`);
    if (box.height < 40) wrong.push(`${name} is too low`);
  }
  for (const each of document.querySelectorAll('dialog footer .button'))
    if (each.scrollWidth > each.clientWidth + 1) wrong.push(`${each.innerText} does not fit`);
  const scroll = document.querySelector('dialog .scroll');
  if (scroll.scrollWidth > scroll.clientWidth + 1) wrong.push('it scrolls sideways');
  for (const panel of document.querySelectorAll('dialog .panel'))
    if (panel.scrollWidth > panel.clientWidth + 1) wrong.push(`${panel.className} overflows`);
  return wrong;
}"""


@pytest.fixture(scope="module")
def client(server: ServerProcess) -> Iterator[Client]:
    """One person for all these tests, who looks at the end of the same game."""
    client = Client(server.url)
    yield client
    client.close()


@pytest.fixture(scope="module")
def finished(client: Client) -> Json:
    """A table of five with messengers whose game is over."""
    return client.play(client.create(bots(5, messengers=True)))


def moving(visits: Visits, path: str, **options: Any) -> Page:
    return visits.open(path, pace="calm", reduced_motion="no-preference", **options)


def points(page: Page) -> dict[int, str]:
    """Return the totals that stand there now, by seat."""
    rows = page.locator("dialog tbody tr").all()
    return {
        int(row.get_attribute("data-seat") or ""): row.locator(".total").inner_text()
        for row in rows
    }


def expected(message: Json) -> dict[int, str]:
    scores = message["result"]["outcome"]["scores"]
    return {seat: str(score["total"]) for seat, score in enumerate(scores)}


def test_it_is_counted_out_to_the_end(visits: Visits, client: Client, finished: Json) -> None:
    page = moving(visits, f"/t/{finished['table']}", person=client)
    expect(page.locator(COUNTING)).to_be_visible()
    expect(page.locator("dialog [data-turned=true]")).not_to_have_count(0)
    expect(page.locator("dialog .actions .button")).to_have_count(1)  # to skip it
    expect(page.locator(OVER)).to_be_visible()
    expect(page.locator("dialog [data-turned=true]")).to_have_count(20)
    assert points(page) == expected(finished)
    told = page.locator("dialog [role=log] p").all_inner_texts()
    assert len([line for line in told if re.search(r" takes? ", line)]) == 10
    assert [line for line in told if line.startswith("You: ")]  # sets of portraits, or none
    assert not [line for line in told if "Guest" in line]  # nobody is told of by a number
    assert "win" in told[-1]
    page.reload()  # it has been seen
    expect(page.locator(OVER)).to_be_visible()
    assert points(page) == expected(finished)


def test_it_is_told_as_it_is_counted_and_nothing_moves_at_its_end(
    visits: Visits, client: Client, finished: Json
) -> None:
    page = moving(visits, f"/t/{finished['table']}", person=client)
    page.locator("dialog [data-turned=true]").nth(1).wait_for()
    expect(page.locator("dialog .facts")).to_contain_text("Milano: ")
    expect(page.locator("dialog .city.counting")).to_have_count(1)
    expect(page.locator("dialog .flag")).not_to_have_count(0)
    before = page.locator("dialog .skyline").bounding_box()
    page.keyboard.press("Enter")
    page.locator(OVER).wait_for()
    page.evaluate(SETTLED)
    expect(page.locator("dialog .flag")).to_have_count(20)
    expect(page.get_by_role("button", name="Turn sounds on")).to_be_visible()
    assert page.locator("dialog .skyline").bounding_box() == before


@pytest.mark.parametrize("how", ["Enter", "Space", "Escape", "click", "button"])
def test_one_press_skips_it(visits: Visits, client: Client, finished: Json, how: str) -> None:
    page = moving(visits, f"/t/{finished['table']}", person=client)
    expect(page.locator(COUNTING)).to_be_visible()
    if how == "click":
        page.locator("dialog h1").click()
    elif how == "button":
        page.get_by_role("button", name="Skip ahead").click()
    else:
        page.keyboard.press(how)
    expect(page.locator(OVER)).to_be_visible()
    assert points(page) == expected(finished)
    expect(page.get_by_role("button", name="Again")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_with_reduced_motion_it_stands_there_at_once(
    visits: Visits, client: Client, finished: Json
) -> None:
    page = visits.open(
        f"/t/{finished['table']}", person=client, pace="calm", reduced_motion="reduce"
    )
    expect(page.locator("dialog")).to_have_attribute("data-over", "true")
    assert points(page) == expected(finished)
    told = page.locator("dialog [role=log] p")
    expect(told).to_have_count(1)
    best = max(score["total"] for score in finished["result"]["outcome"]["scores"])
    expect(told).to_contain_text(re.compile(rf"Points: \D*{best}\b"))


def test_the_keyboard_finds_everything_and_no_frame_stands_alone(
    visits: Visits, client: Client, finished: Json
) -> None:
    page = visits.open(f"/t/{finished['table']}", person=client)
    expect(page.locator(OVER)).to_be_visible()
    expect(page.locator("#result-title")).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "none"
    reached = set()
    for _ in range(14):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.innerText.trim()"))
    assert {"Again", "Replay", "Save the record", "Check the deal"} <= reached


def test_a_window_made_small_and_large_again_looks_as_before(
    visits: Visits, client: Client, finished: Json
) -> None:
    page = visits.open(f"/t/{finished['table']}", person=client, size=(1440, 900))
    expect(page.locator(OVER)).to_be_visible()
    page.evaluate(SETTLED)
    before = page.locator("dialog .skyline").bounding_box()
    for width, height in ((2560, 1440), (844, 390), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
    assert page.locator("dialog .skyline").bounding_box() == before


@pytest.mark.parametrize("size", [(2560, 1440), (1920, 1080), (1440, 900), (820, 1180)], ids=str)
def test_the_skyline_fills_the_screen(
    visits: Visits, client: Client, finished: Json, size: tuple[int, int]
) -> None:
    page = visits.open(f"/t/{finished['table']}", person=client, size=size)
    expect(page.locator(OVER)).to_be_visible()
    page.evaluate(SETTLED)
    box = page.locator("dialog .skyline").bounding_box()
    assert box is not None
    assert box["width"] > 0.9 * size[0]
    assert box["height"] > 0.28 * size[1]


def test_the_turning_point_is_told_and_can_be_seen(visits: Visits, client: Client) -> None:
    for _ in range(8):  # an equal end has none
        message = client.play(client.create(bots(3)))
        scores = [each["total"] for each in message["result"]["outcome"]["scores"]]
        if scores.count(max(scores)) == 1:
            break
    else:
        pytest.fail("every game ended equal")
    curve, winner = message["result"]["final_count"]["curve"], scores.index(max(scores))
    turn = len(curve) - 1
    while all(
        points < curve[turn - 1][winner]
        for seat, points in enumerate(curve[turn - 1])
        if seat != winner
    ):
        turn -= 1
    page = visits.open(f"/t/{message['table']}", person=client)
    told = page.locator("dialog .turning")
    expect(told).to_contain_text(f"From turn {turn} on")
    expect(page.locator("dialog .pointed")).to_have_count(1)
    told.get_by_role("link").click()
    expect(page).to_have_url(re.compile(rf"/replay/{message['table']}\?turn={turn}$"))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_button_is_in_sight(
    visits: Visits, client: Client, finished: Json, size: tuple[int, int]
) -> None:
    page = visits.open(f"/t/{finished['table']}", person=client, size=size, locale="de-DE")
    expect(page.locator(OVER)).to_be_visible()
    page.evaluate(SETTLED)
    assert page.evaluate(_REACHABLE) == []


def test_the_score_of_the_evening_cuts_nothing_off(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(5)))
    again = client.look(client.act(message["table"], "offer-rematch")["rematch"])
    (seat,) = again["you"]["seats"]
    again = client.act(again["table"], "contribute", seat=seat, contribution="3" * 64)
    again = client.play(again)
    page = visits.open(f"/t/{again['table']}", person=client, size=(844, 390), locale="de-DE")
    expect(page.locator(".evening")).to_be_visible()
    page.evaluate(SETTLED)
    assert page.evaluate(_REACHABLE) == []


# Numbers on bars that the penalty at the end of the bar covers.
_UNDER_THE_PENALTY = """() => [...document.querySelectorAll('.bar:has(.lost)')].flatMap((bar) => {
  const { left } = bar.querySelector('.lost').getBoundingClientRect();
  const numbers = [...bar.querySelectorAll('b')].filter((each) => each.innerText);
  return numbers.filter((each) => each.getBoundingClientRect().right > left + 1)
    .map((each) => each.innerText);
})"""


def test_the_penalty_has_a_minus_sign(visits: Visits, client: Client) -> None:
    for _ in range(8):  # nobody has to take it
        message = client.play(client.create(bots(3, messengers=True)))
        if any(score["minus"] for score in message["result"]["outcome"]["scores"]):
            break
    else:
        pytest.fail("no game had a penalty")
    page = visits.open(f"/t/{message['table']}", person=client)
    player = Player(page)
    assert player.wait() == "over"
    assert any("−3" in row for row in player.result())
    assert page.evaluate(_UNDER_THE_PENALTY) == []


# Numbers on bars that are wider than what they stand on; and how many are shown.
_CUT = """() => {
  const numbers = [...document.querySelectorAll('.bar b')].filter((each) => each.innerText);
  const cut = numbers.filter((each) => {
    const text = document.createRange();
    text.selectNodeContents(each);
    return text.getBoundingClientRect().width > each.parentElement.clientWidth;
  });
  return { shown: numbers.length, cut: cut.map((each) => each.innerText) };
}"""


@pytest.mark.parametrize("width", [40, 80, 160])
def test_numbers_on_narrow_bars_are_whole_or_not_there(
    visits: Visits, client: Client, finished: Json, width: int
) -> None:
    page = visits.open(f"/t/{finished['table']}", person=client)
    page.locator(OVER).wait_for()
    narrow = f"(bars) => bars.forEach((bar) => {{ bar.style.flex = '0 0 {width}px'; }})"
    page.locator(".bar").evaluate_all(narrow)
    page.evaluate(SETTLED)
    numbers = page.evaluate(_CUT)
    assert numbers["shown"]
    assert numbers["cut"] == []


def test_a_replay_ends_the_same_way(visits: Visits, client: Client, finished: Json) -> None:
    page = moving(visits, f"/replay/{finished['table']}?turn=54", person=client)
    expect(page.get_by_role("slider", name="Turn")).to_have_value("54")
    page.keyboard.press("ArrowRight")
    expect(page.locator(COUNTING)).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(OVER)).to_be_visible()
    assert points(page) == expected(finished)
    page.get_by_role("button", name="From the beginning").click()
    expect(page.get_by_role("slider", name="Turn")).to_have_value("0")


def test_my_row_says_you(visits: Visits, client: Client, finished: Json) -> None:
    page = visits.open(f"/t/{finished['table']}", person=client)
    page.locator(OVER).wait_for()
    expect(page.locator("dialog tbody tr[data-seat='0'] .name")).to_have_text("You")


def test_on_a_phone_skipping_is_as_wide_as_the_screen(
    visits: Visits, client: Client, finished: Json
) -> None:
    page = moving(visits, f"/t/{finished['table']}", size=(390, 664), person=client)
    box = page.locator(COUNTING).get_by_role("button", name="Skip ahead").bounding_box()
    assert box is not None
    assert box["width"] > 350


def test_held_across_all_of_sharing_is_in_sight(
    visits: Visits, client: Client, finished: Json
) -> None:
    page = visits.open(f"/t/{finished['table']}", size=(844, 390), person=client)
    page.locator(OVER).wait_for()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Copy the link")).to_be_in_viewport(ratio=1)
    expect(page.locator("dialog img")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(360, 640), (390, 664), (844, 390), (740, 360)], ids=str)
def test_five_rows_of_points_are_in_sight(
    visits: Visits, client: Client, finished: Json, size: tuple[int, int]
) -> None:
    page = visits.open(f"/t/{finished['table']}", size=size, locale="it-IT", person=client)
    page.locator(OVER).wait_for()
    for row in page.locator("dialog tbody tr").all():
        expect(row).to_be_in_viewport(ratio=0.95)


def test_an_offer_of_sounds_takes_no_room_from_the_points(
    visits: Visits, client: Client, finished: Json
) -> None:
    page = visits.open(f"/t/{finished['table']}", size=(390, 760), person=client)
    page.locator(OVER).wait_for()
    offer = page.get_by_role("button", name="Turn sounds on")
    expect(offer).to_be_attached()
    for row in page.locator("dialog tbody tr").all():
        expect(row).to_be_in_viewport(ratio=0.95)
    offer.scroll_into_view_if_needed()
    offer.click()
    expect(offer).to_have_count(0)


@pytest.mark.parametrize("language", ["en-GB", "it-IT"])
def test_on_a_tablet_the_towers_stand_in_two_rows_from_the_beginning(
    visits: Visits, client: Client, finished: Json, language: str
) -> None:
    page = moving(
        visits, f"/t/{finished['table']}", size=(820, 1180), person=client, locale=language
    )
    ground = page.locator("dialog .skyline .ground")
    page.locator(COUNTING).wait_for()
    expect(ground).to_have_count(2)
    page.keyboard.press("Enter")
    page.locator(OVER).wait_for()
    page.evaluate(SETTLED)
    expect(ground).to_have_count(2)
