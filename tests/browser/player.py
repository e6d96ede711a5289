"""A player at a table, who uses only what can be seen and clicked there."""

from dataclasses import dataclass
from random import Random
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page

from browser.house import wait_until

Json = dict[str, Any]
State = Literal["turn", "curtain", "over"]

# What the page waits for: a turn of ours, the next player at this screen, or nothing more.
_STATE = """() => {
  if (document.querySelector('[aria-labelledby="result-title"]')) return 'over';
  if (document.querySelector('[aria-labelledby="curtain-title"]')) return 'curtain';
  if (document.querySelector('.board[aria-busy=true]')) return null; // not yet drawn
  const seen = (each) => each.getBoundingClientRect().width > 0;
  return [...document.querySelectorAll('[data-choice]')].some(seen) ? 'turn' : null;
}"""

_CHOICES = """() => [...document.querySelectorAll('[data-choice]')].map((each, index) => {
  const box = each.getBoundingClientRect();
  return {
    index,
    kind: each.dataset.choice,
    what: each.dataset.card ?? each.dataset.site ?? each.getAttribute('aria-label') ?? '',
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    focused: each === document.activeElement,
  };
})"""

_TABLE = """() => [...document.querySelectorAll('[aria-labelledby="result-title"] tbody tr')].map(
  (row) => [...row.cells].map((cell) => cell.innerText.trim())
)"""


@dataclass(frozen=True)
class Choice:
    """Something that can be chosen now."""

    index: int
    kind: str  # card, site, move, draw, messenger, skip, end
    what: str
    x: float
    y: float
    focused: bool


class Player:
    """Plays at a page that shows a table, by mouse or by touch."""

    def __init__(self, page: Page, *, seed: int = 1, touch: bool = False) -> None:
        self.page = page
        self.rng = Random(seed)
        self.touch = touch

    @property
    def table(self) -> str:
        """The id of the table."""
        return urlsplit(self.page.url).path.removeprefix("/t/")

    def look(self) -> Json:
        """Return the table as the server shows it to this person."""
        message: Json = self.page.request.get(f"/api/tables/{self.table}").json()
        return message

    # -- what the page shows

    def wait(self) -> State:
        """Wait until there is something to do."""
        state: State = self.page.wait_for_function(_STATE).json_value()
        return state

    def choices(self) -> list[Choice]:
        """Return everything that can be chosen now."""
        return [Choice(**each) for each in self.page.evaluate(_CHOICES)]

    def next_choices(self) -> list[Choice]:
        """Return the choices of the next step: other cards instead of the chosen one are none."""
        found = self.choices()
        return [each for each in found if each.kind != "card"] or found

    @property
    def prompt(self) -> str:
        """The line that says what to do next."""
        return self.page.locator(".prompt h2").inner_text()

    @property
    def hand(self) -> list[str]:
        """The cards of the hand."""
        cards = self.page.locator("[data-card]")
        return [str(card.get_attribute("data-card")) for card in cards.all()]

    def button(self, name: str) -> Locator:
        """Return a button of the table."""
        return self.page.get_by_role("button", name=name, exact=True)

    def result(self) -> list[list[str]]:
        """Return the rows of the result: names and numbers."""
        rows: list[list[str]] = self.page.evaluate(_TABLE)
        return rows

    # -- what the player does

    def touch_it(self, target: Locator) -> None:
        """Click something, or tap it."""
        if self.touch:
            target.tap()
        else:
            target.click()

    def take(self, choice: Choice) -> None:
        """Choose something."""
        self.touch_it(self.page.locator("[data-choice]").nth(choice.index))

    def pick(self) -> Choice:
        """Choose one thing at random; return it."""
        choice = self.rng.choice(self.next_choices())
        self.take(choice)
        return choice

    def draft(self) -> None:
        """Lay out a turn, up to where it can be ended."""
        while not any(each.kind == "end" for each in self.next_choices()):
            self.pick()

    def play_turn(self) -> None:
        """Play a whole turn; return when the server has it."""
        assert self.wait() == "turn"
        turn = self.look()["turn"]
        while self.pick().kind not in ("end", "messenger", "skip") or not self._has_ended(turn):
            pass

    def _has_ended(self, turn: int) -> bool:
        """Wait until a turn that was sent has ended, or its messenger can be chosen."""

        def is_settled() -> bool:
            return self.look()["turn"] > turn or bool(self.choices())

        wait_until(self.page, is_settled, "the turn does not arrive")
        return bool(self.look()["turn"] > turn)

    def play_to_end(self) -> None:
        """Play until the result is shown."""
        while (state := self.wait()) != "over":
            if state == "curtain":
                self.uncover()
            else:
                self.pick()

    def uncover(self) -> None:
        """Take the device from the other player."""
        self.touch_it(self.page.get_by_role("dialog").get_by_role("button"))
