"""The first load: small, no layout shift, no requests to other hosts, available offline."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.house import PHONE, SETTLED, WIDE, Client, Visits, bots
from browser.player import Player
from patrizier.server.loadtest.process import ServerProcess

MOST_BYTES = 200_000
MOST_SHIFT = 0.05
WATCH_SHIFTS = """
  window.shifted = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput)
        window.shifted.push([entry.value, ...entry.sources.map((each) => each.node?.className)]);
  }).observe({ type: 'layout-shift', buffered: true });
"""


def blank(visits: Visits, size: tuple[int, int] = WIDE, locale: str = "en-GB") -> Page:
    """Return a fresh page that has loaded nothing of ours yet."""
    return visits.open("about:blank", size=size, locale=locale)


def load_front(page: Page) -> None:
    page.goto("/", wait_until="networkidle")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate("() => document.fonts.ready.then(() => null)")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "nl-NL", "it-IT"])
def test_the_first_load_is_small(visits: Visits, locale: str) -> None:
    page = blank(visits, locale=locale)
    sizes: dict[str, float] = {}
    names: dict[str, str] = {}
    line = page.context.new_cdp_session(page)
    line.on(
        "Network.requestWillBeSent",
        lambda event: names.update({event["requestId"]: event["request"]["url"]}),
    )
    line.on(
        "Network.loadingFinished",
        lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}),
    )
    line.send("Network.enable")
    load_front(page)
    loaded = {names[request].removeprefix(visits.url): size for request, size in sizes.items()}
    assert any(name.endswith(".woff2") for name in loaded), "the fonts count as well"
    total = sum(sizes.values())
    print(f"first load: {total / 1000:.0f} kB in {len(sizes)} files")
    assert total < MOST_BYTES, sorted(loaded.items(), key=lambda item: -item[1])[:12]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_shifts_while_the_front_page_loads(visits: Visits, size: tuple[int, int]) -> None:
    page = blank(visits, size)
    page.add_init_script(WATCH_SHIFTS)
    load_front(page)
    shifted = page.evaluate("window.shifted")
    assert sum(each[0] for each in shifted) < MOST_SHIFT, shifted


@pytest.mark.parametrize("size", [WIDE, PHONE, (844, 390), (820, 1180)], ids=str)
def test_nothing_shifts_while_a_table_is_drawn_part_by_part(
    visits: Visits, client: Client, size: tuple[int, int]
) -> None:
    message = client.play(client.create(bots(4, messengers=True)), turns=4)
    page = visits.open("about:blank", person=client, size=size)
    page.add_init_script(WATCH_SHIFTS)
    page.goto(f"/t/{message['table']}")
    page.locator("[data-choice=card]").first.wait_for()
    page.evaluate(SETTLED)
    assert page.evaluate("window.shifted") == []


def test_the_page_obeys_its_policy_and_asks_nobody_else(visits: Visits, client: Client) -> None:
    """As people have it: the service worker at work, motion and all."""
    page = visits.open("/", service_workers="allow", reduced_motion="no-preference", pace="brisk")
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    for name in ("Tables", "Learn", "Rules"):
        page.get_by_role("navigation").get_by_role("link", name=name).first.click()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.goto("/")
    message = client.play(client.create(bots(2, messengers=True)), turns=20)
    client.give_to(page.context)
    page.goto(f"/t/{message['table']}")
    player = Player(page)
    player.play_to_end()
    assert sockets
    assert all(url.startswith(visits.url.replace("http", "ws")) for url in sockets)


def test_the_front_page_comes_back_without_the_server(
    browser: Browser, own_server: ServerProcess
) -> None:
    visits = Visits(browser, own_server.url)
    page = visits.open("/", service_workers="allow")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    own_server.stop()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    page.get_by_role("link", name="Rules").first.click()
    expect(page).to_have_url(re.compile("/rules$"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    visits.ignore_errors("ERR_CONNECTION_REFUSED", "Failed to load resource")
    assert visits.errors == []
    visits.close()
