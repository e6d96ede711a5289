"""Analyses, learning from mistakes, and what-if lines, in four languages and at all sizes."""

import base64
import json
import random
import re
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from analysis.games import random_game
from browser.house import AXE, MIDDLE, PHONE, WIDE, Client, Json, Visits, bots, lacking
from browser.test_axe import check
from browser.test_small_screens import problems, told
from browser.test_written import texts_of
from patrizier.game import Game
from patrizier.rules.board import CITIES, CITY_INDEX
from patrizier.server.loadtest.process import ServerProcess

ERRORS = ("inaccuracy", "mistake", "blunder")
ACROSS = (844, 390)
TITLES = {"en-GB": "Analysis", "de-DE": "Analyse", "nl-NL": "Analyse", "it-IT": "Analisi"}
DECIDED = {
    "en-GB": "What decided it",
    "de-DE": "Was entschieden hat",
    "nl-NL": "Wat de doorslag gaf",
    "it-IT": "Che cosa ha deciso",
}


@pytest.fixture(scope="module")
def player(server: ServerProcess) -> Iterator[Client]:
    """Somebody who has played badly."""
    client = Client(server.url)
    yield client
    client.close()


@pytest.fixture(scope="module")
def game(player: Client) -> Json:
    """A finished table, analysed: every test looks at the same one."""
    table = player.play(player.create(bots(3, messengers=True)))["table"]
    answer = player.http.post("/api/analyses", json={"table": table}).json()
    while answer["state"] in ("waiting", "running"):
        after = answer["judged"] + 8
        answer = player.http.get(f"/api/analyses/{answer['key']}?after={after}").json()
    assert answer["state"] == "done", answer
    return {"table": table, **answer["analysis"]}


def errors_of(game: Json, seat: int | None = None) -> list[int]:
    return [
        turn["turn"]
        for turn in game["turns"]
        if turn["verdict"] in ERRORS and seat in (None, turn["seat"])
    ]


def slider(page: Page) -> Locator:
    return page.locator('[role="slider"]')


@pytest.mark.parametrize("language", TITLES)
@pytest.mark.parametrize("size", ["wide", "phone", "across"])
def test_an_analysis_is_open_to_everyone(
    visits: Visits, player: Client, game: Json, language: str, size: str
) -> None:
    if not AXE.is_file():
        lacking("axe-core: `npm ci` in web/ installs it")
    path = f"/analysis/{game['table']}?turn={errors_of(game)[0]}"
    options: Json = {"person": player, "locale": language}
    if size == "wide":
        page = visits.open(path, **options)
    elif size == "phone":
        page = visits.phone(path, **options)
    else:
        page = visits.open(path, size=ACROSS, has_touch=True, is_mobile=True, **options)
    expect(page.get_by_text(DECIDED[language])).to_be_attached()
    expect(page.locator(".screen")).to_contain_text(TITLES[language])
    assert not re.search(
        r"\b(analysis|verdict|why|choice|practice)\.[a-z]", page.inner_text("body")
    )
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth + 1")
    check(page)


@pytest.mark.parametrize("path", ["/analysis/{}?turn=40", "/what-if?table={}&at=40"])
@pytest.mark.parametrize("size", [(360, 640), (390, 664), ACROSS], ids=str)
def test_on_a_phone_towers_and_tokens_lie_apart(
    visits: Visits, player: Client, game: Json, path: str, size: tuple[int, int]
) -> None:
    page = visits.open(path.format(game["table"]), person=player, size=size, has_touch=True)
    page.locator("[data-city=MI] .tower").first.wait_for()
    boxes = [each.bounding_box() for each in page.locator("[data-city=MI] .tower").all()]
    assert [box["width"] for box in boxes if box and box["width"] < 24] == []
    for button in page.get_by_role("group", name="Go through the game").get_by_role("button").all():
        expect(button).to_be_in_viewport(ratio=1)


def test_after_the_last_turn_what_decided_it_comes_before_the_players(
    visits: Visits, player: Client, game: Json
) -> None:
    def tops() -> list[float]:
        parts = (page.get_by_text(DECIDED["en-GB"]), page.get_by_role("list", name="Players"))
        return [box["y"] for part in parts if (box := part.bounding_box())]

    last = len(game["turns"])
    page = visits.open(f"/analysis/{game['table']}?turn={last}", person=player, size=(1366, 768))
    expect(page.get_by_text(DECIDED["en-GB"])).to_be_in_viewport()
    decided, players = tops()
    assert decided < players
    page.keyboard.press("ArrowLeft")
    expect(slider(page)).to_have_attribute("aria-valuenow", str(last - 1))
    decided, players = tops()
    assert players < decided


