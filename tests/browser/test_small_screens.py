"""On a phone, and at 200 % on a laptop: nothing is cut off, and touch targets are large enough."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.house import PHONE, Client, Visits, bots
from browser.player import Player

ZOOMED = (720, 450)  # a laptop's 1440 by 900 at 200 %
PLAIN = ["/", "/tables", "/new", "/replay", "/rules", "/you", "/about"]
LESSONS = ["/learn/build", "/learn/move"]
LEAST = 40  # pixels that a finger needs
ACROSS = (844, 390)
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
    page = visits.open("/learn/complete", size=(740, 360))
    expect(page.locator("[data-city=PA] .token", has_text="5·2")).to_have_count(2)
    assert not page.evaluate(OVERLAPPING, "rect.pill:not(.rim, .sign)")
