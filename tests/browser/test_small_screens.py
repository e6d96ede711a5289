"""On a phone, and at 200 % on a laptop: nothing is cut off, and touch targets are large enough."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.house import PHONE, SETTLED, Client, Visits, bots
from browser.player import Player
from browser.test_learn import SCENES

ZOOMED = (720, 450)  # a laptop's 1440 by 900 at 200 %
PLAIN = ["/", "/tables", "/new", "/replay", "/rules", "/you", "/about"]
LESSONS = ["/learn/build", "/learn/move"]
LEAST = 40  # pixels that a finger needs
ACROSS = (844, 390)
LOWEST = (667, 375)
SMALL = (360, 640)
TABLET = (820, 1180)
# Pairs of things that lie on each other.
OVERLAPPING = """(selector) => {
  const boxes = [...document.querySelectorAll(selector)]
    .map((each) => [each.textContent, each.getBoundingClientRect()])
    .filter(([, box]) => box.width && box.height);
  const meet = ([, one], [, two]) =>
    Math.min(one.right, two.right) > Math.max(one.left, two.left) - 1 &&
    Math.min(one.bottom, two.bottom) > Math.max(one.top, two.top) + 3;
  return boxes.flatMap((one, index) =>
    boxes.slice(index + 1).filter((two) => meet(one, two)).map(([text]) => `${one[0]}+${text}`),
  );
}"""
# How far the rims of a city's two tokens lie apart, where both numbers are possible.
RIMS_APART = """(city) => {
  const rims = [...document.querySelectorAll(`[data-city=${city}] .token .rim`)].map((each) => {
    const half = (parseFloat(getComputedStyle(each).strokeWidth) * each.getScreenCTM().a) / 2;
    const { left, right } = each.getBoundingClientRect();
    return [left - half, right + half];
  });
  return rims.slice(1).map(([left], index) => left - rims[index][1]);
}"""
FITTING = Path(__file__).with_name("fitting.js").read_text("utf-8")


def problems(page: Page) -> dict[str, list[str]]:
    """Return everything that does not fit."""
    found: dict[str, list[str]] = page.evaluate(FITTING, LEAST)
    return {kind: names for kind, names in found.items() if names}


def told(found: dict[str, Any]) -> str:
    """Return findings, line by line."""
    return json.dumps(found, indent=1, ensure_ascii=False)


def open_small(visits: Visits, path: str, how: str, **options: Any) -> Page:
    if how == "phone":
        return visits.phone(path, **options)
    return visits.open(path, size=ZOOMED, device_scale_factor=2, **options)


@pytest.mark.parametrize("how", ["phone", "zoomed"])
@pytest.mark.parametrize("path", PLAIN + LESSONS)
def test_a_page_fits(visits: Visits, path: str, how: str) -> None:
    page = open_small(visits, path, how)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    found = problems(page)
    assert not found, told(found)


@pytest.mark.parametrize("how", ["phone", "zoomed"])
def test_a_table_fits_at_every_step(visits: Visits, client: Client, how: str) -> None:
    message = client.play(client.create(bots(5, messengers=True)), turns=5)
    page = open_small(visits, f"/t/{message['table']}", how, person=client)
    player = Player(page, touch=how == "phone")
    seen: set[str] = set()
    found: dict[str, Any] = {}
    for _ in range(30):
        if player.wait() != "turn":
            break
        kinds = {each.kind for each in player.next_choices()}
        if not kinds <= seen:
            seen |= kinds
            if wrong := problems(page):
                found["+".join(sorted(kinds))] = wrong
        player.pick()
    assert seen >= {"card", "site", "end"}
    assert not found, told(found)


def test_a_result_fits(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(5, messengers=True)))
    page = visits.phone(f"/t/{message['table']}", person=client)
    box = page.locator('[aria-labelledby="result-title"]').bounding_box()
    assert box is not None
    assert box["width"] <= PHONE[0]
    for name in ("Again", "Check the deal", "Look at the board"):
        expect(page.get_by_role("button", name=name).last).to_be_in_viewport()


def test_held_across_players_have_room_for_their_points(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(5, messengers=True)))
    page = visits.open(f"/t/{message['table']}", size=ACROSS, locale="de-DE", person=client)
    page.locator("dialog[data-over=true]").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator(".players .worth")).to_have_count(5)
    expect(page.locator(".players .worth").first).to_be_visible()
    assert not page.evaluate(OVERLAPPING, ".players li :is(.sum, .status span, .name, .time)")


def test_held_across_two_tokens_stand_side_by_side(visits: Visits) -> None:
    for size in ((740, 360), ACROSS):
        page = visits.open("/learn/complete", size=size)
        expect(page.locator("[data-city=PA] .token", has_text="5·2")).to_have_count(2)
        assert not page.evaluate(OVERLAPPING, "rect.pill:not(.rim, .sign)")
        (gap,) = page.evaluate(RIMS_APART, "PA")
        assert gap > 1


@pytest.mark.parametrize("size", [ACROSS, LOWEST], ids=["across", "lowest"])
@pytest.mark.parametrize("language", ["de-DE", "it-IT"])
def test_held_across_every_way_to_begin_is_in_sight(
    visits: Visits, size: tuple[int, int], language: str
) -> None:
    page = visits.open("/", size=size, locale=language, has_touch=True, is_mobile=True)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    ways = page.locator(".doors .go .button")
    expect(ways).to_have_count(3)
    for way in ways.all():
        expect(way).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "nl-NL", "it-IT"])
def test_on_the_smallest_phone_all_ways_stand_in_one_row(visits: Visits, language: str) -> None:
    page = visits.open("/", size=SMALL, locale=language, has_touch=True, is_mobile=True)
    links = page.locator("header a").filter(visible=True)
    expect(links).to_have_count(5)
    boxes = [each.bounding_box() for each in links.all()]
    middles = {round(box["y"] + box["height"] / 2) for box in boxes if box}
    assert max(middles) - min(middles) <= 1
    assert all(box and min(box["width"], box["height"]) >= LEAST for box in boxes)


@pytest.mark.parametrize("language", ["de-DE", "it-IT"])
def test_held_across_every_scene_can_be_begun_without_scrolling(
    visits: Visits, language: str
) -> None:
    page = visits.open("/about", size=LOWEST, locale=language, has_touch=True, is_mobile=True)
    for scene in SCENES:
        page.goto(f"/learn/{scene}")
        expect(page.locator(".leaf .task .button")).to_have_count(2)
        for button in page.locator(".leaf .task .button").all():
            expect(button).to_be_in_viewport(ratio=1)


def test_on_a_tablet_the_leaf_of_a_scene_covers_nothing(visits: Visits) -> None:
    page = visits.open("/about", size=TABLET, locale="de-DE", has_touch=True, is_mobile=True)
    for scene in SCENES:
        page.goto(f"/learn/{scene}")
        page.locator(".leaf .task .button").first.wait_for()
        page.locator("[data-city=RO]").wait_for()
        page.evaluate(SETTLED)
        leaf = page.locator(".learn .page").bounding_box()
        for code in ("MI", "RO"):
            city = page.locator(f"[data-city={code}] > .ground").bounding_box()
            names = page.locator(".learn .ground > ul").bounding_box()
            assert leaf
            assert city
            assert names
            assert city["y"] + city["height"] <= leaf["y"] + 1, scene
            assert city["y"] >= names["y"] + names["height"] - 3, scene  # one is lifted