def test_an_analysis_of_nothing_leads_on(visits: Visits) -> None:
    page = visits.open(f"/analysis/{'x' * 22}")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("link", name="Open a record")).to_be_visible()
    visits.ignore_errors("404")


def test_curves_keys_and_presses_move_the_board(visits: Visits, player: Client, game: Json) -> None:
    page = visits.open(f"/analysis/{game['table']}", person=player)
    chart, last = slider(page), len(game["turns"])
    expect(chart).to_have_attribute("aria-valuenow", "0")
    expect(page.locator(".choices")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(chart).to_have_attribute("aria-valuenow", "1")
    first = game["turns"][0]["move"]
    expect(page.locator(f"[data-city={first[:2]}].lifted")).to_have_count(1)
    page.keyboard.press("End")
    expect(chart).to_have_attribute("aria-valuenow", str(last))
    errors = errors_of(game)
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    expect(chart).to_have_attribute("aria-valuenow", str(errors[0]))
    page.get_by_role("button", name="Next error").click()
    expect(chart).to_have_attribute("aria-valuenow", str(errors[1]))
    box = chart.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 40)
    expect(chart).not_to_have_attribute("aria-valuenow", str(errors[1]))
    expect(page).to_have_url(re.compile(r"turn=\d+"))
    moment = game["moments"][-1]["turn"]
    page.locator("ol button", has_text=f"Turn {moment}").last.click()
    expect(chart).to_have_attribute("aria-valuenow", str(moment))


