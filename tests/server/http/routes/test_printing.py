"""Sheets to print, by requests to the real server."""

from pathlib import Path

import httpx
import pytest

from patrizier.printing import sheet
from patrizier.printing.fonts import FontsMissing
from patrizier.server.http.routes import printing
from server.serving import Serving, serving

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


def test_it_is_made_once(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(server, **WISH)
    before = printing._made.cache_info()
    ask(server, **WISH)
    after = printing._made.cache_info()
    assert (after.misses, after.hits) == (before.misses, before.hits + 1)


@pytest.mark.parametrize(
    ("languages", "paper"),
    [("en-US,en;q=0.9", "letter"), ("fr-CA", "letter"), ("de-DE,en-US;q=0.5", "a4"), ("", "a4")],
)
def test_the_usual_paper_is_the_readers(
    server: Serving, monkeypatch: pytest.MonkeyPatch, languages: str, paper: str
) -> None:
    monkeypatch.setattr(printing, "_made", lambda *wish: b"%PDF")
    headers = {"Accept-Language": languages}
    answer = httpx.get(f"{server.url}/api/print", headers=headers, trust_env=False)
    assert f'filename="patrizier-all-{paper}-en.pdf"' in answer.headers["content-disposition"]
    assert answer.headers["vary"] == "Accept-Language"


@pytest.mark.parametrize("wrong", [{"paper": "a3"}, {"language": "fr"}, {"what": "board"}])
def test_unknown_wishes_are_refused(server: Serving, wrong: dict[str, str]) -> None:
    answer = ask(server, **WISH | wrong)
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid"


def test_without_the_page_there_is_nothing_to_print(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*wish: str) -> bytes:
        raise FontsMissing("no page")

    monkeypatch.setattr(printing, "_made", missing)
    answer = ask(server)
    assert answer.status_code == 404
    assert "fonts" in answer.json()["text"]


def test_printing_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "_made", lambda *wish: b"%PDF")
    with serving(tmp_path, rate_factor=1) as server:
        answers = [ask(server).status_code for _ in range(31)]
    assert answers[0] == 200
    assert answers[-1] == 429
