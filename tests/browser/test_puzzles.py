"""Puzzles on the page: the day's, training, hints, and without the server."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from browser.house import PHONE, WIDE, Client, Visits
from browser.test_axe import check
from browser.test_written import texts_of
from patrizier.puzzles.collection import shipped
from patrizier.puzzles.puzzle import Puzzle

ACROSS = (844, 390)
TOLD = "() => JSON.parse(localStorage['patrizier.puzzles']).waiting.length === 0"


def plain() -> Puzzle:
    """Return a puzzle whose solution is a card and one or two sites."""
    return next(
        puzzle
        for puzzle in shipped().values()
        if puzzle.solution.text == f"{puzzle.solution.card}:{puzzle.solution.sites}"
        and not puzzle.source.begun
        and not any(m.moved or m.draw or m.messenger for m in puzzle.view.legal)
    )


def lay(page: Page, text: str) -> None:
    card, sites = text.split(":")
    page.locator(f'[data-card="{card}"]').click()
    for site in sites:
        page.locator(f'[data-site="{card[:2]}.{site}"]').click()
    page.locator('[data-choice="end"]').click()


@pytest.mark.parametrize("size", [WIDE, PHONE, ACROSS], ids=["wide", "phone", "across"])
@pytest.mark.parametrize("language", ["en", "de", "nl", "it"])
def test_a_puzzle_is_solved(visits: Visits, size: tuple[int, int], language: str) -> None:
    puzzle = plain()
    page = visits.open(f"/puzzle/{puzzle.id}", size=size, locale=language)
    wrong = next(m.text for m in puzzle.view.legal if m.text not in puzzle.accepted)
    lay(page, wrong)
    expect(page.locator(".said .wrong")).to_be_visible()
    lay(page, puzzle.solution.text)
    expect(page.locator(".said .right")).to_be_visible()
    expect(page.locator(".said .solution")).not_to_be_empty()
    expect(page.locator(".themes span")).to_have_count(len(puzzle.themes))
    page.wait_for_function(TOLD)
    told = page.evaluate("() => JSON.parse(localStorage['patrizier.puzzles']).told")
    assert told["rating"] < 1500, "the first attempt counts"
    assert told["done"] == {puzzle.id: 1}


@pytest.mark.parametrize("size", [(360, 640), (390, 664)], ids=str)
def test_on_a_phone_towers_are_large_enough_to_be_read(
    visits: Visits, size: tuple[int, int]
) -> None:
    page = visits.open(f"/puzzle/{plain().id}", size=size)
    box = page.locator("[data-city=MI] .tower").first.bounding_box()
    assert box is not None
    assert box["width"] > 30


def test_on_a_phone_a_hint_comes_into_sight(visits: Visits) -> None:
    puzzle = plain()
    page = visits.open(f"/puzzle/{puzzle.id}", size=(390, 664), has_touch=True, is_mobile=True)
    lay(page, next(m.text for m in puzzle.view.legal if m.text not in puzzle.accepted))
    expect(page.locator(".said .wrong")).to_be_visible()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".said p").last).to_be_in_viewport(ratio=1)


def test_a_puzzle_that_is_not_there_leads_to_the_others(visits: Visits) -> None:
    page = visits.open("/puzzle/00000000")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_role("link", name="All puzzles").first.click()
    expect(page.get_by_role("heading", name="Puzzles")).to_be_visible()


def test_training_goes_on_and_on(visits: Visits) -> None:
    page = visits.open("/puzzles")
    page.locator('[data-theme-of="ties"]').click()
    seen = set()
    for _ in range(3):
        page.get_by_role("button", name="Hint").click()
        page.get_by_role("button", name="Solution").click()
        expect(page.locator(".themes")).to_contain_text("Ties")
        seen.add(page.locator(".said .solution").inner_text())
        page.get_by_role("button", name="Next puzzle").click()
    assert len(seen) > 1
    page.get_by_role("link", name="All puzzles").click()
    expect(page.locator('[data-theme-of="ties"]')).to_contain_text("3 of")


def test_what_was_done_on_another_device_does_not_come_again(
    visits: Visits, client: Client
) -> None:
    """Not even as the first puzzle in a browser that knows nothing of it yet."""
    theme = {each.id: 1 for each in shipped().values() if "last-round" in each.themes}
    attempts = [{"puzzle": each, "turn": None, "at": time.time()} for each in list(theme)[1:]]
    assert client.http.post("/api/my/puzzles", json={"attempts": attempts}).is_success
    page = visits.open("/puzzle/train?theme=last-round", person=client)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_function(TOLD)
    told = page.evaluate("() => JSON.parse(localStorage['patrizier.puzzles']).told")
    assert told["done"] == theme


@pytest.mark.parametrize(
    ("size", "language"), [(WIDE, "en"), (PHONE, "de"), (WIDE, "nl"), (PHONE, "it")]
)
def test_the_profile_tells_ones_rating(
    visits: Visits, client: Client, size: tuple[int, int], language: str
) -> None:
    puzzle, words = plain(), texts_of(language)
    page = visits.open("/you", person=client, size=size, locale=language)
    mine = page.get_by_role("region", name=words["puzzles.title"])
    expect(page.get_by_role("heading", level=2).first).to_be_visible()
    expect(mine).to_have_count(0)
    attempt = {"puzzle": puzzle.id, "turn": puzzle.solution.text, "at": time.time()}
    told = client.http.post("/api/my/puzzles", json={"attempts": [attempt]}).json()
    page.reload()
    expect(mine.get_by_text(words["puzzles.tries"])).to_be_visible()
    figures = mine.get_by_role("definition")
    assert re.sub(r"\D", "", figures.first.inner_text().split("±")[0]) == str(told["rating"])
    expect(figures.nth(1)).to_have_text("1")
    check(page)


@pytest.mark.parametrize("path", ["/puzzles", "/puzzle/day"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_they_are_open_to_everyone(visits: Visits, path: str, size: tuple[int, int]) -> None:
    page = visits.open(path, size=size)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    check(page)


def test_loaded_puzzles_work_without_the_server(visits: Visits) -> None:
    page = visits.open("/puzzles", service_workers="allow")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    expect(page.get_by_text("work without a connection")).to_be_visible()
    page.context.set_offline(True)
    page.goto("/puzzle/train")
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("button", name="Solution").click()
    expect(page.locator(".said .solution")).not_to_be_empty()
    page.get_by_role("link", name="All puzzles").click()
    expect(page.get_by_text("when you are online again")).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    page.wait_for_function(TOLD)
    visits.ignore_errors("ERR_INTERNET_DISCONNECTED")
