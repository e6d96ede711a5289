"""The tokens at the towers show what the engine computes, also in the middle of a turn."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.house import Client, Visits, bots
from browser.player import Choice, Player
from patrizier import Move, State, View
from patrizier.rules.codes import NO_MOVE, build_code, decision_code
from patrizier.view import CityView
from support.referee import tower_winner

Json = dict[str, Any]
# By tower ("PA.L"): the token's number, whose ring it has, and what is read out.
_TOKENS = """() => Object.fromEntries(
  [...document.querySelectorAll('.board [data-site]')].map((hit) => {
    const token = hit.parentElement.querySelector('.token');
    return [
      hit.dataset.site,
      [token.textContent.trim(), token.dataset.owner ?? null, hit.getAttribute('aria-label')],
    ];
  })
)"""
_NEWS = re.compile(r" (\d+ floors? new|Its token has changed) since your turn\.")


class Onlooker:
    """Compares a turn that is being put together with the engine."""

    def __init__(self, page: Page, view: Json, names: list[str]) -> None:
        self.page = page
        self.names = names
        self.colours = view["colours"]
        self.state: State = View.from_json(view).sample(1)
        self.card = ""
        self.sites = ""

    def see(self, choice: Choice) -> None:
        """Apply what was chosen, and compare everything the board shows."""
        if choice.kind == "card":
            self.card, self.sites = choice.what, ""
        elif choice.kind == "site":
            self.sites = "".join(sorted(self.sites + choice.what[-1]))
            if len(self.sites) == self._crests():
                self.state = self.state.apply(build_code(self.card, self.sites))
                self.sites = ""
        elif choice.kind == "move":
            self.state = self.state.apply(decision_code(f">{choice.what}"))
        elif choice.kind == "skip":
            self.state = self.state.apply(NO_MOVE)
        self.compare()

    def _crests(self) -> int:
        (sites,) = {len(m.sites) for m in self.state.legal_moves() if m.card == self.card}
        return sites

    def play(self, turn: str) -> None:
        """Apply a whole turn."""
        move, number = Move(turn), self.state.turn
        self.card = move.card
        while self.state.turn == number:
            self.state = self.state.apply(move.decision(self.state.phase))

    def compare(self) -> None:
        """Compare everything that the board shows."""
        expected, shown = self.expected(), self.shown()
        assert {tower: shown[tower] for tower in expected} == expected

    def shown(self) -> dict[str, Any]:
        """Return the tokens of the page; first what can be chosen, last what is new."""
        tokens: dict[str, Any] = self.page.evaluate(_TOKENS)
        for token in tokens.values():
            token[2] = token[2][max(token[2].rfind("Left tower"), token[2].rfind("Right tower")) :]
            token[2] = _NEWS.sub("", token[2])
        return tokens

    def expected(self) -> dict[str, Any]:
        """Return the tokens as they should be."""
        tokens: dict[str, Any] = {}
        for city in self.state.view(None).cities:
            left, right = list(city.left), list(city.right)
            if city.code == self.card[:2]:
                for site in self.sites:
                    (left if site == "L" else right).append(self.state.seat or 0)
            tokens |= self._tokens(city, left, right)
        return tokens

    def _tokens(self, city: CityView, left: list[int], right: list[int]) -> dict[str, Any]:
        high, low = city.tokens
        found = {}
        for site, tower, other in (("L", left, right), ("R", right, left)):
            side = "Left" if site == "L" else "Right"
            if len(tower) == len(other):
                token = f"{high}·{low}" if tower else str(high if site == "L" else low)
                of = ""
            else:
                token = str(high if len(tower) > len(other) else low)
                of = f" (token of {token})"
            label, owner = f"{side} tower: empty.", None
            if tower:
                seat = tower_winner(tower)
                owner = self.colours[seat]
                floors = f"{len(tower)} floor{'s' if len(tower) > 1 else ''}"
                owners = ", ".join(self.names[each] for each in tower)
                lead = f"In the lead: {self.names[seat]}{of}."
                label = f"{side} tower: {floors}, bottom to top: {owners}. {lead}"
            found[f"{city.code}.{site}"] = [token, owner, label]
        return found


def called(page: Page, own: int) -> list[str]:
    """Return what the towers call everybody: oneself is "You"."""
    names = page.locator(".players .name").all_inner_texts()
    return [*names[:own], "You", *names[own + 1 :]]


def test_tokens_follow_every_step_at_the_table(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(3, messengers=True)), turns=5)
    page = visits.open(f"/t/{message['table']}", person=client)
    player = Player(page, seed=4)
    for _ in range(6):
        assert player.wait() == "turn"
        message = player.look()
        (own,) = message["views"]
        onlooker = Onlooker(page, own["view"], called(page, own["seat"]))
        onlooker.compare()
        while not any(each.kind == "end" for each in player.next_choices()):
            onlooker.see(player.pick())
        player.play_turn()


@pytest.mark.parametrize("scene", ["tie", "move", "double"])
def test_tokens_follow_every_step_of_the_quick_start(
    visits: Visits, client: Client, scene: str
) -> None:
    view = client.http.get(f"/api/lessons/{scene}").json()["view"]
    page = visits.open(f"/learn/{scene}")
    player = Player(page, seed=2)
    expect(page.locator("[data-card]")).to_have_count(3)
    assert player.wait() == "turn"
    names = page.locator(".people li > span").all_inner_texts()
    onlooker = Onlooker(page, view, names)
    onlooker.compare()
    goal = client.http.get(f"/api/lessons/{scene}").json()["goal"]
    (card,) = [each for each in player.choices() if each.what == goal["card"]]
    player.take(card)
    onlooker.see(card)
    while not any(each.kind == "end" for each in player.next_choices()):
        onlooker.see(player.pick())


def test_tokens_follow_a_hint_that_is_looked_at(visits: Visits, client: Client) -> None:
    message = client.play(client.create(bots(2)), turns=8)
    page = visits.open(f"/t/{message['table']}", person=client)
    player = Player(page)
    assert player.wait() == "turn"
    (own,) = player.look()["views"]
    names = called(page, own["seat"])
    with page.expect_response("**/hint") as answer:
        page.locator(".ask").click()
    boards = []
    for candidate in answer.value.json()["candidates"]:
        onlooker = Onlooker(page, own["view"], names)
        onlooker.play(candidate["move"])
        boards.append(onlooker.expected())
    hints = page.locator(".hints li button")
    expect(hints).to_have_count(len(boards))
    for number in range(len(boards)):
        hints.nth(number).hover()
        expect(page.locator(".city.lifted")).not_to_have_count(0)
        shown = Onlooker(page, own["view"], names).shown()
        assert shown in boards
        boards.remove(shown)
    page.mouse.move(0, 0)
    Onlooker(page, own["view"], names).compare()
