"""The quick start, from its first scene to its end, in every language."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.house import ROOT, Visits
from browser.player import Player

SCENES = [
    "build", "complete", "tie", "empty-site", "free-draw", "move", "portraits", "double",
    "last-cards", "messenger",
]  # fmt: skip
LOCALES = {"en": "en-GB", "de": "de-AT", "nl": "nl-NL", "it": "it-IT"}
MOST_STEPS = 12
# What the finger points at, as a number among all choices, once it points at something new.
SHOWN = """() => {
  if (document.querySelector('.outcome')) return 'done';
  const spot = document.querySelector('.spot')?.getBoundingClientRect();
  if (!spot) return null;
  const [x, y] = [spot.x + spot.width / 2, spot.y + spot.height / 2];
  const found = document.elementFromPoint(x, y)?.closest('[data-choice]');
  if (!found || found === window.lastShown) return null;
  window.lastShown = found;
  return String([...document.querySelectorAll('[data-choice]')].indexOf(found));
}"""
# Whether the city that a scene is about lies above its leaf.
ROMA_SEEN = """() => {
  const city = document.querySelector('[data-city=RO] > rect')?.getBoundingClientRect();
  const leaf = document.querySelector('.leaf')?.getBoundingClientRect();
  return city && leaf && city.bottom <= leaf.top;
}"""
# What the finger lays over the page: nothing that would hide what it points at.
GROUND = "spot => getComputedStyle(spot).backgroundColor"
CLEAR = "rgba(0, 0, 0, 0)"
KEY = re.compile(r"\b(?:learn|prompt|table|city|hand|board|log|noble|colour)\.[a-z]+")


def texts_of(language: str) -> dict[str, str]:
    """Return the texts of the page in a language."""
    folder = ROOT / "web" / "src" / "texts" / language
    texts: dict[str, str] = {}
    for file in sorted(folder.glob("*.json")):
        texts |= json.loads(file.read_text("utf-8"))
    return texts


@pytest.mark.parametrize("language", list(LOCALES))
def test_the_quick_start_to_its_end(visits: Visits, language: str) -> None:
    texts = texts_of(language)
    page = visits.open("/learn", locale=LOCALES[language])
    for scene in SCENES:
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.get_by_role("heading", level=1)).to_have_text(texts[f"learn.{scene}.title"])
        check_words(page)
        if scene == "complete":
            try_wrongly(page, texts)
        follow_the_finger(page, texts)
        expect(page.locator(".outcome h2")).to_have_text(texts["learn.well"])
        check_words(page)
        page.locator('.leaf [data-choice="next"]').click()
    expect(page.get_by_role("heading", level=1)).to_have_text(texts["learn.end.title"])
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(texts["learn.end.title"])


def check_words(page: Page) -> None:
    """No text shows its name instead."""
    assert not KEY.findall(page.locator("body").inner_text())


def follow_the_finger(page: Page, texts: dict[str, str]) -> None:
    """Ask to be shown, and do what is pointed at."""
    page.get_by_role("button", name=texts["learn.show"], exact=True).click()
    for _ in range(MOST_STEPS):
        shown = page.wait_for_function(SHOWN).json_value()
        if shown == "done":
            return
        assert page.locator(".spot").evaluate(GROUND) == CLEAR
        page.locator("[data-choice]").nth(int(shown)).click()
    raise AssertionError("the finger leads nowhere")


def try_wrongly(
    page: Page, texts: dict[str, str], look: Callable[[Page], None] | None = None
) -> None:
    """Build in another city than the one that is asked for; `look` at what comes of it."""
    player = Player(page)
    cards = page.locator("[data-card]")
    expect(cards).to_have_count(3)
    lifted = str(page.locator(".city.lifted").get_attribute("data-city"))
    other = next(card for card in player.hand if not card.startswith(lifted))
    page.locator(f'[data-card="{other}"]').click()
    player.draft()
    page.locator('[data-choice="end"]').click()
    expect(page.locator(".outcome h2")).to_have_text(texts["learn.not-yet"])
    check_words(page)
    if look:
        look(page)
    page.locator('.leaf [data-choice="next"]').click()


def test_the_quick_start_is_left_and_resumed(visits: Visits) -> None:
    page = visits.open("/learn", kept={"learn": ["build", "complete"]})
    expect(page).to_have_url(re.compile("/learn/tie$"))
    page.get_by_role("link", name="Leave").click()
    expect(page.get_by_text("2 of 10 scenes done")).to_be_visible()
    page.get_by_role("link", name="Go on").click()
    expect(page).to_have_url(re.compile("/learn/tie$"))


def test_on_a_phone_all_dots_are_one_button(visits: Visits) -> None:
    page = visits.phone("/learn/complete")
    dots = page.get_by_role("button", name="Scenes", exact=True)
    box = dots.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    dots.tap()
    page.get_by_role("dialog").get_by_role("link", name="The special action").tap()
    expect(page).to_have_url(re.compile("/learn/move$"))
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("size", [(360, 640), (390, 664)], ids=str)
def test_on_a_phone_the_leaf_does_not_hide_what_it_is_about(
    visits: Visits, size: tuple[int, int]
) -> None:
    page = visits.open("/learn/double", size=size)
    page.wait_for_function(ROMA_SEEN)
    page.get_by_role("button", name="Show me", exact=True).click()
    for _ in range(MOST_STEPS):
        shown = page.wait_for_function(SHOWN).json_value()
        if shown == "done":
            break
        page.locator("[data-choice]").nth(int(shown)).click()
    page.wait_for_function(ROMA_SEEN)
