"""Whole games without a mouse: by the keyboard alone, and with a finger on a telephone."""

from random import Random

from playwright.sync_api import Page, expect

from browser.house import Visits
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
