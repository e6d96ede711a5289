"""The board keeps still during a turn, whatever the prompt says, in every language."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.house import MIDDLE, PHONE, ROOT, SETTLED, WIDE, Client, Visits, bots
from browser.player import Player

LOW = (1366, 768)
SMALL = (360, 640)
ACROSS = (844, 390)
TALL = (430, 932)
LANGUAGES = ("en", "de", "nl", "it")

_PLACES = """() => ['.board', '.desk'].map((part) => {
  const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
  return [x, part === '.board' ? y + scrollY : y, width, height].map(Math.round);
})"""

# Which of several prompts are cut off; rows of buttons that are wider than their room.
_CUT = """([prompts, rows]) => {
  const cut = [];
  const prompt = document.querySelector('.prompt');
  for (const [line, more] of prompts) {
    prompt.querySelector('h2').textContent = line;
    prompt.querySelector('.more').textContent = more;
    if (prompt.scrollHeight > prompt.clientHeight + 1) cut.push(`${line} / ${more}`);
  }
  const acts = document.querySelector('.acts');
  const [back, ask, main] = ['.back', '.ask', '.main'].map((each) => acts.querySelector(each));
  const decline = ask.cloneNode(true);
  decline.classList.replace('ask', 'decline');
  main.before(decline);
  for (const words of rows) {
    const [taking, asking, declining, ending] = words;
    back.querySelector('span').textContent = taking;
    for (const [button, text] of [[ask, asking], [main, ending]]) button.textContent = text;
    decline.textContent = declining ?? '';
    decline.hidden = declining === null;
    decline.style.display = declining === null ? 'none' : '';
    const room = acts.getBoundingClientRect();
    for (const each of acts.children) {
      const box = each.getBoundingClientRect();
      const outside = box.right > room.right + 1 || box.bottom > room.bottom + 1;
      if (outside || each.scrollWidth > each.clientWidth + 1) cut.push(words.join(' | '));
    }
  }
  return cut;
}"""


def texts(language: str) -> dict[str, str]:
    path = ROOT / "web" / "src" / "texts" / language / "table.json"
    found: dict[str, str] = json.loads(path.read_text("utf-8"))
    return found


def prompts(language: str) -> list[tuple[str, str]]:
    """Everything the prompt may say, with the longest names there are."""
    said = texts(language)
    log: dict[str, str] = json.loads(
        (ROOT / "web" / "src" / "texts" / language / "log.json").read_text("utf-8")
    )
    card = log["card.name-star"].replace("{city}", "Bologna").replace("{what}", log["card.move"])
    takes = said["prompt.takes"].replace("{card}", card)
    lines = [
        ("prompt.card", said["prompt.card.more"]),
        ("prompt.site", said["prompt.site.two"]),
        ("prompt.site", said["prompt.site.only"]),
        ("prompt.site", said["prompt.site.free-draw"]),
        ("prompt.site-second", takes),
        ("prompt.move", said["prompt.move.more"]),
        ("prompt.draw", said["prompt.draw.more"]),
        ("prompt.messenger", said["prompt.messenger.more"]),
        ("prompt.ready", takes),
        ("prompt.ready-messenger", takes),
        *(("prompt.site", said[name]) for name in said if name.startswith("why.")),
    ]
    return [
        (said[line].replace("{city}", "Bologna"), more.replace("{city}", "Bologna"))
        for line, more in lines
    ]


def rows(language: str) -> list[list[str | None]]:
    """The rows of buttons with most words."""
    said = texts(language)
    short, end, take = said["table.hint-short"], said["table.end-turn"], said["table.reveal"]
    return [
        [said["table.take-back"], short, said["table.decline"], end],
        [said["table.take-back-turn"], short, None, end],
        [said["table.ask-undo"], short, None, take],
        [said["table.take-back"], said["table.thinking"], None, end],
    ]


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
@pytest.mark.parametrize("size", [LOW, MIDDLE, PHONE])
def test_the_board_stays_where_it_is_through_a_turn(
    visits: Visits, client: Client, size: tuple[int, int], language: str
) -> None:
    message = client.play(client.create(bots(2, messengers=True)), turns=0)
    page = visits.open(f"/t/{message['table']}", size=size, person=client, locale=language)
    player = Player(page, seed=5)
    seen: dict[str, Any] = {}
    wanted = {"card", "site", "end", "skip"}
    for _ in range(60):
        if player.wait() != "turn" or wanted <= seen.keys():
            break
        page.evaluate(SETTLED)
        places = page.evaluate(_PLACES)
        for kind in {each.kind for each in player.next_choices()}:
            seen.setdefault(kind, places)
        player.pick()
        page.evaluate(SETTLED)
        seen.setdefault("waiting", page.evaluate(_PLACES))
    assert wanted <= seen.keys()
    assert len({json.dumps(places) for places in seen.values()}) == 1, seen


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "nl-NL", "it-IT"])
def test_on_the_smallest_phone_buttons_stand_in_two_rows(
    visits: Visits, client: Client, language: str
) -> None:
    message = client.play(client.create(bots(2)), turns=1)
    page = visits.open(f"/t/{message['table']}", size=SMALL, person=client, locale=language)
    player = Player(page)
    player.wait()
    player.pick()
    page.evaluate(SETTLED)
    boxes = [each.bounding_box() for each in page.locator(".acts > button").all()]
    tops = [round(box["y"]) for box in boxes if box]
    assert len(tops) == 4
    assert len(set(tops)) == 2, tops


@pytest.mark.parametrize("size", [WIDE, LOW, MIDDLE, PHONE, SMALL, ACROSS])
def test_every_prompt_and_row_of_buttons_fits(
    visits: Visits, client: Client, size: tuple[int, int]
) -> None:
    message = client.play(client.create(bots(2)), turns=1)
    page = visits.open(f"/t/{message['table']}", size=size, person=client)
    player = Player(page)
    player.wait()
    player.pick()
    page.evaluate(SETTLED)
    for language in LANGUAGES:
        assert page.evaluate(_CUT, [prompts(language), rows(language)]) == [], language


# What something lies on: the parts of the table that its box has a share of.
_LIES_ON = """(each) => {
  const one = each.getBoundingClientRect();
  const parts = [...document.querySelectorAll('[data-city], .desk')].filter((part) => {
    const two = part.getBoundingClientRect();
    return one.left < two.right && two.left < one.right && one.top < two.bottom
      && two.top < one.bottom;
  });
  return parts.map((part) => part.dataset.city ?? 'desk');
}"""


@pytest.mark.parametrize("size", [WIDE, LOW, TALL])
def test_skipping_ahead_covers_no_city(
    visits: Visits, client: Client, size: tuple[int, int]
) -> None:
    message = client.play(client.create(bots(5)), turns=1)
    page = visits.open(f"/t/{message['table']}", size=size, person=client, pace="calm")
    player = Player(page)
    player.play_turn()
    skip = player.button("Skip ahead")
    assert skip.evaluate(_LIES_ON) == ["desk"]


def test_giving_up_can_be_thought_over(visits: Visits, client: Client) -> None:
    message = client.create(bots(2))
    page = visits.open(f"/t/{message['table']}", person=client)
    page.get_by_role("button", name="Give up").click()
    cancel = page.get_by_role("button", name="Cancel")
    space = cancel.evaluate("(each) => parseFloat(getComputedStyle(each).paddingInlineStart)")
    assert space >= 12
    cancel.click()
    expect(cancel).to_have_count(0)


def test_rules_in_the_head_are_separated_evenly(visits: Visits, client: Client) -> None:
    setup = bots(2, rules=["messengers", "open-ledger"])
    message = client.create(setup)
    page = visits.open(f"/t/{message['table']}", person=client)
    expect(page.locator(".facts")).to_have_text("2 players · Messengers · Open ledger")
