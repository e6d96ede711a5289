"""Whole games without a mouse: by the keyboard alone, and with a finger on a telephone."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from browser.house import SCHEMES, Client, Visits, bots
from browser.player import Choice, Player
from browser.test_full_games import check_result

MOST_KEYS = 80  # to get anywhere
THREE_BOTS = {"players": 4, "level": "apprentice", "messengers": True}


def tab_to(page: Page, name: str) -> None:
    """Press Tab until something of this name has the focus."""
    for _ in range(MOST_KEYS):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText?.trim()") == name:
            return
    raise AssertionError(f"Tab does not lead to {name!r}")


class Typist(Player):
    """Plays by keys alone: numbers for cards, arrows from choice to choice, Enter."""

    def take(self, choice: Choice) -> None:
        """Choose something."""
        if choice.kind == "card" and self.rng.random() < 0.5:
            self.page.keyboard.press(str(self.hand.index(choice.what) + 1))
            return
        self.walk_to(choice)
        self.page.keyboard.press("Enter")

    def walk_to(self, wanted: Choice) -> None:
        """Press arrow keys until a choice has the focus."""
        been: set[tuple[str, str]] = set()
        for _ in range(MOST_KEYS):
            found = self.choices()
            here = next((each for each in found if each.focused), None)
            if here is None:
                self.page.keyboard.press("ArrowUp")
                continue
            if (here.kind, here.what) == (wanted.kind, wanted.what):
                return
            straight = _direction(wanted.x - here.x, wanted.y - here.y)
            lost = (here.kind, here.what) in been
            been.add((here.kind, here.what))
            self.page.keyboard.press(f"Arrow{_anywhere(self.rng) if lost else straight}")
        raise AssertionError(f"arrow keys do not lead to {wanted}")


def _direction(dx: float, dy: float) -> str:
    if abs(dx) > abs(dy):
        return "Right" if dx > 0 else "Left"
    return "Down" if dy > 0 else "Up"


def _anywhere(rng: Random) -> str:
    return rng.choice(["Left", "Right", "Up", "Down"])


def test_a_whole_game_by_keyboard(visits: Visits) -> None:
    page = visits.open(kept={"quick": THREE_BOTS})
    tab_to(page, "Play now")
    page.keyboard.press("Enter")
    player = Typist(page, seed=1)
    assert player.wait() == "turn"
    check_keys(player)
    player.play_to_end()
    check_result(player)
    first = player.table
    tab_to(page, "Again")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/t/" in url and first not in url)


def check_keys(player: Player) -> None:
    """Numbers choose, Escape takes back step by step, a question mark explains."""
    page = player.page
    choose_card = player.prompt
    page.keyboard.press("1")
    choose_site = player.prompt
    assert choose_site != choose_card
    player.pick()
    assert player.prompt != choose_site
    for _ in range(MOST_KEYS):
        if player.prompt == choose_site:
            break
        page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert player.prompt == choose_card
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Keys")).to_be_hidden()


def test_a_whole_game_by_touch(visits: Visits) -> None:
    page = visits.phone(kept={"quick": THREE_BOTS})
    page.get_by_role("button", name="Play now").tap()
    player = Player(page, seed=2, touch=True)
    player.play_to_end()
    check_result(player)


# How a place on the board looks that can be chosen, and how much it stands out from its ground.
_LOOK = """(each) => {
  const { stroke, strokeDasharray, strokeWidth } = getComputedStyle(each);
  const paint = document.createElement('canvas').getContext('2d');
  const light = (colour) => {
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...paint.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = each.closest('.city').querySelector('.ground');
  const [dark, bright] = [light(stroke), light(getComputedStyle(ground).fill)].sort();
  return {
    stroke, dashes: strokeDasharray, width: parseFloat(strokeWidth),
    contrast: (bright + 0.05) / (dark + 0.05),
  };
}"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_keyboard_shows_where_it_is(visits: Visits, client: Client, scheme: str) -> None:
    message = client.create(bots(2))
    message = client.play(message, turns=0)
    page = visits.open(f"/t/{message['table']}", person=client, color_scheme=scheme)
    player = Typist(page)
    player.wait()
    page.keyboard.press("1")
    focused = page.locator('[data-choice="site"]:focus')
    expect(focused).to_have_count(1)
    other = page.locator('[data-choice="site"]:not(:focus)')
    expect(other).to_have_count(1)
    at, beside = focused.evaluate(_LOOK), other.evaluate(_LOOK)
    assert at["stroke"] != beside["stroke"]
    assert at["dashes"] != beside["dashes"]
    assert at["width"] >= 2 * beside["width"]
    assert at["contrast"] >= 4.5
    page.keyboard.press("Escape")
    page.locator("[data-card]").first.focus()
    outline = page.locator("[data-card]").first.evaluate(
        "(each) => getComputedStyle(each).outlineColor"
    )
    assert outline == at["stroke"]
