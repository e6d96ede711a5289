from pathlib import Path

import httpx
import pytest

from patrizier.server.http.collaborators import Collaborators
from server.support.serving import serving

CSP = "content-security-policy"


def test_the_built_page_is_served(tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html>the page")
    (static / "assets" / "app-1234.js").write_text("let x = 1")
    (tmp_path / "secret.txt").write_text("not for you")
    with (
        serving(tmp_path / "data", Collaborators(static=static)) as server,
        httpx.Client(base_url=server.url, timeout=60, trust_env=False) as http,
    ):
        for path in ("/", "/index.html", "/t/abcdefghijklmnopqrst", "/history"):
            answer = http.get(path)
            assert (answer.status_code, answer.text) == (200, "<!doctype html>the page"), path
            assert answer.headers["cache-control"] == "no-cache"
            assert CSP in answer.headers
        script = http.get("/assets/app-1234.js")
        assert script.text == "let x = 1"
        assert "javascript" in script.headers["content-type"]
        assert "immutable" in script.headers["cache-control"]
        assert "content-encoding" not in script.headers
        for path in ("/assets/none.js", "/api/nothing", "/..%2fsecret.txt", "/%2e%2e/secret.txt"):
            answer = http.get(path)
            assert "not for you" not in answer.text
            assert answer.status_code in (200, 404)
            assert answer.status_code == 404 or "the page" in answer.text
        assert http.get("/api/nothing").json()["code"] == "unknown"
        assert http.get("/api/me").json()["token"]


@pytest.mark.parametrize(
    ("welcome", "pressed"),
    [("gzip, deflate, br", True), ("br;q=1.0", True), ("gzip", False), ("brown", False)],
)
def test_a_smaller_form_is_sent_to_who_can_read_it(
    tmp_path: Path, welcome: str, pressed: bool
) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html>the page")
    (static / "assets" / "app-1234.js").write_text("let x = 1")
    (static / "assets" / "app-1234.js.br").write_bytes(b"smaller")
    with (
        serving(tmp_path / "data", Collaborators(static=static)) as server,
        httpx.Client(base_url=server.url, timeout=60, trust_env=False) as http,
        http.stream("GET", "/assets/app-1234.js", headers={"accept-encoding": welcome}) as answer,
    ):
        sent = b"".join(answer.iter_raw())
        assert sent == (b"smaller" if pressed else b"let x = 1")
        assert answer.headers.get("content-encoding") == ("br" if pressed else None)
        assert "javascript" in answer.headers["content-type"]
        assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    ("wanted", "cookie", "language"),
    [
        ("de-AT, en;q=0.5", "", "de"),
        ("fr, nl;q=0.9, de;q=0.8", "", "nl"),
        ("fr", "", "en"),
        ("", "", "en"),
        ("de", "it", "it"),
        ("de", "../../secret", "de"),
    ],
)
def test_pages_come_written_in_the_readers_language(
    tmp_path: Path, wanted: str, cookie: str, language: str
) -> None:
    static = tmp_path / "static"
    for each in ("en", "de", "nl", "it"):
        folder = static / "written" / each
        (folder / "t").mkdir(parents=True)
        (folder / "index.html").write_text(f"front {each}")
        (folder / "rules.html").write_text(f"rules {each}")
        (folder / "t" / "any.html").write_text(f"table {each}")
    (static / "index.html").write_text("the page")
    headers = {"Accept-Language": wanted, "Cookie": f"patrizier-language={cookie}"}
    with (
        serving(tmp_path / "data", Collaborators(static=static)) as server,
        httpx.Client(base_url=server.url, timeout=60, trust_env=False, headers=headers) as http,
    ):
        for path, text in {
            "/": f"front {language}",
            "/rules": f"rules {language}",
            "/t/aB3aB3aB3aB3aB3aB3": f"table {language}",
            "/rules?print=1": "the page",  # nobody knew of the question when it was written
            "/rules/more": "the page",
            "/index.html": "the page",
            "/elsewhere": "the page",
        }.items():
            answer = http.get(path)
            assert (answer.status_code, answer.text) == (200, text), path
            assert answer.headers["cache-control"] == "no-cache"
            assert CSP in answer.headers
        assert "Accept-Language" in http.get("/").headers["vary"]
        assert "Cookie" in http.get("/").headers["vary"]


def test_the_documentation_is_below_docs(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "reference").mkdir(parents=True)
    (docs / "index.html").write_text("<!doctype html>all about it" + " " * 2000)
    (docs / "reference" / "http.html").write_text("<!doctype html>requests")
    (tmp_path / "secret.txt").write_text("not for you")
    with (
        serving(tmp_path / "data", Collaborators(docs=docs)) as server,
        httpx.Client(
            base_url=server.url, timeout=60, trust_env=False, follow_redirects=True
        ) as http,
    ):
        for path in ("/docs", "/docs/", "/docs/index.html"):
            answer = http.get(path)
            assert answer.status_code == 200, path
            assert "all about it" in answer.text
            assert answer.headers["cache-control"] == "no-cache"
            assert answer.headers["content-encoding"] == "gzip"
            assert "script-src 'self';" in answer.headers[CSP]
        assert "requests" in http.get("/docs/http").text
        assert http.get("/docs/nothing.html").status_code == 404
        for path in ("/docs/..%2fsecret.txt", "/docs/%2e%2e/secret.txt"):
            assert "not for you" not in http.get(path).text
        assert http.get("/api/config").json()["docs"] is True


def test_without_documentation_there_is_a_list_of_requests(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "data", Collaborators(docs=tmp_path / "nothing-built")) as server,
        httpx.Client(
            base_url=server.url, timeout=60, trust_env=False, follow_redirects=True
        ) as http,
    ):
        for path in ("/docs", "/docs/", "/docs/http"):
            assert "GET /api/me" in http.get(path).text
        assert http.get("/api/config").json()["docs"] is False