def test_the_better_turn_is_drawn_beside_the_one_played(
    visits: Visits, player: Client, game: Json
) -> None:
    turn = next(
        each
        for each in game["turns"]
        if each["verdict"] in ERRORS and each["choices"][0]["move"][:2] != each["move"][:2]
    )
    page = visits.open(f"/analysis/{game['table']}?turn={turn['turn']}", person=player)
    better, played = turn["choices"][0]["move"], turn["move"]
    expect(page.locator(f"[data-city={better[:2]}] .sketch.better")).not_to_have_count(0)
    expect(page.locator(f"[data-city={played[:2]}] .sketch.played")).not_to_have_count(0)
    expect(page.locator("#turn-title")).to_contain_text("Better: ")
    mover = page.get_by_role("list", name="Players").get_by_role("listitem").nth(turn["seat"])
    for card in (better, played):
        expect(
            mover.get_by_role("img", name=CITIES[CITY_INDEX[card[:2]]].name).first
        ).to_be_visible()
    button = page.locator(".choices button[aria-pressed]").last
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(
    ("size", "language"),
    [(WIDE, "en"), (PHONE, "de"), (ACROSS, "it"), (MIDDLE, "nl")],
    ids=["wide-en", "phone-de", "across-it", "middle-nl"],
)
def test_the_better_line_is_walked_along_on_the_board(
    visits: Visits, player: Client, game: Json, size: tuple[int, int], language: str
) -> None:
    words = texts_of(language)
    turn = next(
        each
        for each in game["turns"]
        if each["verdict"] in ERRORS and each["choices"][0]["line"] and not each["exact"]
    )
    number, better = turn["turn"], turn["choices"][0]["move"]
    small: Json = {} if size in (WIDE, MIDDLE) else {"has_touch": True, "is_mobile": True}
    path = f"/analysis/{game['table']}?turn={number}"
    page = visits.open(path, person=player, size=size, locale=language, **small)
    page.get_by_role("button", name=words["analysis.walk.show"]).first.click()
    expect(page.locator("#turn-title")).to_have_text(words["analysis.walk"])
    expect(page.locator(f"[data-city={better[:2]}] .sketch.better")).not_to_have_count(0)
    expect(page.locator(".sketch.played")).to_have_count(0)
    stops = page.locator("ol [aria-current=step]")
    first = stops.inner_text()
    check(page)
    assert not (found := problems(page)), told(found)
    if small:
        page.get_by_role("button", name=words["replay.next"]).click()
    else:
        page.keyboard.press("ArrowRight")
    expect(stops).not_to_have_text(first)
    expect(slider(page)).to_have_attribute("aria-valuenow", str(number))
    page.get_by_role("link", name=words["action.play-on"]).click()
    after = words["whatif.turn"].format(turn=number)
    expect(page.get_by_role("heading", name=after)).to_be_visible()
    expect(page.locator(".branch")).to_have_count(1)
    page.go_back()
    page.get_by_role("button", name=words["analysis.walk.show"]).first.click()
    expect(page.locator("#turn-title")).to_have_text(words["analysis.walk"])
    page.keyboard.press("End")
    expect(page.locator(".sketch")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#turn-title")).not_to_have_text(words["analysis.walk"])


def test_looking_deeper(visits: Visits, player: Client, game: Json) -> None:
    record = str(random_game(2, 8, turns=2).record(("Anna", "Bianca")))
    page = visits.open("/replay")
    page.get_by_label("Or paste a record").fill(record)
    page.get_by_role("button", name="Show it").click()
    page.get_by_role("link", name="Analyse").click()
    page.get_by_role("button", name="Look deeper").click()
    expect(page.locator("header")).to_contain_text("Deep analysis")
    expect(page.get_by_role("button", name="Look deeper")).to_have_count(0)
    page.reload()  # it is known now
    expect(page.locator("header")).to_contain_text("Deep analysis")


@pytest.mark.parametrize("language", TITLES)
def test_looking_deeper_can_be_cancelled_and_has_a_daily_limit(
    visits: Visits, player: Client, game: Json, language: str
) -> None:
    words = texts_of(language[:2])
    page = visits.phone(f"/analysis/{game['table']}", person=player, locale=language)
    offer = page.get_by_role("button", name=words["analysis.deeper"])
    offer.click()
    expect(page.get_by_role("progressbar", name=words["analysis.deep"])).to_be_visible()
    expect(offer).to_have_count(0)
    assert not (found := problems(page)), told(found)
    page.get_by_role("button", name=words["action.cancel"]).click()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    refusal = {"code": "limit", "reason": "analyses-today", "values": {"most": 20}, "text": ""}
    page.route("**/api/analyses", lambda route: route.fulfill(status=429, json=refusal))
    offer.click()
    expect(page.get_by_role("alert")).to_contain_text(
        words["refused.analyses-today"].format(most=20)
    )
    expect(offer).to_be_visible()
    page.goto("about:blank")  # so that no answer arrives later
    visits.ignore_errors("429", "404")  # refused; and whoever waits for what was cancelled


def test_another_game_being_analysed_can_be_cancelled_for_this_one(
    visits: Visits, client: Client
) -> None:
    """One analysis at a time for each person: the page says so, and offers a choice."""
    first, second = (
        str(random_game(2, seed, turns=turns).record()) for seed, turns in ((3, 40), (4, 2))
    )
    asked = client.http.post("/api/analyses", json={"record": first, "deep": True}).json()
    page = visits.open("/replay", person=client)
    page.get_by_label("Or paste a record").fill(second)
    page.get_by_role("button", name="Show it").click()
    page.get_by_role("link", name="Analyse").click()
    expect(page.get_by_role("alert")).to_contain_text("Another game is being analysed")
    page.get_by_role("button", name="Cancel the other one").click()
    expect(slider(page)).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    assert client.http.get(f"/api/analyses/{asked['key']}").status_code == 404
    visits.ignore_errors("429")


def test_all_of_it_is_there_as_a_table(visits: Visits, player: Client, game: Json) -> None:
    page = visits.open(f"/analysis/{game['table']}", person=player)
    page.get_by_text("All turns as a table").click()
    rows = page.get_by_role("group", name="All turns as a table").get_by_role("row")
    expect(rows).to_have_count(len(game["turns"]) + 2)
    account = page.get_by_role("group", name="Luck and skill").get_by_role("row")
    expect(account).to_have_count(4)
    for row in account.all()[1:]:
        parts = [cell.inner_text().split("\n")[0] for cell in row.get_by_role("cell").all()]
        start, luck, own, others, result = (float(part.replace("−", "-")) for part in parts[:5])
        assert round(start + luck + own + others - result, 3) == 0.0


def test_a_finished_game_offers_its_analysis(visits: Visits, player: Client, game: Json) -> None:
    address = re.compile(f"/analysis/{game['table']}$")
    page = visits.open(f"/t/{game['table']}", person=player)
    page.get_by_role("link", name="Analyse").click()
    expect(page).to_have_url(address)
    page.goto(f"/replay/{game['table']}")
    page.get_by_role("link", name="Analyse").click()
    expect(page).to_have_url(address)
    page.goto("/you")
    page.get_by_role("link", name=re.compile("Analyse$")).first.click()
    expect(page).to_have_url(address)


def test_a_record_is_analysed_while_one_looks(visits: Visits, player: Client) -> None:
    table = player.play(player.create(bots(2)))["table"]
    record = player.http.get(f"/api/tables/{table}/record").text
    page = visits.open("/replay")
    page.get_by_label("Or paste a record").fill(record)
    page.get_by_role("button", name="Show it").click()
    page.get_by_role("link", name="Analyse").click()
    expect(slider(page)).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.get_by_role("group", name="Luck and skill")).to_be_visible()


