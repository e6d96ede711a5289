"""What a turn would bring, and what towers say of themselves: by mouse, by keyboard, by touch."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.house import PHONE, SETTLED, WIDE, Client, Visits, bots
from browser.player import Player
from patrizier.server.loadtest.process import ServerProcess

Json = dict[str, Any]
BOARD = ".board"


@pytest.fixture(scope="module")
def game(server: ServerProcess) -> Iterator[Json]:
    """A game of three in which there are towers to speak of."""
    client = Client(server.url)
    message = client.play(client.create(bots(3, messengers=True)), turns=9)
    yield {"client": client, "message": message}
    client.close()


def sit_down(visits: Visits, game: Json, **options: Any) -> Player:
    page = visits.open(f"/t/{game['message']['table']}", person=game["client"], **options)
    player = Player(page, touch=bool(options.get("has_touch")))
    assert player.wait() == "turn"
    return player


def told(player: Player) -> Json:
    (only,) = player.look()["views"]
    view: Json = only
    return view


def lay_out(player: Player, card: str) -> str:
    """Choose a card and sites for all its floors; return the step as the server names it."""
    player.touch_it(player.page.locator(f"[data-card='{card}']"))
    sites = ""
    while site := next((each for each in player.choices() if each.kind == "site"), None):
        sites += site.what[-1]
        player.take(site)
    return f"{card}:{''.join(sorted(sites))}"


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_a_line_says_what_the_turn_brings_and_the_board_stays_where_it_is(
    visits: Visits, game: Json, size: tuple[int, int]
) -> None:
    player = sit_down(visits, game, size=size)
    page, line = player.page, player.page.locator("[data-outlook]:visible")
    expect(line.filter(has_text=re.compile(r"\S"))).to_have_count(0)
    page.evaluate(SETTLED)
    box = page.locator(BOARD).bounding_box()
    view = told(player)
    cities = {city["code"]: city for city in view["view"]["cities"]}
    for card in player.hand:
        step = lay_out(player, card)
        standing, prospects = view["standings"][step], view["prospects"]
        if step in prospects["takes"]:
            for _, points in prospects["takes"][step]:
                expect(line).to_contain_text(f"+{points}")
        else:
            tally = standing["tallies"]["LR".index(step[-1])]
            expect(line).to_contain_text(" lead")
            if size == WIDE:
                expect(line).to_contain_text(f" with {tally[0][1]}")
            elif len(tally) > 1:
                expect(line).to_contain_text(f"({tally[0][1]}:{tally[1][1]}")
        if card in prospects["gains"]:
            expect(line).to_contain_text(str(prospects["gains"][card]["heads"]))
        assert cities[card[:2]]["winners"] is None
        page.evaluate(SETTLED)
        assert page.locator(BOARD).bounding_box() == box
    player.touch_it(player.button("Take back"))


def test_what_is_only_pointed_at_is_told_before_it_is_chosen(visits: Visits, game: Json) -> None:
    player = sit_down(visits, game)
    page, line = player.page, player.page.locator("[data-outlook]")
    page.locator(f"[data-card='{player.hand[0]}']").click()
    sites = [each for each in player.choices() if each.kind == "site"]
    page.mouse.move(sites[0].x, sites[0].y)
    expect(line).to_contain_text("left" if sites[0].what.endswith("L") else "right")
    page.mouse.move(2, 2)
    expect(line).not_to_contain_text(" (")
    assert [each for each in player.choices() if each.kind == "site"] == sites  # none was chosen


# -- towers


def highest(page: Page) -> Locator:
    """Return the tower that has most to say."""
    towers = page.locator("[data-site]")
    lengths = [
        len(towers.nth(at).get_attribute("aria-label") or "") for at in range(towers.count())
    ]
    return towers.nth(lengths.index(max(lengths)))


def expect_tip(player: Player, tower: Locator) -> None:
    """Wait for the tip, and compare it with what the server counted."""
    code, site = str(tower.get_attribute("data-site")).split(".")
    view = told(player)["view"]
    (city,) = [each for each in view["cities"] if each["code"] == code]
    tip = player.page.get_by_role("tooltip")
    expect(tip).to_be_visible()
    rows = tip.locator("li")
    tally = city["tallies"]["LR".index(site)]
    expect(rows).to_have_count(len(tally))
    for at, (_, count) in enumerate(tally):
        expect(rows.nth(at)).to_contain_text(f" {count}")
    if code in view["bonuses"]:
        expect(tip).to_contain_text(f"+ {view['bonuses'][code]}")
    size = player.page.viewport_size
    assert size
    box = tip.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]


def test_a_tower_calls_me_you(visits: Visits, game: Json) -> None:
    player = sit_down(visits, game)
    towers = player.page.locator("[data-site]")
    cities = {city["code"]: city for city in told(player)["view"]["cities"]}
    mine = [
        f"{code}.{site}"
        for code, city in cities.items()
        for site, tally in zip("LR", city["tallies"], strict=True)
        if any(seat == 0 for seat, _ in tally)
    ]
    assert mine
    player.page.locator(f"[data-site='{mine[0]}']").hover()
    expect(player.page.get_by_role("tooltip")).to_contain_text("You ")
    expect(towers.and_(player.page.locator("[aria-label*='Guest']"))).to_have_count(0)


def test_a_tower_speaks_under_the_mouse(visits: Visits, game: Json) -> None:
    player = sit_down(visits, game)
    tower = highest(player.page)
    tower.hover()
    expect_tip(player, tower)
    player.page.mouse.move(2, 2)
    expect(player.page.get_by_role("tooltip")).to_have_count(0)


def test_a_tower_speaks_to_the_keyboard(visits: Visits, game: Json) -> None:
    player = sit_down(visits, game)
    page = player.page
    for key, at in (("t", 0), ("t", 1), ("t", 2), ("Shift+T", 1)):
        page.keyboard.press(key)
        tower = page.locator("[data-site]").nth(at)
        expect(tower).to_be_focused()
        expect_tip(player, tower)
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("tooltip")).to_have_count(0)


def test_a_tower_speaks_to_a_finger_and_is_not_chosen(visits: Visits, game: Json) -> None:
    player = sit_down(visits, game, size=(390, 664), has_touch=True, is_mobile=True)
    page = player.page
    page.locator(f"[data-card='{player.hand[0]}']").tap()
    site = next(each for each in player.choices() if each.kind == "site")
    tower = page.locator(f"[data-site='{site.what}']")
    tower.scroll_into_view_if_needed()
    page.evaluate(SETTLED)
    box = tower.bounding_box()
    assert box
    touch = page.context.new_cdp_session(page)
    middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [middle]})
    expect_tip(player, tower)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert any(each.what == site.what for each in player.choices() if each.kind == "site")
    tower.tap()
    expect(page.get_by_role("tooltip")).to_have_count(0)


def test_a_city_with_one_floor_left_stands_out(visits: Visits, game: Json) -> None:
    player = sit_down(visits, game)
    for city in told(player)["view"]["cities"]:
        missing = city["capacity"] - len(city["left"]) - len(city["right"])
        name = player.page.locator(f"[data-city='{city['code']}']")
        label = str(name.get_attribute("aria-label"))
        assert ("one floor left" in label) == (missing == 1)


@pytest.mark.parametrize("size", [WIDE, (1024, 768)])
def test_my_sums_are_always_there(visits: Visits, game: Json, size: tuple[int, int]) -> None:
    player = sit_down(visits, game, size=size)
    sums, line = told(player)["view"]["sums"], player.page.locator("[data-sums]")
    expect(line).to_be_visible()
    expect(line).to_contain_text(f"{sums['total']} point")
    for each in sums["portraits"]:
        expect(line).to_contain_text(str(each["heads"]))
    words = line.get_by_text(re.compile("more for 6$")).first
    box = words.bounding_box()
    assert box
    assert (box["width"] > 100) == (size == WIDE)  # written out, or for screen readers only


@pytest.mark.parametrize("size", [(390, 664), (360, 640)])
def test_my_points_stand_in_the_middle_of_a_phone(
    visits: Visits, game: Json, size: tuple[int, int]
) -> None:
    player = sit_down(visits, game, size=size)
    total = told(player)["view"]["sums"]["total"]
    mine = player.page.locator(".middle .total")
    expect(mine).to_have_text(re.compile(rf"^{total} points?$"))
    expect(mine).to_be_visible()
    for each in told(player)["view"]["sums"]["portraits"]:  # for screen readers
        word = "one more" if each["missing"] == 1 else f"{each['missing']} more"
        heads = player.page.locator(".middle [data-heads]")
        expect(heads).to_contain_text(re.compile(rf"\b{each['heads']} \w+[:,] .*{word} for 6"))
    field = player.page.locator(".strip > li").first.get_by_role("button").first
    expect(field).to_have_accessible_name(re.compile(rf"\b{total} points?\b"))
