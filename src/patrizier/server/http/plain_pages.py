"""The few plain pages the server writes itself, without scripts or styles."""

from html import escape
from typing import Any
from urllib.parse import quote

from fastapi.responses import HTMLResponse

_METHODS = ("get", "post", "put", "delete")


def page(body: str, status: int = 200) -> HTMLResponse:
    """Return a page around a body of HTML."""
    return HTMLResponse(
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n<title>Patrizier</title>\n'
        f"<h1>Patrizier</h1>\n{body}\n</html>\n",
        status,
    )


def sentence(text: str, status: int = 200) -> HTMLResponse:
    """Return a page that says one thing."""
    return page(f'<p>{escape(text)}</p>\n<p><a href="/">To the tables</a></p>', status)


def question(text: str, path: str, token: str, yes: str) -> HTMLResponse:
    """Return a page that asks something and does it when its button is pressed."""
    action = escape(f"{path}?token={quote(token)}")
    return page(
        f'<p>{escape(text)}</p>\n<form method="post" action="{action}">'
        f'<button type="submit">{escape(yes)}</button></form>'
    )


def welcome() -> HTMLResponse:
    """Return the first page of a server that was installed without the game's pages."""
    return page(
        "<p>Good day! This server is ready for players, but the page to play on has not been "
        "built.</p>\n"
        '<p>Programs can play all the same: see <a href="/docs">how to talk to it</a>, or its '
        '<a href="/api/openapi.json">OpenAPI document</a>.</p>'
    )


def guide(openapi: dict[str, Any]) -> HTMLResponse:
    """Return the list of everything that programs can ask for."""
    lines = []
    for path, item in openapi["paths"].items():
        for method in _METHODS:
            if method in item:
                text = item[method].get("description", item[method].get("summary", ""))
                call = f"{method.upper()} {path}"
                lines.append(f"<dt><code>{escape(call)}</code></dt>\n<dd>{escape(text)}</dd>")
    return page(
        "<p>Everything is JSON. <code>GET /api/me</code> makes you a guest: keep its cookie, and "
        "send its <code>token</code> as the header <code>X-Patrizier-Token</code> with everything "
        "that changes something. The exact forms are in the "
        '<a href="/api/openapi.json">OpenAPI document</a>.</p>\n'
        f"<dl>\n{chr(10).join(lines)}\n</dl>"
    )
