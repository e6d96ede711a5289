import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from patrizier import __version__
from patrizier.server.http.pages.site import DOCS
from server.support.postgres import Postgres
from server.support.serving import Guest, Serving, serving

Make = Callable[..., Guest]


def get(server: Serving, path: str, **headers: str) -> httpx.Response:
    return httpx.get(server.url + path, headers=headers, trust_env=False, timeout=30)


def test_the_server_lives_and_is_ready(server: Serving) -> None:
    for path in ("/healthz", "/readyz"):
        answer = get(server, path)
        assert (answer.status_code, answer.text) == (200, "ok\n")


def test_figures_tell_how_many_and_not_who(server: Serving, guest: Make) -> None:
    anna, ben = guest("Anna"), guest("Ben")
    table = anna.create()["table"]
    ben.act(table, "join", contribution="2" * 64)
    anna.act(table, "join", status=409)
    with anna.live() as line:
        line.say("ping")
        line.hear_kind("pong")
        text = get(server, "/metrics").text
    assert "patrizier_connections 1.0" in text
    assert 'patrizier_commands_total{kind="join"}' in text
    assert 'patrizier_refused_total{code="' in text
    assert 'route="/api/tables/{table}/commands"' in text
    assert "patrizier_worker_queue 0.0" in text
    assert table not in text
    assert "Anna" not in text


def test_figures_stay_on_this_machine(server: Serving) -> None:
    for header in ("X-Forwarded-For", "Forwarded", "Via"):
        assert get(server, "/metrics", **{header: "10.1.1.1"}).status_code == 404


def test_figures_can_be_switched_off(tmp_path: Path) -> None:
    with serving(tmp_path, metrics="off") as server:
        assert get(server, "/metrics").status_code == 404


def test_a_broken_database_is_noticed(tmp_path: Path, postgres: Postgres) -> None:
    url = asyncio.run(postgres.new_database())
    name = url.rpartition("/")[2]
    with serving(tmp_path, database=url) as server:
        assert get(server, "/readyz").status_code == 200
        asyncio.run(postgres.execute(f"DROP DATABASE {name} WITH (FORCE)"))
        while (answer := get(server, "/readyz")).status_code == 200:
            time.sleep(0.05)  # it looks once a second
        assert (answer.status_code, answer.text) == (503, "the database does not answer\n")
        assert get(server, "/healthz").status_code == 200
        table = get(server, "/api/tables/" + "x" * 24)
        assert (table.status_code, table.json()["code"]) == (503, "no-database")
        assert table.headers["retry-after"]
        assert "content-security-policy" in table.headers
        assert name not in table.text


def test_what_is_not_there_is_said_in_one_form(server: Serving) -> None:
    assert get(server, "/api/nothing").json()["code"] == "unknown"
    answer = httpx.request("PATCH", f"{server.url}/api/me", timeout=60, trust_env=False)
    assert (answer.status_code, answer.json()["code"]) == (405, "method")
    assert answer.headers["allow"] == "GET"
    answer = httpx.request("PATCH", f"{server.url}/api/session", timeout=60, trust_env=False)
    assert answer.headers["allow"] == "DELETE, POST"


def test_the_document_is_served(server: Serving) -> None:
    document = get(server, "/api/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert "/api/tables/{table}/commands" in document["paths"]
    assert "live" in document["webhooks"]


def test_a_page_is_told_of_the_server(server: Serving, guest: Make, tmp_path: Path) -> None:
    told = guest().ask("GET", "/api/config")
    has_docs = (DOCS / "index.html").is_file()
    assert told == {"version": __version__, "mail": False, "docs": has_docs, "bots": []}
    with serving(tmp_path, smtp_url="smtp://localhost:1", mail_from="a@b.example") as other:
        anna = Guest(other)
        assert anna.ask("GET", "/api/config")["mail"] is True
        anna.close()
