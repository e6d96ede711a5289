"""The built site is complete: no dead links, nothing loaded from elsewhere."""

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from browser.house import need_docs
from patrizier.server.http.pages.site import DOCS as SITE

SOURCES = Path(__file__).parents[2] / "docs"


class Page(HTMLParser):
    """What a page refers to, and what can be referred to on it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        elif tag in ("link", "script", "img", "iframe"):
            self.loaded |= {given[name] for name in ("href", "src") if name in given}
        if tag == "style" or (tag == "script" and "src" not in given):
            self.inline.append(tag)
        self.inline += [name for name in given if name == "style" or name.startswith("on")]


@cache
def pages() -> dict[Path, Page]:
    need_docs()
    return {page: Page(page.read_text("utf-8")) for page in sorted(SITE.rglob("*.html"))}


@pytest.fixture(autouse=True)
def _built() -> None:
    pages()


def target(page: Path, address: str) -> tuple[Path, str]:
    parts = urlsplit(address)
    file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    return (file / "index.html" if file.is_dir() else file), unquote(parts.fragment)


def is_elsewhere(address: str) -> bool:
    return bool(urlsplit(address).scheme or urlsplit(address).netloc)


def test_every_document_is_there() -> None:
    documents = {file.relative_to(SOURCES).with_suffix(".html") for file in SOURCES.rglob("*.md")}
    built = {page.relative_to(SITE) for page in pages()}
    assert documents <= built
    assert len(documents) > 30
    assert {Path("search.html"), Path("genindex.html")} <= built


def test_links_within_the_site_lead_somewhere() -> None:
    broken = []
    for page, content in pages().items():
        for address in content.links:
            if is_elsewhere(address):
                continue
            file, anchor = target(page, address)
            there = file.is_relative_to(SITE) and file.is_file()
            if there and anchor and file.suffix == ".html":
                there = anchor in pages()[file].anchors
            if not there:
                broken.append((str(page.relative_to(SITE)), address))
    assert not broken


def test_everything_that_is_loaded_is_there() -> None:
    for page, content in pages().items():
        for address in content.loaded:
            assert not is_elsewhere(address), (page, address)
            assert target(page, address)[0].is_file(), (page, address)


def test_nothing_is_inline() -> None:
    assert not {str(page): content.inline for page, content in pages().items() if content.inline}


def test_nothing_of_this_machine_is_on_it() -> None:
    for page in pages():
        assert str(SOURCES.parent) not in page.read_text("utf-8"), page
