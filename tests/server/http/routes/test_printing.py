"""Sheets to print, by requests to the real server."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from patrizier.printing import sheet
from patrizier.printing.fonts import FontsMissing
from patrizier.server.http.collaborators import Collaborators
from server.support.serving import Serving, serving

WISH = {"paper": "letter", "language": "it", "what": "messengers"}


def ask(server: Serving, **wish: str) -> httpx.Response:
    return httpx.get(f"{server.url}/api/print", params=wish, timeout=60, trust_env=False)


def test_a_sheet_is_a_pdf_to_keep(server: Serving) -> None:
    answer = ask(server, **WISH)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    assert 'filename="patrizier-messengers-letter-it.pdf"' in answer.headers["content-disposition"]
    assert answer.headers["cache-control"] == "public, max-age=3600"
    assert answer.content == sheet.make("letter", "it", "messengers")
    assert ask(server, **WISH).content == answer.content


class Printer:
    """Makes no real sheets, and counts them."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, *wish: str) -> bytes:
        self.made += 1
        return b"%PDF"


@pytest.fixture(scope="module")
def printer() -> Printer:
    return Printer()


@pytest.fixture(scope="module")
def quick(printer: Printer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that makes no real sheets."""
    folder = tmp_path_factory.mktemp("printing")
    with serving(folder, Collaborators(make_sheet=printer)) as running:
        yield running


def test_it_is_made_once(quick: Serving, printer: Printer) -> None:
    ask(quick, **WISH)
    before = printer.made
    assert ask(quick, **WISH).content == b"%PDF"
    assert printer.made == before


@pytest.mark.parametrize(
    ("languages", "paper"),
    [("en-US,en;q=0.9", "letter"), ("fr-CA", "letter"), ("de-DE,en-US;q=0.5", "a4"), ("", "a4")],
)
def test_the_usual_paper_is_the_readers(quick: Serving, languages: str, paper: str) -> None:
    headers = {"Accept-Language": languages}
    answer = httpx.get(f"{quick.url}/api/print", headers=headers, timeout=60, trust_env=False)
    assert f'filename="patrizier-all-{paper}-en.pdf"' in answer.headers["content-disposition"]
    assert answer.headers["vary"] == "Accept-Language"


@pytest.mark.parametrize("wrong", [{"paper": "a3"}, {"language": "fr"}, {"what": "board"}])
def test_unknown_wishes_are_refused(server: Serving, wrong: dict[str, str]) -> None:
    answer = ask(server, **WISH | wrong)
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid"


def test_without_the_page_there_is_nothing_to_print(tmp_path: Path) -> None:
    def missing(*wish: str) -> bytes:
        raise FontsMissing("no page")

    with serving(tmp_path, Collaborators(make_sheet=missing)) as server:
        answer = ask(server)
    assert answer.status_code == 404
    assert "fonts" in answer.json()["text"]


def test_printing_is_limited(tmp_path: Path, printer: Printer) -> None:
    with serving(tmp_path, Collaborators(make_sheet=printer), rate_factor=1) as server:
        answers = [ask(server).status_code for _ in range(31)]
    assert answers[0] == 200
    assert answers[-1] == 429
