"""Prerendered pages come in the reader's language, and are hydrated when the scripts arrive."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from browser.house import Client, Visits, bots

PAGES = ("/", "/tables", "/new", "/rules", "/about", "/puzzles")
LOCALES = {"en": "en-GB", "de": "de-AT", "nl": "nl-BE", "it": "it-CH"}

TEXTS = Path(__file__).parents[2] / "web" / "src" / "texts"
HEADS = {  # address: the texts of its title and of its description
    "/": ("app.name", "app.description"),
    "/tables": ("lobby.title", "app.description"),
    "/new": ("new.title", "app.description"),
    "/rules": ("rules.title", "rules.description"),
    "/about": ("about.title", "about.lead"),
    "/you": ("you.title", "app.description"),
    "/learn": ("learn.title", "learn.description"),
    "/learn/build": ("learn.title", "learn.description"),
    "/replay": ("replay.title", "replay.open.about"),
    "/t/aB3aB3aB3aB3aB3aB3": ("app.name", "app.description"),
    "/puzzles": ("puzzles.title", "puzzles.lead"),
    "/puzzle/day": ("puzzles.title", "puzzles.lead"),
    "/analysis": ("analysis.title", "app.description"),
    "/what-if": ("whatif.title", "app.description"),
    "/ratings/3": ("ratings.title", "ratings.lead"),
    "/friends": ("friends.title", "app.description"),
}

# Marks the page as it came, before the first script of ours has run.
MARK = """document.addEventListener('readystatechange', () => {
  const first = document.querySelector('#app > *');
  if (document.readyState === 'interactive' && first) first.dataset.written = 'yes';
})"""


def texts_of(language: str) -> dict[str, str]:
    files = (TEXTS / language).glob("*.json")
    return {
        key: text for file in files for key, text in json.loads(file.read_text("utf-8")).items()
    }


def lines_of(page: Page) -> list[str]:
    return [line for line in page.locator("main").inner_text().split("\n") if line.strip()]


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_says_the_same_with_and_without_scripts(
    visits: Visits, path: str, language: str
) -> None:
    still = visits.open(path, locale=LOCALES[language], java_script_enabled=False)
    page = visits.open(path, locale=LOCALES[language])
    page.wait_for_load_state("networkidle")  # what only scripts know has come: names, tables
    assert still.locator("html").get_attribute("lang") == language
    assert page.locator("html").get_attribute("lang") == language
    assert still.title() == page.title()
    written = lines_of(still)
    assert len(written) >= (2 if path == "/puzzles" else 4)
    assert set(written) - set(lines_of(page)) == set()


@pytest.mark.parametrize("language", LOCALES)
def test_search_engines_are_told_of_every_page_in_its_language(
    visits: Visits, language: str
) -> None:
    ask = visits.open("/about").request
    texts = texts_of(language)
    for path, (title, about) in HEADS.items():
        page = ask.get(path, headers={"Accept-Language": language}).text()
        assert f'<html lang="{language}">' in page
        assert f"<title>{texts[title]} " in page
        assert f'<meta name="description" content="{texts[about]}" />' in page
        assert f"<noscript>{texts['app.noscript']}</noscript>" in page


@pytest.mark.parametrize("language", LOCALES)
def test_a_table_says_at_once_that_it_is_coming(
    visits: Visits, client: Client, language: str
) -> None:
    path = f"/t/{client.create(bots(2))['table']}"
    still = visits.open(path, person=client, locale=LOCALES[language], java_script_enabled=False)
    expect(still.get_by_role("status")).to_have_text(texts_of(language)["app.loading"])


def test_a_table_asks_once_who_i_am_before_any_script_has_run(
    visits: Visits, client: Client
) -> None:
    table = client.create(bots(2))["table"]
    page = visits.open("about:blank", person=client)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(visits.url)))
    page.route(re.compile(r"/assets/index-.*\.js"), lambda route: route.abort())
    page.goto(f"/t/{table}")
    assert asked.count("/api/me") == 1
    page.unroute_all()
    asked.clear()
    page.reload()
    expect(page.locator("[data-choice=card]").first).to_be_visible()
    assert asked.count("/api/me") == 1
    visits.ignore_errors("ERR_FAILED")


@pytest.mark.parametrize("path", PAGES)
def test_what_came_written_stays(visits: Visits, path: str) -> None:
    page = visits.open("about:blank")
    page.add_init_script(MARK)
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_function("document.title.includes('Patrizier') && document.title.length > 12")
    assert page.locator("[data-written]").count() == 1


def test_another_language_is_kept_for_the_next_visit(visits: Visits) -> None:
    page = visits.open("/rules")
    page.get_by_label("Language").first.select_option("it")
    expect(page.locator("html")).to_have_attribute("lang", "it")
    answer = page.request.get("/rules", headers={"Accept-Language": "de"})
    assert '<html lang="it">' in answer.text()
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "it")


def test_the_chosen_theme_is_there_before_the_page(visits: Visits) -> None:
    page = visits.open("/about")
    page.evaluate("localStorage.setItem('patrizier.settings', '{\"theme\":\"dark\"}')")
    page.route(re.compile(r"/assets/index-.*\.js"), lambda route: route.abort())
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    visits.ignore_errors("ERR_FAILED")


def test_a_page_that_was_tampered_with_is_drawn_anew(visits: Visits) -> None:
    def tamper(route: Route) -> None:
        answer = route.fetch()
        page = re.sub(r"<!--.*?-->", "", answer.text(), flags=re.DOTALL)
        route.fulfill(response=answer, body=page.replace("<main", "<b>No!</b><main", 1))

    page = visits.open("about:blank")
    page.route(re.compile(r"/rules$"), tamper)
    page.goto("/rules")
    expect(page.get_by_text("No!")).to_have_count(0)
    expect(page.get_by_role("heading", name="The messengers")).to_be_visible()
    expect(page.locator("main svg").first).to_be_visible()
