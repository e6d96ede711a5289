"""Every screen, from a small phone to a large one: nothing scrolls, is cut off, or is covered."""

from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from browser.house import SETTLED, Client, Json, Visits, bots
from browser.player import Player
from patrizier import Game, Options

SIZES = (
    (360, 640),
    (390, 664),  # a telephone with its browser's bars
    (390, 844),
    (667, 375),
    (740, 360),
    (844, 390),
    (820, 1180),
    (1024, 768),
    (1366, 768),
    (1440, 900),
    (1920, 1080),
    (2560, 1440),
)
PLAYERS = (2, 5)
CLOCK = {"kind": "realtime", "base": 3000, "increment": 10}
LAYOUT = Path(__file__).with_name("layout.js").read_text("utf-8")


def problems(page: Page) -> list[str]:
    """Return what is wrong at any size."""
    found: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        found += [f"{width}x{height}: {each}" for each in page.evaluate(LAYOUT)]
    return found


def at_table(visits: Visits, client: Client, message: Json) -> Player:
    page = visits.open(f"/t/{message['table']}", person=client, locale="de-DE")
    player = Player(page)
    player.wait()
    return player


def with_turn(client: Client, players: int, sign: str) -> tuple[Json, str]:
    """Return a game where a card with a sign can be played (">", "*"), and that card."""
    begin = bots(players, messengers=True, pace=CLOCK)
    while True:
        message = client.play(client.create(begin), turns=3, but="@")  # messengers are kept
        while message["phase"] == "playing":
            view = message["views"][0]["view"]
            deck = view["deck"]["cards"]
            moves = [turn for turn in view["legal"] if sign == "*" or sign in turn]
            lays = sign != "*" or view["seats"][view["viewer"]]["messengers_left"]
            if lays and (cards := [turn[:3] for turn in moves if sign in deck[turn[:3]]]):
                return message, cards[0]
            message = client.play(message, turns=1, but="@")


@pytest.mark.parametrize("players", PLAYERS)
def test_choosing_a_card_and_a_site(visits: Visits, client: Client, players: int) -> None:
    setup = bots(players, messengers=True, pace=CLOCK)
    message = client.play(client.create(setup), turns=9 if players == 2 else 6)
    player = at_table(visits, client, message)
    assert problems(player.page) == []
    player.page.locator("[data-choice=card]").first.click()
    expect(player.page.locator("[data-choice=site]").first).to_be_attached()
    assert problems(player.page) == []


def build(page: Page, card: str) -> None:
    """Play a card and build on the first site there is."""
    page.locator(f"[data-card={card}]").click()
    for _ in range(2):
        if (site := page.locator("[data-choice=site]")).count():
            site.first.click()


@pytest.mark.parametrize("players", PLAYERS)
def test_special_action(visits: Visits, client: Client, players: int) -> None:
    message, card = with_turn(client, players, ">")
    page = at_table(visits, client, message).page
    build(page, card)
    expect(page.locator("[data-choice=move]").first).to_be_attached()
    assert problems(page) == []


def test_a_hand_that_makes_room_can_still_be_read(visits: Visits, client: Client) -> None:
    """Beside the longest prompts its cards are narrow, and show letters instead of names."""
    message = client.create(bots(2))
    page = at_table(visits, client, message).page
    page.set_viewport_size({"width": 740, "height": 360})
    page.locator(".prompt").evaluate("each => each.toggleAttribute('data-tight', true)")
    expect(page.locator(".hand svg[viewBox='0 0 40 56']")).to_have_count(3)
    page.evaluate(SETTLED)
    assert [each for each in page.evaluate(LAYOUT) if each.startswith("too small")] == []


@pytest.mark.parametrize("players", PLAYERS)
def test_messenger(visits: Visits, client: Client, players: int) -> None:
    message, card = with_turn(client, players, "*")
    player = at_table(visits, client, message)
    build(player.page, card)
    player.draft()
    player.page.locator("[data-choice=end]").click()
    expect(player.page.locator("[data-choice=messenger]").first).to_be_attached()
    assert problems(player.page) == []


@pytest.mark.parametrize("players", PLAYERS)
def test_others_play(visits: Visits, client: Client, friend: Client, players: int) -> None:
    seats = ["person", "person", *["apprentice"] * (players - 2)]
    setup = {"players": players, "seats": seats, "rules": ["messengers"], "pace": CLOCK}
    table = client.create(setup)["table"]
    message = friend.act(table, "join", seat=1, contribution="2" * 64)
    while message["you"]["to_move"] is None and client.look(table)["you"]["to_move"] is None:
        message = friend.look(table, since=message["seq"], wait=20)
    waiting = friend if client.look(table)["you"]["to_move"] is not None else client
    page = visits.open(f"/t/{table}", person=waiting, locale="de-DE")
    expect(page.locator(".prompt h2")).not_to_be_empty()
    expect(page.locator("[data-choice]")).to_have_count(0)
    assert problems(page) == []


def wordy_record(players: int) -> str:
    """Return a game of long names whose turns have as many parts as the rules allow."""
    names = ("Wilhelmine", "Bartholomäus", "Maximiliane", "Friederike", "Konstantin")[:players]
    game, rng = Game(Options(players, {"messengers"}), seed=players), Random(players)
    while not game.is_over:
        moves = list(game.legal_moves)
        rng.shuffle(moves)
        game.play(max(moves, key=lambda move: len(str(move))))
    return str(game.record(names))


# The turns whose sentences are the longest, counted from 1.
_LONGEST = """() => [...document.querySelectorAll('.chronicle li')]
  .map((line, index) => [line.innerText.length, index + 1])
  .sort(([one], [two]) => two - one).slice(0, 3).map(([, turn]) => turn)"""


@pytest.mark.parametrize("players", PLAYERS)
def test_the_longest_sentences_of_a_replay(visits: Visits, players: int) -> None:
    page = visits.open("/replay", locale="de-DE")
    page.get_by_label("Oder eine Aufzeichnung einfügen").fill(wordy_record(players))
    page.get_by_role("button", name="Zeigen").click()
    slider = page.get_by_role("slider")
    expect(slider).to_be_visible()
    for turn in page.evaluate(_LONGEST):
        slider.fill(str(turn))
        expect(page.locator(".told .sentence")).not_to_be_empty()
        assert problems(page) == []


@pytest.mark.parametrize("lesson", ["build", "last-cards", "messenger"])
def test_quick_start(visits: Visits, lesson: str) -> None:
    page = visits.open(f"/learn/{lesson}", size=SIZES[0], locale="de-DE")
    page.get_by_role("button", name="Los geht’s").click()
    assert problems(page) == []
    page.locator("[data-choice=card]").first.click()
    expect(page.locator("[data-choice=site]").first).to_be_attached()
    assert problems(page) == []


def test_a_long_name_leaves_room_for_the_clock(
    visits: Visits, client: Client, friend: Client
) -> None:
    friend.http.put("/api/me/name", json={"name": "Wilhelmina van Amsterdam"})
    setup = {"players": 3, "seats": ["person", "person", "apprentice"], "pace": CLOCK}
    table = client.create(setup)["table"]
    friend.act(table, "join", contribution="2" * 64)
    page = visits.open(f"/t/{table}", person=client, size=(844, 390))
    page.locator(".players .clock").first.wait_for()
    for width, height in ((667, 375), (844, 390), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        found = page.evaluate(LAYOUT)
        assert not [each for each in found if each.startswith("in the field")]