@pytest.mark.parametrize(
    ("size", "language"),
    [("wide", "en"), ("phone", "en"), ("phone", "de"), ("wide", "nl"), ("phone", "it")],
)
def test_learning_from_mistakes(
    visits: Visits, player: Client, game: Json, size: str, language: str
) -> None:
    errors, words = errors_of(game, seat=0), texts_of(language)
    assert errors, "a game of random turns without any error"
    path = f"/analysis/{game['table']}"
    who: Json = {"person": player, "locale": language}
    page = visits.open(path, **who) if size == "wide" else visits.phone(path, **who)
    page.get_by_role("button", name=words["practice.begin"]).click()
    number = words["practice.number"].format(number=1, count=len(errors))
    expect(page.get_by_text(number)).to_be_visible()
    best = game["turns"][errors[0] - 1]["choices"][0]["move"]
    piles = page.get_by_role("list", name=words["replay.players"]).get_by_role("listitem")
    expect(piles).to_have_count(3)
    page.get_by_role("button", name=words["practice.hint"]).click()
    expect(page.locator(f"[data-city={best[:2]}].lifted")).to_have_count(1)
    page.locator(f'[data-card="{best[:3]}"]').click()
    for site in re.findall("[LR]", best.split(":")[1].split(">")[0].split("+")[0].split("@")[0]):
        page.locator(f'[data-choice="site"][data-site="{best[:2]}.{site}"]').click()
    solve = page.get_by_role("button", name=words["practice.solve"])
    expect(solve).to_be_visible()
    if size == "phone":
        assert not (found := problems(page)), told(found)
    check(page)
    solve.click()
    expect(page.get_by_text(words["practice.shown"]).first).to_be_visible()
    name = words["practice.next" if len(errors) > 1 else "practice.end"]
    page.get_by_role("button", name=name).click()


def test_something_better_is_found(visits: Visits, player: Client, game: Json) -> None:
    errors = errors_of(game, seat=0)
    plain = [  # the best turn has nothing to choose but card and sites
        (number, best.split(":"))
        for number, turn in enumerate(errors, 1)
        if re.fullmatch(r"\w{3}:[LR]+", best := game["turns"][turn - 1]["choices"][0]["move"])
    ]
    number, (card, sites) = plain[0]
    page = visits.open(f"/analysis/{game['table']}", person=player)
    page.get_by_role("button", name="Learn from your mistakes").click()
    if len(errors) > 1:
        page.get_by_role("button", name=f"Turn {errors[number - 1]}", exact=True).click()
    expect(page.get_by_text(f"Error {number} of {len(errors)}")).to_be_visible()
    page.locator(f'[data-card="{card}"]').click()
    for site in sites:
        page.locator(f'[data-choice="site"][data-site="{card[:2]}.{site}"]').click()
    page.locator('[data-choice="end"]').click()
    well, skip = page.get_by_text("as good as the best"), page.locator('[data-choice="skip"]')
    expect(well.or_(skip).first).to_be_visible()
    if skip.count():  # a messenger could be laid
        skip.click()
    expect(well).to_be_visible()


