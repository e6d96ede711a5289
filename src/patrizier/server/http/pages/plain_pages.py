"""The few plain pages the server writes itself, in their reader's language, without scripts."""

from html import escape
from typing import Any
from urllib.parse import quote

from fastapi.responses import HTMLResponse

from patrizier.server.language import Language
from patrizier.server.texts import words

_METHODS = ("get", "post", "put", "delete")


def page(body: str, language: Language, status: int = 200) -> HTMLResponse:
    """Return a page around a body of HTML."""
    return HTMLResponse(
        f'<!doctype html>\n<html lang="{language}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n<title>Patrizier</title>\n'
        f"<h1>Patrizier</h1>\n{body}\n</html>\n",
        status,
        headers={"Content-Language": language, "Vary": "Accept-Language, Cookie"},
    )


def sentence(name: str, language: Language, status: int = 200) -> HTMLResponse:
    """Return a page with one sentence."""
    said = words(language)
    text, home = escape(said[f"page.{name}"]), escape(said["page.home"])
    return page(f'<p>{text}</p>\n<p><a href="/">{home}</a></p>', language, status)


def question(name: str, path: str, token: str, language: Language) -> HTMLResponse:
    """Return a page with a question and a button."""
    said = words(language)
    text, yes = escape(said[f"page.{name}"]), escape(said[f"page.{name}_yes"])
    action = escape(f"{path}?token={quote(token)}")
    return page(
        f'<p>{text}</p>\n<form method="post" action="{action}">'
        f'<button type="submit">{yes}</button></form>',
        language,
    )


def welcome(language: Language) -> HTMLResponse:
    """Return the front page of a server that was installed without the page."""
    said = {name: escape(text) for name, text in words(language).items()}
    return page(
        f"<p>{said['page.welcome']}</p>\n"
        f'<p>{said["page.programs"]} <a href="/docs/http">{said["page.guide"]}</a>, '
        '<a href="/api/openapi.json">OpenAPI</a>.</p>',
        language,
    )


def guide(openapi: dict[str, Any]) -> HTMLResponse:
    """Return the list of API calls, in English."""
    lines = []
    for path, item in openapi["paths"].items():
        for method in _METHODS:
            if method in item:
                text = item[method].get("description", item[method].get("summary", ""))
                call = f"{method.upper()} {path}"
                lines.append(f"<dt><code>{escape(call)}</code></dt>\n<dd>{escape(text)}</dd>")
    return page(
        "<p>Everything is JSON. <code>GET /api/me</code> makes you a guest: keep its cookie, and "
        "send its <code>token</code> as header <code>X-Patrizier-Token</code> with every "
        "change. The exact formats are in the "
        '<a href="/api/openapi.json">OpenAPI document</a>.</p>\n'
        f"<dl>\n{chr(10).join(lines)}\n</dl>",
        "en",
    )
