"""The documentation on the server: under the same content policy as the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from browser.house import PHONE, SCHEMES, Visits, need_docs, need_page
from server.support.serving import Serving, serving

PAGES = ("", "tutorials/play.html", "reference/python.html", "reference/http.html", "genindex.html")
BACKGROUND = "() => getComputedStyle(document.body).backgroundColor"
TOO_WIDE = "() => document.documentElement.scrollWidth > innerWidth"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with the built documentation."""
    need_page()
    need_docs()
    with serving(tmp_path_factory.mktemp("docs")) as server:
        yield server


@pytest.fixture
def reader(browser: Browser, library: Serving) -> Iterator[Visits]:
    """Visits that fail if the policy blocks something, or another host is asked."""
    visits = Visits(browser, library.url)
    yield visits
    visits.close()
    assert visits.errors == []


def test_the_page_leads_to_the_documentation(reader: Visits) -> None:
    page = reader.open("/about")
    page.get_by_role("link", name="Read the documentation").click()
    expect(page).to_have_url(f"{reader.url}/docs/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Patrizier")
    page.go_back()
    page.get_by_role("link", name="How programs talk to this server").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("The HTTP interface")


def test_the_page_leads_to_the_licences_of_what_is_in_it(reader: Visits) -> None:
    page = reader.open("/about")
    page.get_by_role("link", name="Licences of fonts and libraries").click()
    expect(page).to_have_url(f"{reader.url}/licences.txt")
    for words in ("eb-garamond", "inter", "SIL OPEN FONT LICENSE", "svelte", "workbox-core", "idb"):
        expect(page.locator("body")).to_contain_text(words)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_pages_are_drawn_in_light_and_dark(reader: Visits, scheme: str) -> None:
    colours = set()
    for path in PAGES:
        page = reader.open(f"/docs/{path}", color_scheme=scheme)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        colours.add(page.evaluate(BACKGROUND))
    assert colours == {"rgb(251, 245, 234)" if scheme == "light" else "rgb(28, 24, 21)"}


def test_light_and_dark_can_be_chosen(reader: Visits) -> None:
    page = reader.open("/docs/", color_scheme="light")
    body = page.locator("body")
    expect(body).to_have_attribute("data-theme", "auto")
    page.locator(".theme-toggle:visible").click()
    expect(body).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(body).to_have_attribute("data-theme", "dark")


def test_the_search_finds_pages(reader: Visits) -> None:
    page = reader.open("/docs/")
    field = page.get_by_label("Search")
    field.fill("messenger")
    field.press("Enter")
    expect(page.locator("#search-results li").first).to_be_visible()
    page.locator("#search-results li a").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_pages_fit_a_telephone(reader: Visits) -> None:
    for path in ("", "tutorials/play.html", "reference/command-line.html", "server.html"):
        page = reader.open(f"/docs/{path}", size=PHONE)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert not page.evaluate(TOO_WIDE), path


def test_nothing_is_stored_that_was_not_asked_for(reader: Visits) -> None:
    page = reader.open("/docs/tutorials/host.html")
    assert page.context.cookies() == []