@pytest.mark.parametrize(
    ("size", "language"),
    [(WIDE, "en"), (MIDDLE, "de"), (ACROSS, "nl"), (PHONE, "it")],
    ids=["wide-en", "middle-de", "across-nl", "phone-it"],
)
def test_what_if(
    visits: Visits, player: Client, game: Json, size: tuple[int, int], language: str
) -> None:
    words = texts_of(language)
    path = f"/analysis/{game['table']}?turn=7"
    page = visits.open(path, person=player, size=size, locale=language)
    page.get_by_role("link", name=words["action.play-on"]).click()
    before, after = (words["whatif.turn"].format(turn=turn) for turn in (6, 7))
    expect(page.get_by_role("heading", name=before)).to_be_visible()
    page.get_by_role("button", name=words["whatif.bot"]).click()
    expect(page.get_by_role("heading", name=after)).to_be_visible()
    page.get_by_role("switch", name=words["whatif.value"]).check()
    expect(page.locator(".bars li")).to_have_count(3)
    worth = [int(re.sub(r"\D", "", each)) for each in page.locator(".turns b").all_inner_texts()]
    assert worth == sorted(worth, reverse=True)
    check(page)
    page.get_by_role("button", name=words["replay.back"].partition(" (")[0]).click()
    expect(page.get_by_role("heading", name=before)).to_be_visible()


def test_a_line_of_ones_own_travels_by_link(visits: Visits, player: Client, game: Json) -> None:
    page = visits.open(f"/what-if?table={game['table']}&at=45", person=player)
    expect(page.get_by_role("heading", name="After turn 45")).to_be_visible()
    for _ in range(3):
        expect(page.get_by_role("button", name="Let a bot play this turn")).to_be_enabled()
        heading = page.locator("#place-title").inner_text()
        page.get_by_role("button", name="Let a bot play this turn").click()
        expect(page.locator("#place-title")).not_to_have_text(heading)
    expect(page.get_by_text(re.compile("^The game is over: ")).first).to_be_visible()
    if page.locator(".branch").count():
        page.get_by_role("button", name=re.compile("^Name of this line")).first.click()
        page.get_by_role("textbox", name="Name of this line").fill("my own end")
        page.keyboard.press("Enter")
        expect(page.locator(".branch b")).to_have_text("my own end")
    page.get_by_role("button", name="Copy a link to all of this").click()
    link = page.get_by_role("textbox", name="Link").input_value()
    lines = page.locator(".branch").all_inner_texts()
    other = visits.open(link)
    expect(other.get_by_role("heading", name="After turn 48")).to_be_visible()
    assert other.locator(".branch").all_inner_texts() == lines
    for button in other.get_by_role("button", name=re.compile("^Delete this line")).all()[:1]:
        button.click()
        expect(other.locator(".branch")).to_have_count(0)


def long_study(record: str) -> str:
    """Return a record with many named lines as the page packs it: more than an address may hold."""
    game, chance = Game.from_record(record), random.Random(1)
    lines: list[Any] = []
    for _ in range(12):
        game.take_back()
        own = [move.text for move in game.legal_moves][:8]
        lines.append([game.turn, *([move, f"{chance.getrandbits(236):x}"] for move in own)])
    text = json.dumps([record, lines, [game.turn, lines[-1][1][0]]])
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    body = deflate.compress(text.encode()) + deflate.flush()
    return "1." + base64.urlsafe_b64encode(body).decode().rstrip("=")


def test_lines_too_long_for_an_address_are_opened_on_another_device(
    visits: Visits, player: Client, game: Json
) -> None:
    record = player.http.get(f"/api/tables/{game['table']}/record").text
    page = visits.open(f"/what-if#{long_study(record)}", person=player)
    expect(page.locator(".branch").first).to_be_visible()
    page.get_by_role("button", name="Copy a link to all of this").click()
    link = page.get_by_role("textbox", name="Link")
    expect(link).to_have_value(re.compile(r"/what-if/[A-Za-z0-9_-]{16}$"))
    place, lines = page.locator("#place-title"), page.locator(".branch")
    other = visits.phone(link.input_value())
    expect(other.locator("#place-title")).to_have_text(place.inner_text())
    expect(other.locator(".branch")).to_have_count(lines.count())
    assert other.locator(".branch b").all_inner_texts() == lines.locator("b").all_inner_texts()


def test_a_broken_link_says_so(visits: Visits) -> None:
    page = visits.open("/what-if#1.nonsense")
    expect(page.get_by_role("alert")).to_contain_text("This link is incomplete")
